import time
from pathlib import Path

import numpy as np
import pytest
from tests.stored_evaluation import Query, Ranked, write_evaluation

from linkspot.evaluation.figures import Figures, Metric
from linkspot.evaluation.stored import Evaluation
from linkspot.metrics.averages import Average
from linkspot.metrics.metrics import RightRanks, ndcg
from linkspot.metrics.rankings import Lists, Ranking
from linkspot.metrics.significance import interval, p_value
from linkspot.metrics.slices import MAIN_SLICES, NOWHERE_SLICE, OVERALL, SLICES, Slice
from linkspot.records import Scenario

_, PRESENT, MISSING = MAIN_SLICES
# The rank of the right place, the language and the scenario of each query; 0 where no place is right.
RANKS = [
    (1, "en", Scenario.TEXT_PRESENT),
    (2, "en", Scenario.TEXT_PRESENT),
    (1, "en", Scenario.MISSING_MENTION),
    (4, "en", Scenario.MISSING_SPAN),
    (1, "sw", Scenario.TEXT_PRESENT),
    (6, "sw", Scenario.MISSING_SENTENCE),
    (0, "sw", Scenario.MISSING_SECTION),
    (0, "ja", Scenario.MISSING_SECTION),
]


def _scores(rank: int) -> list[float]:
    """Ten candidates, of which number 7 has this rank; in the page without a right place no score is above 0."""
    scores = [float(10 - place) for place in range(10)] if rank else [0.0] * 10
    if rank:
        scores[rank - 1], scores[7] = scores[7], scores[rank - 1]
    return scores


@pytest.fixture
def figures(tmp_path: Path) -> Figures:
    queries = [Query(language, scenario, 10, (7,) if rank else ()) for rank, language, scenario in RANKS]
    rankers = {
        "good": Ranked([_scores(rank) for rank, _language, _scenario in RANKS]),
        "blind": Ranked([[0.0] * 10] * len(RANKS)),
    }
    return Figures.of(Evaluation.open(write_evaluation(tmp_path / "results", queries, rankers)))


def _value(figures: Figures, metric: Metric, part: Slice, of: str = Average.MACRO) -> float:
    figure = figures.figure("good", metric, part, of)
    assert figure is not None
    return figure.value


def test_every_metric_is_the_mean_of_its_queries(figures: Figures) -> None:
    assert _value(figures, Metric.HITS_AT_1, OVERALL, "en") == 0.5
    assert _value(figures, Metric.MRR, OVERALL, "en") == (1 + 1 / 2 + 1 + 1 / 4) / 4
    assert _value(figures, Metric.HITS_AT_3, OVERALL, "en") == 0.75
    assert _value(figures, Metric.HITS_AT_5, OVERALL, "en") == 1
    discounted = (1 + 1 / np.log2(3) + 1 + 1 / np.log2(5)) / 4
    assert _value(figures, Metric.NDCG, OVERALL, "en") == pytest.approx(discounted)


def test_slices_hold_the_queries_of_their_scenarios(figures: Figures) -> None:
    assert {part.name: len(figures.queries(part)) for part in SLICES} == {
        "Overall": 6,
        "Present": 3,
        "Missing": 3,
        "text present": 3,
        "missing mention": 1,
        "missing sentence": 1,
        "missing span": 1,
    }
    assert len(figures.queries(NOWHERE_SLICE)) == 2
    assert sum(len(figures.queries(Slice("", (scenario,)))) for scenario in Scenario) == len(RANKS)
    assert _value(figures, Metric.HITS_AT_1, MISSING, "en") == 0.5
    assert _value(figures, Metric.MRR, MISSING, "sw") == 1 / 6


def test_macro_counts_languages_alike_and_micro_queries(figures: Figures) -> None:
    assert _value(figures, Metric.MRR, OVERALL) == pytest.approx(((2.75 / 4) + (7 / 6) / 2) / 2)
    assert _value(figures, Metric.MRR, OVERALL, Average.MICRO) == pytest.approx((2.75 + 7 / 6) / 6)


def test_a_language_without_queries_of_a_slice_does_not_count(figures: Figures) -> None:
    assert figures.languages(OVERALL) == ("en", "sw")
    assert figures.languages(NOWHERE_SLICE) == ("ja", "sw")
    assert figures.figure("good", Metric.MRR, OVERALL, "ja") is None
    assert figures.figure("good", Metric.MRR, OVERALL, "xx") is None
    assert figures.queries(SLICES[-1], "sw").tolist() == []


def test_ties_count_against_the_ranker(figures: Figures) -> None:
    found = figures.figure("blind", Metric.MRR, OVERALL)
    assert found is not None
    assert (found.value, found.queries) == (pytest.approx(0.1), 6)


