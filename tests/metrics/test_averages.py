import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.metrics.averages import Average, Strata, mean

LANGUAGES = ["en", "sw", "en", "en", "ja", "ja"]
VALUES = [1.0, 0.5, 0.0, 1.0, 0.0, 0.25]


def test_every_language_counts_alike_in_macro_and_every_query_in_micro() -> None:
    assert mean(VALUES, LANGUAGES) == pytest.approx((2 / 3 + 0.5 + 0.125) / 3)
    assert mean(VALUES, LANGUAGES, Average.MICRO) == pytest.approx(2.75 / 6)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 1)), min_size=1), st.sampled_from(Average))
def test_weights_give_the_same_mean(queries: list[tuple[str, float]], average: Average) -> None:
    groups, values = zip(*queries, strict=True)
    strata = Strata.of(groups, average)
    assert strata.weights.sum() == pytest.approx(1)
    assert strata.weights @ np.array(values) == pytest.approx(strata.mean(values), abs=1e-12)


def test_values_are_split_by_language() -> None:
    assert [found.tolist() for found in Strata.of(LANGUAGES).split(VALUES)] == [[1, 0, 1], [0, 0.25], [0.5]]


def test_values_that_are_missing_or_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="the group of each query"):
        mean([], [])
    with pytest.raises(ValueError, match=r"\(5,\) values for 6 queries"):
        mean(VALUES[1:], LANGUAGES)
    with pytest.raises(ValueError, match="query 2 is not a number"):
        mean([1, 0, math.nan], ["en", "en", "sw"])
