import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.evaluation.metrics import expected_hits_of_chance, hits_at, ndcg, order_of, rank, reciprocal_rank


def test_the_best_score_stands_first() -> None:
    order = order_of([0.1, 0.9, 0.5], {2})
    assert order == [False, True, False]
    assert (rank(order), hits_at(order, 1), hits_at(order, 2), reciprocal_rank(order)) == (2, 0.0, 1.0, 0.5)


def test_ties_count_against_the_ranker() -> None:
    assert rank(order_of([1.0, 1.0, 1.0], {0})) == 3
    assert rank(order_of([1.0, 1.0, 0.0], {0, 2})) == 2


def test_any_of_several_right_answers_counts() -> None:
    assert reciprocal_rank(order_of([0.3, 0.2, 0.1], {0, 2})) == 1.0


def test_a_query_without_an_answer_scores_nothing() -> None:
    for order in (order_of([], set()), order_of([0.5, 0.4], set())):
        assert (rank(order), hits_at(order, 5), reciprocal_rank(order), ndcg(order)) == (None, 0.0, 0.0, 0.0)


def test_ndcg_is_one_for_the_best_order_and_follows_its_formula() -> None:
    assert ndcg([True, True, False]) == 1.0
    assert ndcg([False, True]) == pytest.approx(1 / math.log2(3))
    assert ndcg([True, False, True]) == pytest.approx((1 + 1 / 2) / (1 + 1 / math.log2(3)))


def test_a_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be ranked"):
        order_of([math.nan], {0})


queries = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=1, max_size=12).flatmap(
    lambda scores: st.tuples(st.just(scores), st.sets(st.integers(0, len(scores) - 1), min_size=1))
)


@given(queries)
def test_more_is_never_worse(query: tuple[list[float], set[int]]) -> None:
    scores, gold = query
    order = order_of(scores, gold)
    assert sum(order) == len(gold)
    assert 0 < reciprocal_rank(order) <= 1
    assert 0 < ndcg(order) <= 1
    assert hits_at(order, 1) <= hits_at(order, 3) <= hits_at(order, len(scores)) == 1.0
    raised = [score + 3 if number in gold else score for number, score in enumerate(scores)]
    assert reciprocal_rank(order_of(raised, gold)) == 1.0


@given(st.integers(1, 30), st.data())
def test_chance_is_the_mean_over_all_places(candidates: int, data: st.DataObject) -> None:
    gold = data.draw(st.sets(st.integers(0, candidates - 1), min_size=1))
    every_first = [
        hits_at(order_of([float(n == first) for n in range(candidates)], gold), 1) for first in range(candidates)
    ]
    assert sum(every_first) / candidates == pytest.approx(expected_hits_of_chance(candidates, len(gold)))
