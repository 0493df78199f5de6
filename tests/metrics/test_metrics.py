import math
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from bench.metrics_speed import METRICS, ours, theirs
from hypothesis import given, settings
from hypothesis import strategies as st

import linkspot.metrics.metrics as metrics
from linkspot.metrics.metrics import (
    RightRanks,
    expected_hits_of_chance,
    expected_reciprocal_rank_of_chance,
    hits_at,
    ndcg,
    reciprocal_rank,
    right_ranks,
)

Query = tuple[Sequence[float], Collection[int]]

#: Scores are few, so that many are equal, and some are infinite.
queries = st.lists(st.sampled_from([-math.inf, -1.0, -0.0, 0.0, 0.5, 2.0, math.inf]), max_size=12).flatmap(
    lambda scores: st.tuples(
        st.just(scores), st.sets(st.integers(0, len(scores) - 1)) if scores else st.just(set[int]())
    )
)


def ranks_of(*asked: Query) -> list[list[int]]:
    ranks = RightRanks.of(asked)
    return [ranks.ranks[start:end].tolist() for start, end in zip(ranks.starts, ranks.starts[1:], strict=False)]


def in_order(scores: Sequence[float], gold: Collection[int]) -> list[bool]:
    """Whether each place of a ranking, from the first on, holds a right candidate: the plain way."""
    return [number in gold for number in sorted(range(len(scores)), key=lambda n: (-scores[n], n in gold))]


def test_the_best_score_stands_first() -> None:
    ranks = RightRanks.of([([0.1, 0.9, 0.5], {2})])
    assert ranks.ranks.tolist() == [2]
    assert [hits_at(ranks, 1).item(), hits_at(ranks, 2).item(), reciprocal_rank(ranks).item()] == [0.0, 1.0, 0.5]


def test_ties_count_against_the_ranker() -> None:
    assert ranks_of(([1.0, 1.0, 1.0], {0}), ([1.0, 1.0, 0.0], {0, 2})) == [[3], [2, 3]]
    assert ranks_of(([math.inf, math.inf], {0}), ([-math.inf, -math.inf], {1})) == [[2], [2]]


def test_right_candidates_with_one_score_stand_one_after_another() -> None:
    assert ranks_of(([1.0, 1.0, 1.0, 2.0], {0, 2})) == [[3, 4]]


def test_any_of_several_right_answers_counts() -> None:
    assert reciprocal_rank(RightRanks.of([([0.3, 0.2, 0.1], {0, 2})])).tolist() == [1.0]


def test_a_query_without_an_answer_scores_nothing_and_stays_in_its_place() -> None:
    ranks = RightRanks.of([([], ()), ([2.0, 1.0], (1,)), ([0.5, 0.4], ()), ([3.0], (0,)), ([], ())])
    assert len(ranks) == 5
    assert ranks.first.tolist() == [0, 2, 0, 1, 0]
    assert ranks.counts.tolist() == [0, 1, 0, 1, 0]
    assert hits_at(ranks, 5).tolist() == [0, 1, 0, 1, 0]
    assert reciprocal_rank(ranks).tolist() == [0, 0.5, 0, 1, 0]
    assert ndcg(ranks).tolist() == pytest.approx([0, 1 / math.log2(3), 0, 1, 0])


def test_no_queries_have_no_figures() -> None:
    for asked in ([], [([0.5], ())]):
        ranks = RightRanks.of(asked)
        assert [values.tolist() for values in (hits_at(ranks, 1), reciprocal_rank(ranks), ndcg(ranks))] == [
            [0.0] * len(asked)
        ] * 3


def test_ndcg_is_one_for_the_best_order_and_follows_its_formula() -> None:
    ranks = RightRanks.of([([3, 2, 1], {0, 1}), ([2, 1], {1}), ([3, 2, 1], {0, 2})])
    assert ndcg(ranks)[0] == 1.0
    assert ndcg(ranks).tolist() == pytest.approx([1, 1 / math.log2(3), (1 + 1 / 2) / (1 + 1 / math.log2(3))])


def test_a_score_that_is_no_number_is_refused_with_its_place() -> None:
    with pytest.raises(ValueError, match="candidate 1 of query 2 is not a number and cannot be ranked"):
        RightRanks.of([([1.0], {0}), ([], ()), ([0.0, math.nan], ())])


