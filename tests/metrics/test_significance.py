from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import linkspot.metrics.significance as significance
from linkspot.metrics.averages import Average, mean
from linkspot.metrics.significance import holm, interval, p_value, paired

Floats = npt.NDArray[np.float64]


def reciprocal_ranks(queries: int, seed: int) -> Floats:
    return 1 / np.random.default_rng(seed).geometric(0.3, size=queries)


def groups(*sizes: int) -> list[str]:
    return [f"language {number}" for number, size in enumerate(sizes) for _ in range(size)]


# Intervals


@pytest.mark.parametrize("average", Average)
def test_an_interval_of_one_language_is_that_of_scipy(average: Average) -> None:
    values = reciprocal_ranks(300, 1)
    ours = interval(values, groups(300), seed=0, draws=20_000, average=average)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    assert [ours.low, ours.high] == pytest.approx([theirs.low, theirs.high], abs=0.002)
    assert ours.high - ours.low > 0.05


@pytest.mark.parametrize("average", Average)
def test_queries_are_drawn_inside_their_language(average: Average) -> None:
    values, languages = reciprocal_ranks(260, 2), groups(200, 50, 10)
    parts = np.split(values, [200, 250])
    shares = np.array([200, 50, 10]) / 260 if average is Average.MICRO else np.full(3, 1 / 3)
    theirs = stats.bootstrap(
        parts,
        lambda *drawn, axis: sum(share * part.mean(axis=axis) for share, part in zip(shares, drawn, strict=True)),
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    ours = interval(values, languages, seed=0, draws=20_000, average=average)
    assert [ours.low, ours.high] == pytest.approx([theirs.low, theirs.high], abs=0.003)


def test_an_interval_holds_the_true_mean_as_often_as_it_says() -> None:
    # Hits of three languages whose true rates are known, so that the true macro mean is .5.
    random = np.random.default_rng(5)
    languages, rates = groups(80, 60, 40), np.repeat([0.2, 0.5, 0.8], [80, 60, 40])
    held = 0
    for seed in range(300):
        found = interval((random.random(180) < rates).astype(float), languages, seed=seed, level=0.9, draws=500)
        held += found.low <= 0.5 <= found.high
    assert 0.84 < held / 300 < 0.96


def test_values_that_are_all_alike_leave_no_doubt() -> None:
    found = interval([0.5] * 5, groups(3, 2), seed=0, draws=50)
    assert [found.low, found.high] == pytest.approx([0.5, 0.5])


def test_a_higher_level_is_a_wider_interval() -> None:
    values = reciprocal_ranks(100, 3)
    narrow, wide = (interval(values, groups(60, 40), seed=0, level=level) for level in (0.5, 0.99))
    assert wide.low < narrow.low < mean(values, groups(60, 40)) < narrow.high < wide.high


# Paired randomisation


@pytest.mark.parametrize("shift", [0.0, 0.1, 0.4])
def test_p_of_few_queries_is_that_of_all_ways_to_swap(shift: float) -> None:
    a = np.random.default_rng(4).normal(shift, 0.4, size=12)
    exact = stats.permutation_test((a,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    assert p_value(a, np.zeros(12), groups(12), seed=0, draws=40_000) == pytest.approx(exact, abs=0.012)


def test_p_of_the_macro_mean_is_that_of_scipy() -> None:
    languages = groups(90, 20, 10)
    weights = 1 / 3 / np.repeat([90, 20, 10], [90, 20, 10])
    a, b = reciprocal_ranks(120, 8), np.minimum(1, reciprocal_ranks(120, 9) * 1.25)
    theirs = stats.permutation_test(
        (a - b,),
        lambda drawn, axis: (drawn * weights).sum(axis=axis),
        permutation_type="samples",
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    ).pvalue
    ours = p_value(a, b, languages, seed=0, draws=20_000)
    assert 0.01 < theirs < 0.9
    assert ours == pytest.approx(theirs, abs=0.015)
    assert abs(ours - p_value(a, b, languages, seed=0, draws=20_000, average=Average.MICRO)) > 0.02


def test_hits_that_differ_both_ways_have_the_p_of_a_sign_test() -> None:
    a, b = np.zeros(400), np.zeros(400)
    a[:25], b[25:37] = 1, 1
    exact = stats.binomtest(25, 37).pvalue
    assert p_value(a, b, groups(400), seed=0, draws=40_000) == pytest.approx(exact, abs=0.006)


def test_a_draw_as_large_as_the_observed_difference_counts_however_sums_are_rounded() -> None:
    steps = np.array([1, 2, 3, -3, 4, 7, -1, 6, -2])
    every_sum = np.array([steps @ signs for signs in product([-1, 1], repeat=9)])
    exact = np.mean(np.abs(every_sum) >= steps.sum())
    for step in (0.1, 1 / 3, 1 / 7, 1 / 30):
        found = p_value(steps * step, np.zeros(9), groups(9), seed=0, draws=20_000)
        assert found == pytest.approx(exact, abs=0.01)


def test_rankers_that_are_the_same_have_a_p_of_one() -> None:
    values = reciprocal_ranks(50, 1)
    assert p_value(values, values, groups(30, 20), seed=0) == 1
    swapped = np.array([1.0, 0.0, 1 / 3, 1 / 7] * 10), np.array([0.0, 1.0, 1 / 7, 1 / 3] * 10)
    assert p_value(*swapped, groups(20, 20), seed=0) == 1


def test_a_clear_difference_has_the_least_p_that_so_many_draws_can_tell() -> None:
    values = reciprocal_ranks(300, 1)
    assert p_value(values, values / 2, groups(200, 100), seed=0, draws=999) == 1 / 1000


def test_chance_alone_gives_small_p_as_seldom_as_it_should() -> None:
    found = [
        p_value(reciprocal_ranks(60, 2 * n), reciprocal_ranks(60, 2 * n + 1), groups(40, 20), seed=n, draws=300)
        for n in range(300)
    ]
    assert 0.02 < np.mean([p <= 0.05 for p in found]) < 0.09
    assert 0.42 < np.mean(found) < 0.58


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from([0, 1 / 3, 0.5, 1]), st.sampled_from([0, 1 / 3, 0.5, 1])),
        min_size=1,
        max_size=70,
    ),
    st.integers(0, 9),
)
def test_p_is_symmetric_and_follows_from_the_seed(queries: list[tuple[str, float, float]], seed: int) -> None:
    languages, a, b = zip(*queries, strict=True)
    found = p_value(a, b, languages, seed=seed, draws=200)
    assert 1 / 201 <= found <= 1
    assert found == p_value(b, a, languages, seed=seed, draws=200) == p_value(a, b, languages, seed=seed, draws=200)


