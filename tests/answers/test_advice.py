import pytest

import linkspot
from linkspot.records import Action, Entity, Place


def places(text: str, entity: Entity, language: str, markup: str = "wikitext") -> list[Place]:
    answer = linkspot.suggest(text, entity, "string-match", markup=markup, language=language, anyway=True)
    return sorted(answer.places, key=lambda place: (place.section, place.sentence))


@pytest.mark.parametrize(
    ("text", "title", "language", "edited"),
    [
        ("Zwei Signale stehen da.", "Signal", "de", "Zwei [[Signal]]e stehen da."),
        ("Zwei Züge stehen da.", "Zug", "de", "Zwei [[Zug|Züge]] stehen da."),
        ("Two signals stop.", "Signal", "en", "Two [[signal]]s stop."),
        ("Some cities grow.", "City", "en", "Some [[City|cities]] grow."),
        ("저는 서울에서 살아요.", "서울", "ko", "저는 [[서울]]에서 살아요."),
        ("הוא גר בירושלים היום.", "ירושלים", "he", "הוא גר ב[[ירושלים]] היום."),
        ("המבצר במצדה עתיק.", "מצדה", "he", "המבצר ב[[מצדה]] עתיק."),
        ("Ali İstanbul'da yaşar.", "İstanbul", "tr", "Ali [[İstanbul]]'da yaşar."),
        ("Рух сигналами.", "Сигнал", "ru", "Рух [[сигнал]]ами."),
    ],
)
def test_a_link_is_written_as_the_language_s_wiki_would(text: str, title: str, language: str, edited: str) -> None:
    (place,) = places(text, Entity(title), language)
    assert place.edit(text) == edited


def test_in_html_an_ending_is_inside_the_link_and_a_particle_outside() -> None:
    (german,) = places("<p>Zwei Signale.</p>", Entity("Signal", url="/s"), "de", "html")
    (korean,) = places("<p>저는 서울에서 살아요.</p>", Entity("서울", url="/s"), "ko", "html")
    assert ">Signale</a>" in german.link
    assert ">서울</a>" in korean.link


def test_a_part_of_a_name_is_linked_and_said_to_be_one() -> None:
    whole, part = places("Leo Tolstoy wrote. In Russia, Tolstoy taught.", Entity("Leo Tolstoy"), "en")
    assert whole.reason == "“Leo Tolstoy” is there already, word for word"
    assert part.reason == "“Tolstoy” is a part of “Leo Tolstoy” and may stand for it here"
    assert part.link == "[[Leo Tolstoy|Tolstoy]]"
    assert part.score < whole.score


def test_a_derived_word_is_linked_only_where_the_passage_is_about_the_name() -> None:
    lead = "Australia is a country in the south. Its capital is Canberra, its largest city Sydney."
    entity = Entity("Australia", lead)
    (place,) = places("The Australian capital is smaller than the city on the coast.", entity, "en")
    assert place.link == "[[Australia]]n"
    assert place.reason == "“Australian” is derived from “Australia” and may stand for it here"
    (place,) = places("An Australian dish was served with beans.", entity, "en")
    assert place.action is not Action.LINK_WORDS


def test_a_word_that_only_looks_like_a_form_is_not_linked() -> None:
    (place,) = places("Banks lend money.", Entity("Banksy"), "en")
    assert place.action is not Action.LINK_WORDS


def test_the_words_it_shares_with_the_lead_are_named_as_they_stand() -> None:
    lead = "The wolf is a wild animal which hunts deer in large packs."
    text = "Which Animal in large forests hunts alone? " + "It rains. " * 20
    first = places(text, Entity("Gray wolf", lead), "en")[0]
    assert first.reason == "there are no words to link here yet, but the sentence mentions Animal, hunts"


def test_in_japanese_whole_phrases_are_named() -> None:
    lead = "カトリック教会はキリスト教の中心である。"
    (place,) = places("イエスの教えはキリスト教の中心である。", Entity("カトリック教会", lead), "ja")
    assert place.reason == "there are no words to link here yet, but the sentence mentions キリスト教, 中心"


@pytest.mark.parametrize(
    ("text", "title", "lead", "language"),
    [
        ("El mayor banco de datos creció.", "Banco", "Un banco es una entidad que presta dinero.", "es"),
        ("東京都北区に博物館がある。", "京都", "京都は寺院の多い古都である。", "ja"),
        ("وصلت إلى البندقية ولندن.", "بندقية", "البندقية سلاح ناري طويل.", "ar"),
    ],
)
def test_a_word_that_may_well_mean_another_thing_is_linked_only_where_the_passage_fits(
    text: str, title: str, lead: str, language: str
) -> None:
    (place,) = places(text, Entity(title, lead), language)
    assert place.action is not Action.LINK_WORDS
    assert place.reason == f"“{title}” is there, but nothing around it shows that it means this one"


def test_a_passage_fits_where_it_has_another_form_of_a_word_of_the_lead() -> None:
    lead = "Une péniche est un long bateau à fond plat."
    text = "Des péniches de marchandises passent. Les bateaux sont longs."
    first = places(text, Entity("Péniche", lead), "fr")[0]
    assert first.action is Action.LINK_WORDS
