import pytest
from tests.ranking.lexical_pages import SIGNAL, article, order

from linkspot.ranking.bm25 import BM25Ranker
from linkspot.ranking.string_match import StringMatchRanker
from linkspot.records import Article, Entity


def places(entity: Entity, page: Article) -> tuple[float, ...]:
    return BM25Ranker().score(entity, page).places


@pytest.mark.parametrize("ranker", [StringMatchRanker(), BM25Ranker(context_weight=0)])
def test_of_equal_places_the_earlier_is_better(ranker: StringMatchRanker | BM25Ranker) -> None:
    scores = ranker.score(SIGNAL, article(*["The Signal stands."] * 4)).places
    assert order(scores) == [0, 1, 2, 3]
    assert len(set(scores)) == 4


@pytest.mark.parametrize("ranker", [StringMatchRanker(), BM25Ranker()])
def test_a_page_without_a_word_of_the_target_is_nowhere(ranker: StringMatchRanker | BM25Ranker) -> None:
    scores = ranker.score(Entity("Zebra"), article("Trains run.", "Buses do not."))
    assert scores.places == (0.0, 0.0)
    assert max(scores.places) <= scores.nowhere


def test_words_of_the_lead_find_a_place_where_the_target_is_not_named() -> None:
    page = article("Ships sail the sea.", "The driver of the train waits until the block is free.", "Planes fly.")
    assert order(places(SIGNAL, page))[0] == 1


def test_inflected_words_meet() -> None:
    page = article("Кораблі пливуть морем.", "Водій стежить за сигналами.", "Літаки летять.", language="uk")
    assert order(places(Entity("Сигнал"), page))[0] == 1


def test_words_meet_in_scripts_without_spaces() -> None:
    page = article("船は海を行く。", "列車は信号機の前で止まる。", "飛行機は飛ぶ。", language="ja")
    assert order(places(Entity("信号機"), page))[0] == 1


def test_the_neighbours_of_a_good_place_are_better_than_the_rest() -> None:
    page = article(*["Ships sail."] * 8, "A signal stands.", *["Ships sail."] * 8)
    scores = places(SIGNAL, page)
    assert order(scores)[:3] == [8, 7, 9]
    assert scores[6] < scores[7]
    assert scores[0] == 0.0
