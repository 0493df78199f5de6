from dataclasses import replace

import pytest

from linkspot.parsing.prose import Prose
from linkspot.ranking.lexical import BM25Ranker, RandomRanker, StringMatchRanker
from linkspot.records import Article, Entity, Link, Markup, Page
from linkspot.source_map import Span


def article(*sentences: str, language: str = "en") -> Article:
    prose, position = Prose(Page("Rail", "\n".join(sentences), Markup.MARKDOWN, language)), 0
    for sentence in sentences:
        prose.write(sentence, position, position + len(sentence))
        prose.end_block()
        position += len(sentence) + 1
    return prose.article()


def with_link(page: Article, words: str) -> Article:
    (section,) = page.sections
    start = section.text.index(words)
    link = Link("Elsewhere", words, start, start + len(words), Span(0, 1))
    return replace(page, sections=(replace(section, links=(link,)),))


def order(scores: list[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda index: -scores[index])


SIGNAL = Entity("Signal", lead="A signal tells the driver of a train whether the block ahead is free.")


def test_a_closer_spelling_is_a_better_place() -> None:
    page = article("Many signals stand here.", "Many a signal stands here.", "The Signal stands here.", "Nothing here.")
    assert order(StringMatchRanker().score(SIGNAL, page)) == [2, 1, 0, 3]


def test_a_mention_in_the_sentence_beats_any_in_its_context_and_near_beats_far() -> None:
    page = article("Far off.", "Near by.", "Some signals stand here.", *["Far away."] * 9)
    scores = StringMatchRanker().score(SIGNAL, page)
    assert order(scores)[:3] == [2, 1, 3]
    assert scores[0] > 0
    assert scores[8:] == [0.0] * 4


def test_a_longer_name_is_surer() -> None:
    page = article("One signal.", "One block signal.")
    assert order(StringMatchRanker().score(Entity("Block signal", mentions=("signal",)), page)) == [1, 0]


def test_words_that_are_a_link_already_count_less() -> None:
    page = article("The Signal of old.", "The Signal of today.")
    assert order(StringMatchRanker().score(SIGNAL, page)) == [0, 1]
    assert order(StringMatchRanker().score(SIGNAL, with_link(page, "Signal of old"))) == [1, 0]


@pytest.mark.parametrize("ranker", [StringMatchRanker(), BM25Ranker(context_weight=0)])
def test_of_equal_places_the_earlier_is_better(ranker: StringMatchRanker | BM25Ranker) -> None:
    scores = ranker.score(SIGNAL, article(*["The Signal stands."] * 4))
    assert order(scores) == [0, 1, 2, 3]
    assert len(set(scores)) == 4


@pytest.mark.parametrize("ranker", [StringMatchRanker(), BM25Ranker()])
def test_a_page_without_a_word_of_the_target_is_nowhere(ranker: StringMatchRanker | BM25Ranker) -> None:
    scores = ranker.score(Entity("Zebra"), article("Trains run.", "Buses do not."))
    assert scores == [0.0, 0.0]
    assert max(scores) <= ranker.nowhere


def test_words_of_the_lead_find_a_place_where_the_target_is_not_named() -> None:
    page = article("Ships sail the sea.", "The driver of the train waits until the block is free.", "Planes fly.")
    assert order(BM25Ranker().score(SIGNAL, page))[0] == 1


def test_inflected_words_meet() -> None:
    page = article("Кораблі пливуть морем.", "Водій стежить за сигналами.", "Літаки летять.", language="uk")
    assert order(BM25Ranker().score(Entity("Сигнал"), page))[0] == 1


def test_words_meet_in_scripts_without_spaces() -> None:
    page = article("船は海を行く。", "列車は信号機の前で止まる。", "飛行機は飛ぶ。", language="ja")
    assert order(BM25Ranker().score(Entity("信号機"), page))[0] == 1


def test_the_neighbours_of_a_good_place_are_better_than_the_rest() -> None:
    page = article(*["Ships sail."] * 8, "A signal stands.", *["Ships sail."] * 8)
    scores = BM25Ranker().score(SIGNAL, page)
    assert order(scores)[:3] == [8, 7, 9]
    assert scores[6] < scores[7]
    assert scores[0] == 0.0


def test_chance_depends_on_seed_entity_and_page() -> None:
    page = article(*["Ships sail."] * 5)
    scores = RandomRanker().score(SIGNAL, page)
    assert scores != RandomRanker(seed=1).score(SIGNAL, page)
    assert scores != RandomRanker().score(Entity("Zebra"), page)
    assert scores != RandomRanker().score(SIGNAL, replace(page, title="Sea"))


def test_chance_is_right_once_in_as_many_times_as_there_are_places() -> None:
    page = article(*["Ships sail."] * 10)
    hits = sum(order(RandomRanker(seed).score(SIGNAL, page))[0] == 3 for seed in range(2000))
    assert 150 < hits < 250