@pytest.mark.parametrize(
    ("scores", "score_starts", "gold", "gold_starts", "message"),
    [
        ([1.0, 2.0], [0, 2], [2], [0, 1], "query 0 has 2 candidates; number 2 cannot be a right one"),
        ([1.0, 2.0], [0, 1, 2], [0, -1], [0, 1, 2], "query 1 has 1 candidates; number -1 cannot"),
        ([1.0, 2.0], [0, 2], [1, 1], [0, 2], "named twice"),
        ([1.0, 2.0], [0, 2], [0], [0, 1, 1], "scores for 1 queries, but right candidates for 2"),
        ([1.0, 2.0], [0, 1], [0], [0, 1], "the starts of 2 scores must ascend"),
        ([1.0, 2.0], [0, 2, 1, 2], [0], [0, 1, 1, 1], "the starts of 2 scores must ascend"),
        ([1.0, 2.0], [0, 2], [0], [1, 1], "the starts of 1 right candidates must ascend"),
        ([], [], [], [], "the starts of 0 scores must ascend"),
    ],
)
def test_batches_that_do_not_fit_together_are_refused(
    scores: list[float], score_starts: list[int], gold: list[int], gold_starts: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        right_ranks(scores, score_starts, gold, gold_starts)


@pytest.mark.parametrize("ranks", [[0], [1, 1], [3, 2]])
def test_ranks_that_cannot_be_are_refused(ranks: list[int]) -> None:
    with pytest.raises(ValueError, match="ascend"):
        RightRanks(np.array(ranks), np.array([0, len(ranks)]))
    RightRanks(np.array([3, 2]), np.array([0, 1, 2]))  # of two queries


@given(st.lists(queries, max_size=6))
def test_a_batch_gives_what_sorting_each_query_gives(asked: list[Query]) -> None:
    orders = [in_order(scores, gold) for scores, gold in asked]
    ranks = RightRanks.of(asked)
    assert ranks_of(*asked) == [[place for place, right in enumerate(order, 1) if right] for order in orders]
    for k in (1, 3, 5):
        assert hits_at(ranks, k).tolist() == [float(any(order[:k])) for order in orders]
    assert reciprocal_rank(ranks).tolist() == [1 / (order.index(True) + 1) if any(order) else 0 for order in orders]
    gains = [[1 / math.log2(place + 1) for place, right in enumerate(order, 1) if right] for order in orders]
    bests = [sum(1 / math.log2(place + 1) for place in range(1, sum(order) + 1)) for order in orders]
    expected = [sum(gain) / best if best else 0 for gain, best in zip(gains, bests, strict=True)]
    assert ndcg(ranks).tolist() == pytest.approx(expected)


@given(queries.filter(lambda query: len(query[1]) > 0))
def test_more_is_never_worse(query: Query) -> None:
    scores, gold = query
    ranks = RightRanks.of([query])
    assert 0 < ndcg(ranks).item() <= 1
    assert hits_at(ranks, 1) <= hits_at(ranks, 3) <= hits_at(ranks, len(scores)) == 1.0
    first = min(gold)
    raised = [math.inf if number == first else min(score, 9.0) for number, score in enumerate(scores)]
    assert reciprocal_rank(RightRanks.of([(raised, gold)])).item() == 1.0


def test_ranks_do_not_depend_on_how_much_is_compared_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    asked = [(random.integers(0, 4, size=n).astype(np.float32), {*range(0, n, 3)}) for n in range(1, 40)]
    at_once = ranks_of(*asked)
    for block in (1, 7, 100):
        monkeypatch.setattr(metrics, "_BLOCK", block)
        assert ranks_of(*asked) == at_once


@pytest.mark.slow  # ranx compiles its code for a minute; the tests above check each metric by hand
@pytest.mark.parametrize(("candidates", "right"), [(1, 1), (4, 2), (40, 1), (40, 5), (200, 3)])
def test_metrics_are_those_of_ranx_where_no_scores_are_equal(candidates: int, right: int) -> None:
    random = np.random.default_rng(candidates + right)
    scores, gold = (np.argsort(random.random((200, candidates)), axis=1) for _ in range(2))
    found, expected = (way(scores.astype(np.float64), gold[:, :right]) for way in (ours, theirs))
    for name, one, other in zip(METRICS, found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12, err_msg=name)


@settings(max_examples=40)
@given(st.integers(1, 9), st.data())
def test_chance_is_the_mean_over_all_orders(candidates: int, data: st.DataObject) -> None:
    gold, k = data.draw(st.integers(0, candidates)), data.draw(st.integers(1, 10))
    firsts = [min(places, default=None) for places in combinations(range(1, candidates + 1), gold)]
    hits = Fraction(sum(first is not None and first <= k for first in firsts), len(firsts))
    reciprocal = sum((Fraction(1, first) for first in firsts if first), Fraction()) / len(firsts)
    assert expected_hits_of_chance(candidates, gold, k) == pytest.approx(float(hits), abs=1e-12)
    assert expected_reciprocal_rank_of_chance(candidates, gold) == pytest.approx(float(reciprocal), abs=1e-12)


def test_chance_is_told_for_many_queries_at_once() -> None:
    candidates, gold = [4, 0, 10, 4], [1, 0, 5, 1]
    assert expected_hits_of_chance(candidates, gold).tolist() == [0.25, 0, 0.5, 0.25]
    harmonic = (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4
    found = expected_reciprocal_rank_of_chance(candidates, gold).tolist()
    assert [found[0], found[1], found[3]] == pytest.approx([harmonic, 0, harmonic])
