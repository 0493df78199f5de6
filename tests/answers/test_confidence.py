import math

import pytest

from linkspot.answers.confidence import Confidence


def test_probabilities_of_places_and_nowhere_are_one_together() -> None:
    found = Confidence.of([2.0, 0.0, -1.0])
    assert sum(found.places) + found.nowhere == pytest.approx(1)
    assert found.places[0] / found.nowhere == pytest.approx(math.exp(2))
    assert found.places[1] == pytest.approx(found.nowhere)


def test_many_unlikely_places_together_make_a_page_that_has_one() -> None:
    assert Confidence.of([-2.0]).says_nowhere
    assert not Confidence.of([-2.0] * 20).says_nowhere


def test_nowhere_is_said_when_it_is_likelier_and_doubted_below() -> None:
    logits = [math.log(odds) for odds in (0.9, 1.1, 2.9, 3.1)]  # of the place against nowhere
    assert [Confidence.of([logit]).says_nowhere for logit in logits] == [True, False, False, False]
    assert [Confidence.of([logit]).is_doubtful for logit in logits] == [False, True, True, False]


def test_a_page_without_places_has_none() -> None:
    assert Confidence.of([]) == Confidence((), 1.0)
    assert Confidence.of([]).says_nowhere


def test_large_logits_do_not_overflow() -> None:
    assert Confidence.of([1e4, 1e4]).places == (0.5, 0.5)
    assert Confidence.of([-1e4]).nowhere == 1


def test_candidates_that_cannot_be_places_leave_their_share_to_the_others_not_to_nowhere() -> None:
    confidence = Confidence.of([1.0, 2.0, 3.0])
    without = confidence.without(frozenset({2}))
    assert without.nowhere == confidence.nowhere
    assert without.places[2] == 0
    assert sum(without.places) + without.nowhere == pytest.approx(1)
    assert without.places[1] / without.places[0] == pytest.approx(confidence.places[1] / confidence.places[0])
    assert confidence.without(frozenset()) is confidence
    assert confidence.without(frozenset({0, 1, 2})).places == (0, 0, 0)