def test_rankers_are_told_for_saying_nowhere(figures: Figures) -> None:
    said = {
        (ranker, part.name): figure.value
        for ranker in figures.rankers
        for part in (OVERALL, NOWHERE_SLICE)
        if (figure := figures.says_nowhere(ranker, part))
    }
    assert said == {
        ("good", "Overall"): 0,
        ("good", "missing section"): 1,
        ("blind", "Overall"): 1,
        ("blind", "missing section"): 1,
    }


def _random(queries: int, rankers: int, languages: int = 4) -> Evaluation:
    """Many queries with some ten candidates, one or two of them right."""
    random = np.random.default_rng(7)
    candidates = random.integers(2, 20, queries)
    starts = np.concatenate([[0], np.cumsum(candidates)])
    right = random.integers(1, 3, queries)
    first = (random.random(queries) * (candidates - right + 1)).astype(np.int64)
    gold_starts = np.concatenate([[0], np.cumsum(right)])
    gold = np.repeat(first - gold_starts[:-1], right) + np.arange(gold_starts[-1])
    return Evaluation(
        tuple(f"l{number}" for number in range(languages)),
        random.integers(0, languages, queries).astype(np.int16),
        random.integers(0, 4, queries).astype(np.int16),
        random.integers(0, 11, queries),
        candidates,
        Lists(gold, gold_starts),
        {
            f"ranker {number}": Ranking(Lists(random.normal(size=starts[-1]), starts), np.zeros(queries))
            for number in range(rankers)
        },
    )


@pytest.mark.parametrize("metric", [Metric.HITS_AT_1, Metric.MRR, Metric.NDCG])
@pytest.mark.parametrize("of", [Average.MACRO, Average.MICRO, "l2"])
def test_an_interval_is_that_of_drawing_query_by_query(metric: Metric, of: str) -> None:
    figures = Figures.of(_random(400, 1))
    found = figures.figure("ranker 0", metric, OVERALL, of)
    queries = figures.queries(OVERALL, of)
    average = Average.MICRO if of == Average.MICRO else Average.MACRO
    values, groups = figures.values["ranker 0"][metric][queries], figures.evaluation.language[queries]
    exact = interval(values, groups, seed=1, draws=20_000, average=average)
    assert found is not None
    width = exact.high - exact.low
    assert [found.interval.low, found.interval.high] == pytest.approx([exact.low, exact.high], abs=width / 12)
    assert found.interval.low < found.value < found.interval.high


def test_low_values_that_are_all_near_each_other_still_have_an_interval() -> None:
    figures = Figures.of(_random(60, 1))
    values = np.linspace(0.001, 0.02, 60)
    found = figures.mean(values, figures.queries(OVERALL), Average.MICRO)
    assert found is not None
    assert found.value == pytest.approx(values.mean())
    assert found.interval.high - found.interval.low == pytest.approx(2 * 1.96 * values.std() / 60**0.5, rel=0.25)


def test_values_of_queries_with_several_right_places_are_those_of_the_metrics() -> None:
    evaluation = _random(50, 1)
    scores = evaluation.rankings["ranker 0"].scores
    one_by_one = [
        (scores.values[first:end], evaluation.gold.values[right:last].tolist())
        for first, end, right, last in zip(
            scores.starts, scores.starts[1:], evaluation.gold.starts, evaluation.gold.starts[1:], strict=False
        )
    ]
    found = Figures.of(evaluation).values["ranker 0"][Metric.NDCG]
    assert found.tolist() == pytest.approx(ndcg(RightRanks.of(one_by_one)).tolist())


def test_pairs_are_compared_on_the_same_queries_by_their_macro_means() -> None:
    figures = Figures.of(_random(300, 3), seed=5)
    found = figures.pairs(Metric.MRR, MISSING, 500)
    assert [(one.a, one.b) for one in found] == [
        ("ranker 0", "ranker 1"),
        ("ranker 0", "ranker 2"),
        ("ranker 1", "ranker 2"),
    ]
    a, b = (figures.figure(ranker, Metric.MRR, MISSING) for ranker in ("ranker 0", "ranker 1"))
    assert a is not None
    assert b is not None
    assert found[0].difference == pytest.approx(a.value - b.value)
    queries = figures.queries(MISSING)
    values = [figures.values[ranker][Metric.MRR][queries] for ranker in ("ranker 0", "ranker 1")]
    assert found[0].p == p_value(*values, figures.evaluation.language[queries], seed=5, draws=500)
    assert figures.pairs(Metric.MRR, NOWHERE_SLICE, 500) == []  # there are none of them here


def test_a_quarter_of_a_million_rankings_take_seconds() -> None:
    evaluation = _random(250_000, 1, languages=10)
    begin = time.process_time()
    figures = Figures.of(evaluation)
    for part in SLICES:
        for metric in Metric:
            assert figures.figure("ranker 0", metric, part)
    assert time.process_time() - begin < 15  # usually 1.5 s
