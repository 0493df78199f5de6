import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.metrics.calibration import Probabilities, Reliability
from linkspot.metrics.rankings import Lists, Ranking


def _ranking(scores: list[list[float]], nowhere: list[float], are_logits: bool = True) -> Ranking:
    starts = np.concatenate([[0], np.cumsum([len(one) for one in scores])])
    return Ranking(Lists(np.array([score for one in scores for score in one]), starts), np.array(nowhere), are_logits)


def test_probabilities_are_those_of_places_against_nowhere() -> None:
    found = Probabilities.of(_ranking([[np.log(3), np.log(2)], [], [1.0, 1.0]], [0.0, 0.0, 1.0]))
    assert found.best.tolist() == pytest.approx([3 / 6, 0, 1 / 3])
    assert found.nowhere.tolist() == pytest.approx([1 / 6, 1, 1 / 3])


def test_huge_scores_do_not_overflow() -> None:
    found = Probabilities.of(_ranking([[5000.0, 4000.0], [-5000.0], [-np.inf, -np.inf]], [0.0, 0.0, 0.0]))
    assert found.best.tolist() == pytest.approx([1, 0, 0])
    assert found.nowhere.tolist() == pytest.approx([0, 1, 1])


@given(st.lists(st.lists(st.floats(-30, 30), max_size=5), min_size=1, max_size=6), st.floats(-30, 30))
def test_what_is_neither_best_nor_nowhere_is_left_for_the_other_places(
    scores: list[list[float]], nowhere: float
) -> None:
    found = Probabilities.of(_ranking(scores, [nowhere] * len(scores)))
    for one, best, none in zip(scores, found.best, found.nowhere, strict=True):
        weights = np.exp(np.array([*one, nowhere]) - nowhere)
        assert none == pytest.approx(weights[-1] / weights.sum())
        assert best == pytest.approx(weights[:-1].max(initial=0) / weights.sum())


def test_scores_that_are_no_logits_have_no_probabilities() -> None:
    with pytest.raises(ValueError, match="are not logits"):
        Probabilities.of(_ranking([[1.0]], [0.0], are_logits=False))


def test_what_was_said_is_held_against_what_was_right() -> None:
    said = np.array([0.05, 0.07, 0.95, 1.0, 0.5, 0.1])
    found = Reliability.of(said, np.array([0, 1, 1, 1, 0, 0]))
    shown = [(one.low, one.high, one.queries, one.said, one.right) for one in found.bins]
    assert shown == [
        (0.0, 0.1, 2, pytest.approx(0.06), 0.5),
        (0.1, 0.2, 1, pytest.approx(0.1), 0),
        (0.5, 0.6, 1, 0.5, 0),
        (0.9, 1.0, 2, pytest.approx(0.975), 1),
    ]
    assert found.queries == 6
    assert found.error == pytest.approx((2 * 0.44 + 0.1 + 0.5 + 2 * 0.025) / 6)


def test_probabilities_that_come_true_have_almost_no_error() -> None:
    random = np.random.default_rng(0)
    said = random.random(50_000)
    assert Reliability.of(said, random.random(50_000) < said).error < 0.01
    assert Reliability.of(said, random.random(50_000) < said**2).error > 0.1
