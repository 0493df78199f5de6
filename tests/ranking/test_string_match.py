from dataclasses import replace

from tests.ranking.lexical_pages import SIGNAL, article, order

from linkspot.ranking.string_match import StringMatchRanker
from linkspot.records import Article, Entity, Link
from linkspot.source_map import Span


def places(entity: Entity, page: Article) -> tuple[float, ...]:
    return StringMatchRanker().score(entity, page).places


def with_link(page: Article, words: str) -> Article:
    (section,) = page.sections
    start = section.text.index(words)
    link = Link("Elsewhere", words, start, start + len(words), Span(0, 1))
    return replace(page, sections=(replace(section, links=(link,)),))


def test_a_closer_spelling_is_a_better_place() -> None:
    page = article("Many signals stand here.", "Many a signal stands here.", "The Signal stands here.", "Nothing here.")
    assert order(places(SIGNAL, page)) == [2, 1, 0, 3]


def test_a_mention_in_the_sentence_beats_any_in_its_context_and_near_beats_far() -> None:
    page = article("Far off.", "Near by.", "Some signals stand here.", *["Far away."] * 9)
    scores = places(SIGNAL, page)
    assert order(scores)[:3] == [2, 1, 3]
    assert scores[0] > 0
    assert scores[8:] == (0.0,) * 4


def test_a_longer_name_is_surer() -> None:
    page = article("One signal.", "One block signal.")
    assert order(places(Entity("Block signal", mentions=("signal",)), page)) == [1, 0]


def test_words_that_are_a_link_already_count_less() -> None:
    page = article("The Signal of old.", "The Signal of today.")
    assert order(places(SIGNAL, page)) == [0, 1]
    assert order(places(SIGNAL, with_link(page, "Signal of old"))) == [1, 0]
