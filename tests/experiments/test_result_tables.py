from pathlib import Path

import pytest
from tests.stored_evaluation import Query, Ranked, write_evaluation

from linkspot.evaluation.figures import Figures, Metric
from linkspot.evaluation.stored import Evaluation
from linkspot.experiments.experiment import PaperTable
from linkspot.experiments.paper_tables import (
    difference_of_data,
    is_by_scenario,
    paper_table,
    with_paper,
    with_papers_counts,
)
from linkspot.experiments.result_tables import (
    Contest,
    count_table,
    difference_table,
    difference_with_margin,
    scenario_table,
    summary_table,
)
from linkspot.metrics.slices import OVERALL
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


def test_a_step_is_compared_with_the_step_before_it(contest: Contest) -> None:
    steps = Contest(contest.figures, "good", ("bad", "half", "good"), draws=999)
    pairs = steps.pairs()
    assert [{pair.a, pair.b} for pair in pairs[OVERALL, Metric.HITS_AT_1]] == [{"good", "half"}, {"bad", "half"}]
    table = difference_table(steps, pairs)
    assert table.title == "Differences from the variant before"
    first, second = table.rows[:2]
    assert first[1:3] == ("half", "bad")
    assert second[1:3] == ("good", "half")
    assert [cell.value for cell in (first[3], second[3]) if isinstance(cell, Estimate)] == pytest.approx([0.5, 0.5])
    summary = summary_table(steps, pairs)
    marks = {row[0]: row[1].mark for row in summary.rows if isinstance(row[1], Estimate)}
    assert marks == {"bad": "", "half": "†", "good": "†"}  # each against the one before it, the first against none
    assert "than the variant before" in summary.note


def test_the_papers_figures_stand_apart_beside_the_method_of_the_same_name(contest: Contest) -> None:
    summary = summary_table(contest, contest.pairs())
    table = with_paper(summary, PaperTable.MAIN, {"good": "xLocEI", "half": "a method of ours"})
    groups = [column.group for column in table.columns[-6:]]
    assert groups == ["the paper, on other data: Hits@1"] * 3 + ["the paper, on other data: MRR"] * 3
    assert [column.name for column in table.columns[-6:]] == ["Overall", "Present", "Missing"] * 2
    theirs = {row[0]: row[-6:] for row in table.rows}
    none = (None,) * 6
    assert theirs == {"good": (0.726, 0.909, 0.579, 0.789, 0.929, 0.678), "bad": none, "half": none}
    assert "other pages and other edits" in table.note
    assert "macro over 20 Wikipedias" in table.note


def test_a_table_by_scenario_stands_beside_ours_by_scenario(contest: Contest) -> None:
    assert [table for table in PaperTable if is_by_scenario(table)] == [
        PaperTable.MODEL_SIZE,
        PaperTable.ROBERTA_VS_XLMR,
    ]
    table = with_paper(scenario_table(contest), PaperTable.ROBERTA_VS_XLMR, {"good": "XLM-RoBERTa BASE"})
    names = [column.heading for column in table.columns]
    assert names[1:3] == ["text present Hits@1", "text present MRR"]
    row = {row[0]: dict(zip(names, row, strict=True)) for row in table.rows}["good"]
    assert row["the paper, on other data: MRR missing sentence"] == 0.662
    own = row["missing span Hits@1"]
    assert isinstance(own, Estimate)
    assert own.value == 1.0


def test_the_papers_table_is_printed_whole_with_its_marks() -> None:
    table = paper_table(PaperTable.ENGLISH)
    rows = {row[0]: row[1:] for row in table.rows}
    assert len(rows) == 9
    assert rows["LocEI"] == (".677†", ".879", ".602†", ".741†", ".902", ".681†")
    assert rows["PRP-Allpair (GPT-4)"][0] == ".370"
    assert table.note.startswith("tab:multilingual_results_extra, the English Wikipedia;")
    assert "† p < .05, the best against the second best." in table.note


def test_what_differs_in_the_data_is_told() -> None:
    told = difference_of_data(PaperTable.LOSS, "12 queries in 1 language (sw) of trees")
    assert "the Simple English Wikipedia" in told
    assert "2023-10-01" in told
    assert "Here: 12 queries in 1 language (sw) of trees." in told


def test_the_papers_counts_stand_beside_ours_where_it_has_the_language() -> None:
    table = with_papers_counts(count_table("data", "Data", {"train": {"en-us": 2, "sw": 3}}))
    assert table.rows == (
        ("en-us", 2, None, None, None),
        ("sw", 3, 1_000_000, 1_100, 616),
        ("total", 5, None, None, None),
    )
    ours = count_table("data", "Data", {"train": {"en-us": 2}})
    assert with_papers_counts(ours) == ours


def test_a_difference_is_written_with_its_sign_and_margin() -> None:
    assert difference_with_margin(Estimate(-0.0123, -0.04, 0.02)) == "−.012 ±.030"
    assert difference_with_margin(Estimate(0.5, 0.4, 0.6)) == "+.500 ±.100"


def test_counts_end_with_their_sums() -> None:
    table = count_table("data", "Data", {"train": {"en": 2, "sw": 3}, "test": {"en": 5}})
    assert table.rows == (("en", 2, 5), ("sw", 3, 0), ("total", 5, 5))
