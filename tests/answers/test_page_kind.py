import pytest

from linkspot import Markup, Page, parse, suggest
from linkspot.answers.page_kind import PageKind, page_kind

ITEMS = "\n".join(f"* [[Town {number}]], the {number}th largest" for number in range(8))
ARTICLE = "A dog eats meat. It barks. It sleeps a lot. Some dogs guard sheep."


def _kind(text: str, language: str = "en", markup: Markup = Markup.WIKITEXT) -> PageKind:
    page = Page("Dog", text, markup, language)
    return page_kind(page, parse(page))


@pytest.mark.parametrize(
    ("text", "language", "kind"),
    [
        (ARTICLE, "en", PageKind.ARTICLE),
        (f"{ARTICLE}\n\n{ITEMS}", "en", PageKind.LIST),
        (f"{ARTICLE}\n\n* [[Wolf]]\n* [[Fox]]\n* [[Jackal]]", "en", PageKind.ARTICLE),  # some items are no list
        ("A dog is an animal.", "en", PageKind.STUB),
        ("犬は動物である。よく吠える。肉を食べる。羊を守る。", "ja", PageKind.ARTICLE),
        ("* 東京\n* 大阪\n* 京都\n* 奈良\n* 神戸\n* 広島", "ja", PageKind.LIST),
        ("#REDIRECT [[Wolf]]", "en", PageKind.REDIRECT),
        ("#weiterleitung [[Wolf]]", "de", PageKind.REDIRECT),
        ("{| class=x\n| a\n|}", "en", PageKind.EMPTY),
    ],
)
def test_a_page_is_what_most_of_it_is(text: str, language: str, kind: PageKind) -> None:
    assert _kind(text, language) is kind


def test_lines_of_prose_are_not_items_because_they_are_many() -> None:
    assert _kind("\n\n".join(f"Dog {number} sleeps near the fire." for number in range(20))) is PageKind.ARTICLE


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("#REDIRECT [[Wolf]]", "This page redirects to “Wolf”; a link belongs in that page, not in this one."),
        ("A dog eats.", "This page is very short (1 sentence), so there is little to compare."),
        (ITEMS, "Most of this page is a list: a new entry may be better than a link in another one."),
    ],
)
def test_an_answer_says_what_kind_of_page_it_is(text: str, note: str) -> None:
    answer = suggest(Page("Dog", text, Markup.WIKITEXT, "en"), "Cat", ranker="bm25")
    assert note in answer.notes
    assert answer.to_dict()["page"]["kind"] == answer.kind
