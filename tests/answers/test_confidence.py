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


def test_it_takes_twice_the_odds_to_say_nowhere_or_to_have_no_doubt() -> None:
    likely, unlikely = math.log(2) + 1e-6, -math.log(2) - 1e-6
    assert [Confidence.of([logit]).says_nowhere for logit in (unlikely, 0.0, likely)] == [True, False, False]
    assert [Confidence.of([logit]).is_doubtful for logit in (unlikely, 0.0, likely)] == [False, True, False]


def test_a_page_without_places_has_none() -> None:
    assert Confidence.of([]) == Confidence((), 1.0)
    assert Confidence.of([]).says_nowhere


def test_large_logits_do_not_overflow() -> None:
    assert Confidence.of([1e4, 1e4]).places == (0.5, 0.5)
    assert Confidence.of([-1e4]).nowhere == 1