def test_another_seed_draws_anew_and_the_same_one_does_not() -> None:
    a, b = reciprocal_ranks(80, 1), reciprocal_ranks(80, 2)
    assert len({p_value(a, b, groups(80), seed=seed, draws=500) for seed in (1, 2, 3, 4)}) > 1
    assert len({interval(a, groups(80), seed=seed, draws=500) for seed in (1, 2, 3, 4)}) == 4
    assert len({interval(a, groups(80), seed=1, draws=500) for _ in range(3)}) == 1


def test_results_do_not_depend_on_how_much_is_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = reciprocal_ranks(70, 1), reciprocal_ranks(70, 2)

    def found() -> tuple[object, ...]:
        return p_value(a, b, groups(50, 20), seed=3, draws=100), interval(a, groups(50, 20), seed=3, draws=100)

    at_once = found()
    monkeypatch.setattr(significance, "_BLOCK", 130)
    assert found() == at_once


# Many comparisons


@pytest.mark.parametrize(
    ("given_ps", "corrected"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.01, 0.02, 0.03, 0.04, 0.05], [0.05, 0.08, 0.09, 0.09, 0.09]),  # R: p.adjust(…, "holm")
        ([0.5, 0.9, 0.01], [1.0, 1.0, 0.03]),
        ([0.2], [0.2]),
        ([], []),
    ],
)
def test_holm_gives_known_values(given_ps: list[float], corrected: list[float]) -> None:
    assert holm(given_ps).tolist() == pytest.approx(corrected)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_never_lowers_a_p_keeps_their_order_and_is_at_most_bonferroni(ps: list[float]) -> None:
    found = holm(ps)
    assert (found >= ps).all()
    assert (found <= np.minimum(1, np.array(ps) * len(ps))).all()
    assert (np.diff(found[np.argsort(ps, kind="stable")]) >= 0).all()


def test_all_pairs_are_compared_in_the_order_of_the_rankers() -> None:
    languages = groups(60, 40)
    values = {"dual": reciprocal_ranks(100, 1), "bm25": reciprocal_ranks(100, 2), "random": np.zeros(100)}
    found = paired(values, languages, seed=7, draws=2_000)
    assert [(one.a, one.b) for one in found] == [("dual", "bm25"), ("dual", "random"), ("bm25", "random")]
    for one in found:
        assert one.difference == pytest.approx(mean(values[one.a], languages) - mean(values[one.b], languages))
        assert one.p == p_value(values[one.a], values[one.b], languages, seed=7, draws=2_000)
    assert [one.p_corrected for one in found] == holm([one.p for one in found]).tolist()
    assert found[0].p > 0.05 > found[1].p_corrected
    assert paired({"alone": np.zeros(100)}, languages, seed=7) == []


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\(4,\) values for 5 queries"):
        paired({"a": [0.0] * 5, "b": [0.0] * 4}, groups(5), seed=0)
    with pytest.raises(ValueError, match="between 0 and 1, not 95"):
        interval([0.0], groups(1), seed=0, level=95)
    with pytest.raises(ValueError, match="at least 1 draw"):
        p_value([0.0], [1.0], groups(1), seed=0, draws=0)
    with pytest.raises(ValueError, match="must be between 0 and 1"):
        holm([0.5, np.nan])
