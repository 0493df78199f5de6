import math
from pathlib import Path

import pytest
from tests.stored_evaluation import Query, Ranked, write_evaluation

from linkspot.evaluation.figures import Figures, Metric
from linkspot.evaluation.stored import Evaluation
from linkspot.experiments.paper_figures import FIGURES, PaperFigure, PaperTable
from linkspot.experiments.result_tables import (
    Contest,
    count_table,
    difference_table,
    difference_with_margin,
    summary_table,
    variant_table,
)
from linkspot.metrics.slices import MAIN_SLICES, OVERALL
from linkspot.records import Scenario
from linkspot.reporting.cells import Estimate

QUERIES = [Query("en", Scenario.TEXT_PRESENT, 2, (0,))] * 20 + [Query("sw", Scenario.MISSING_SPAN, 2, (1,))] * 20
GOOD = [[1.0, 0.0]] * 20 + [[0.0, 1.0]] * 20
BAD = [[0.0, 1.0]] * 20 + [[1.0, 0.0]] * 20
HALF = [[1.0, 0.0]] * 20 + [[1.0, 0.0]] * 20


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    rankers = {"good": Ranked(GOOD), "bad": Ranked(BAD), "half": Ranked(HALF)}
    folder = write_evaluation(tmp_path / "evaluation", QUERIES, rankers)
    return Contest(Figures.of(Evaluation.open(folder)), "good", draws=999)


def test_every_variant_is_compared_with_the_reference_alone(contest: Contest) -> None:
    pairs = contest.pairs()[OVERALL, Metric.HITS_AT_1]
    assert [{pair.a, pair.b} for pair in pairs] == [{"good", "bad"}, {"good", "half"}]
    # Two pairs are corrected for, not the three there are: the smallest p counts twice.
    assert min(pair.p_corrected for pair in pairs) == pytest.approx(2 * min(pair.p for pair in pairs))


def test_differences_are_figures_less_those_of_the_reference(contest: Contest) -> None:
    table = difference_table(contest, contest.pairs())
    rows = {(row[0], row[1]): row[2:] for row in table.rows}
    assert set(rows) == {(name, ranker) for name in ("Hits@1", "MRR") for ranker in ("bad", "half")}
    found = rows["Hits@1", "half"]
    estimates = [found[0], found[2], found[4]]
    assert [one.value for one in estimates if isinstance(one, Estimate)] == pytest.approx([-0.5, 0.0, -1.0])
    assert isinstance(found[1], float)
    assert found[1] < 0.05
    assert found[3] == 1.0


def test_the_papers_figures_stand_apart_beside_the_method_of_the_same_name(contest: Contest) -> None:
    summary = summary_table(contest, contest.pairs())
    table = variant_table(summary, PaperTable.LANGUAGES, {"good": "xLocEI", "half": "a method of ours"})
    assert [column.group for column in table.columns[-3:]] == ["the paper, on other data:"] * 3
    theirs = {row[0]: row[-3:] for row in table.rows}
    assert theirs == {"good": (0.726, 0.909, 0.579), "bad": (None,) * 3, "half": (None,) * 3}
    assert "other pages and other edits" in table.note
    assert len(variant_table(summary, None, {}).columns) == 1 + 2 * len(MAIN_SLICES)


def test_a_difference_is_written_with_its_sign_and_margin() -> None:
    assert difference_with_margin(Estimate(-0.0123, -0.04, 0.02)) == "−.012 ±.030"
    assert difference_with_margin(Estimate(0.5, 0.4, 0.6)) == "+.500 ±.100"


def test_counts_end_with_their_sums() -> None:
    table = count_table("data", "Data", {"train": {"en": 2, "sw": 3}, "test": {"en": 5}})
    assert table.rows == (("en", 2, 5), ("sw", 3, 0), ("total", 5, 5))


def test_the_papers_figures_are_those_it_gives() -> None:
    assert FIGURES[PaperTable.LANGUAGES]["BM25"] == PaperFigure(0.508, 0.799, 0.280)
    assert FIGURES[PaperTable.ENGLISH]["GPT-4"] == PaperFigure(0.370, 0.833, 0.224)
    with pytest.raises(ValueError, match="between 0 and 1"):
        PaperFigure(math.inf, 0.5, 0.5)
