import pytest

from linkspot.parsing import parse
from linkspot.parsing.wikitext.link_trails import trail_at
from linkspot.records import Page


def mentions(markup: str, language: str) -> list[str]:
    article = parse(Page("P", markup, "wikitext", language))
    return [link.mention for section in article.sections for link in section.links]


@pytest.mark.parametrize(
    ("markup", "language", "expected"),
    [
        ("Two [[signal]]s stop.", "en", "signals"),
        ("A [[café]]é stop.", "en", "café"),  # English has the letters a – z alone
        ("Viele [[Zug]]übergänge.", "de", "Zugübergänge"),
        ("Viele [[Zug]]übergänge.", "de-AT", "Zugübergänge"),
        ("Без [[сигнал]]ов нельзя.", "ru", "сигналов"),
        ("[[서울]]에서 만나요.", "ko", "서울"),
        ("[[東京]]です。", "ja", "東京"),
        ("[[北京]]abc。", "zh", "北京"),  # Chinese has no trail
        ("[[ভারত]]ের রাজধানী", "bn", "ভারতের"),
        ("[[İstanbul]]'da yaşar.", "tr", "İstanbul"),
        ("l'[[illa]]'s", "ca", "illa's"),  # Catalan has the apostrophe
        ("Die [[Stadt]]mauer", "tlh", "Stadtmauer"),  # a language that MediaWiki does not know follows the default
    ],
)
def test_a_link_ends_where_mediawiki_ends_it(markup: str, language: str, expected: str) -> None:
    assert mentions(markup, language) == [expected]


def test_a_trail_is_the_letters_right_behind_a_position() -> None:
    assert trail_at("Signale", 6, "de") == "e"
    assert trail_at("Signal e", 6, "de") == ""
    assert trail_at("서울에서", 2, "ko") == ""
