from pathlib import Path

import pytest
from tests.stored_evaluation import Query, Ranked, write_evaluation

from linkspot.evaluation.curves import MENTIONS, PAGE_LENGTHS, curve
from linkspot.evaluation.figures import Figures, Metric
from linkspot.evaluation.stored import Evaluation
from linkspot.records import Scenario

QUERIES = [
    Query("en", Scenario.TEXT_PRESENT, 2, (0,), 0),
    Query("en", Scenario.TEXT_PRESENT, 5, (0,), 7),
    Query("en", Scenario.TEXT_PRESENT, 5, (1, 2), 10),
    Query("sw", Scenario.TEXT_PRESENT, 1500, (3,), 400),
    Query("sw", Scenario.MISSING_SECTION, 30, (), 1),
]


@pytest.fixture
def figures(tmp_path: Path) -> Figures:
    scores = [[float(-place) for place in range(query.candidates)] for query in QUERIES]  # the first place is best
    return Figures.of(
        Evaluation.open(write_evaluation(tmp_path / "results", QUERIES, {"first": Ranked(scores)}, shard=2))
    )


def test_pages_are_sorted_by_length_and_only_those_with_a_right_place_count(figures: Figures) -> None:
    points = curve(figures, figures.evaluation.candidates, PAGE_LENGTHS, [Metric.HITS_AT_1, Metric.MRR])
    assert [(point.name, point.queries) for point in points] == [("1–5", 3), ("1,001+", 1)]
    assert points[0].figures["first", Metric.HITS_AT_1].value == pytest.approx(2 / 3)
    assert points[1].figures["first", Metric.MRR].value == pytest.approx(1 / 4)


def test_targets_are_sorted_by_mentions(figures: Figures) -> None:
    points = curve(figures, figures.evaluation.mentions, MENTIONS, [Metric.MRR])
    assert [(point.name, point.queries) for point in points] == [("0", 1), ("6–10", 2), ("11+", 1)]


def test_chance_is_told_where_there_is_a_formula(figures: Figures) -> None:
    point = curve(figures, figures.evaluation.candidates, PAGE_LENGTHS, list(Metric))[0]
    assert point.chance[Metric.HITS_AT_1] == pytest.approx((1 / 2 + 1 / 5 + 2 / 5) / 3)
    assert point.chance[Metric.HITS_AT_5] == 1
    assert Metric.NDCG not in point.chance
