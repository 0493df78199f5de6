import csv
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.stored_evaluation import Query, Ranked, some_evaluation, write_evaluation

from linkspot.errors import MissingExtra, UnknownRanker, UnusableInput
from linkspot.evaluation.compare import ComparisonOptions, ComparisonReport, compare, find
from linkspot.evaluation.figures import Figures, Metric
from linkspot.evaluation.stored import Evaluation
from linkspot.metrics.slices import NOWHERE_SLICE, OVERALL
from linkspot.records import Scenario

OPTIONS = ComparisonOptions(draws=999)
IN_PAGE = "main slices pairs nowhere languages page_length mentions calibration".split()
PLOTS = "languages page_length mentions calibration".split()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return some_evaluation(tmp_path_factory.mktemp("evaluation") / "results")


@pytest.fixture(scope="module")
def report(folder: Path) -> ComparisonReport:
    return compare(folder, options=OPTIONS)


@pytest.fixture(scope="module")
def out(report: ComparisonReport, folder: Path) -> Path:
    assert report.name == "results"
    return folder / "comparison"


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _marks(report: ComparisonReport) -> dict[str, list[str]]:
    return {row.cells[0].text: [cell.mark for cell in row.cells[1:]] for row in report.main.shown()}


def test_tables_and_plots_are_written_into_the_evaluation(out: Path) -> None:
    assert sorted(path.name for path in out.iterdir()) == sorted(
        [
            "comparison.md",
            *(f"{name}.csv" for name in (*IN_PAGE, "figures", "reliability")),
            *(f"{name}.tex" for name in IN_PAGE),
            *(f"{name}.{ending}" for name in PLOTS for ending in ("png", "svg")),
        ]
    )


def test_an_evaluation_can_still_be_read_beside_its_report(out: Path) -> None:
    assert list(Evaluation.open(out.parent).rankings) == ["good", "fair", "twin"]


def test_the_main_table_holds_macro_means(out: Path, folder: Path) -> None:
    rows = {row["ranker"]: row for row in _rows(out / "main.csv")}
    figures = Figures.of(Evaluation.open(folder))
    for ranker in ("good", "fair", "twin"):
        figure = figures.figure(ranker, Metric.MRR, OVERALL)
        assert figure is not None
        found = [float(rows[ranker][key]) for key in ("overall_mrr", "overall_mrr_low", "overall_mrr_high")]
        assert found == pytest.approx([figure.value, figure.interval.low, figure.interval.high], abs=1e-6)
    assert list(rows["good"])[1::3] == [
        f"{part}_{metric}" for part in ("overall", "present", "missing") for metric in ("hits@1", "mrr")
    ]


def test_the_best_is_marked_against_the_best_of_the_others(report: ComparisonReport) -> None:
    assert _marks(report) == {"good": ["†"] * 6, "fair": [""] * 6, "twin": [""] * 6}


def test_rankers_are_marked_against_the_one_that_is_named(folder: Path) -> None:
    assert _marks(find(folder, replace(OPTIONS, against="fair"))) == {
        "good": ["†"] * 6,
        "fair": [""] * 6,
        "twin": [""] * 6,
    }
    assert _marks(find(folder, replace(OPTIONS, against="good"))) == {
        "good": [""] * 6,
        "fair": ["*"] * 6,
        "twin": ["*"] * 6,
    }


def test_every_pair_is_compared_in_every_slice(out: Path) -> None:
    rows = _rows(out / "pairs.csv")
    slices = ["Overall", "Present", "Missing", "missing mention", "missing sentence", "missing span"]
    assert [(row["slice"], row["metric"]) for row in rows[::3]] == [
        (part, metric) for part in slices for metric in ("Hits@1", "MRR")
    ]
    assert [(row["ranker_a"], row["ranker_b"]) for row in rows[:3]] == [
        ("good", "fair"),
        ("good", "twin"),
        ("fair", "twin"),
    ]
    assert [float(row["p"]) for row in rows[:3]] == [0.001, 0.001, 1.0]
    assert [float(row["p_corrected"]) for row in rows[:3]] == [0.003, 0.003, 1.0]
    assert float(rows[2]["difference"]) == 0


def test_all_figures_are_there_by_language(out: Path) -> None:
    rows = _rows(out / "figures.csv")
    overall = [row for row in rows if (row["ranker"], row["slice"]) == ("good", "Overall")]
    assert [row["language"] for row in overall] == ["macro", "micro", "en", "ja", "sw"]
    macro, micro, *languages = overall
    means = [float(row["mrr"]) for row in languages]
    sizes = [int(row["queries"]) for row in languages]
    assert float(macro["mrr"]) == pytest.approx(sum(means) / 3, abs=2e-6)
    weighted = sum(mean * size for mean, size in zip(means, sizes, strict=True))
    assert float(micro["mrr"]) == pytest.approx(weighted / sum(sizes), abs=2e-6)
    assert int(micro["queries"]) == sum(sizes)
    assert len(rows) == 3 * 7 * 5


def test_queries_without_a_right_place_are_told_of_in_a_table_of_their_own(out: Path, folder: Path) -> None:
    good, fair, twin = _rows(out / "nowhere.csv")
    figures = Figures.of(Evaluation.open(folder))
    counts = [len(figures.queries(part)) for part in (NOWHERE_SLICE, OVERALL)]
    assert [int(good["missing_section_queries"]), int(good["overall_queries"])] == counts
    assert sum(counts) == 300
    assert float(good["missing_section_nowhere"]) == float(fair["missing_section_nowhere"]) > 0
    assert float(good["overall_nowhere"]) < float(fair["overall_nowhere"])
    assert float(twin["missing_section_nowhere"]) == 0  # all of its scores are above what it asks for


def test_the_page_has_every_table_and_plot(out: Path) -> None:
    page = (out / "comparison.md").read_text(encoding="utf-8")
    assert "of the rankings in `results`, with the seed 0." in page
    assert page.count("\n## ") == len(IN_PAGE)
    for name in PLOTS:
        assert f"]({name}.svg)" in page
    assert "those of twin are not" in page  # no probabilities
    assert "† better than the best of the others by more than chance (p < .05, corrected for" in page


def test_stretches_of_pages_add_up_to_all_queries(out: Path) -> None:
    for name in ("page_length", "mentions"):
        rows = _rows(out / f"{name}.csv")
        assert [row["ranker"] for row in rows[:4]] == ["good", "fair", "twin", "chance"]
        assert sum(int(row["queries"]) for row in rows[::4]) == int(_rows(out / "nowhere.csv")[0]["overall_queries"])
        assert all(row["hits@1_low"] == "" for row in rows[3::4])


def test_probabilities_are_judged_for_logits_alone(out: Path) -> None:
    rows = _rows(out / "calibration.csv")
    assert [(row["ranker"], row["queries"]) for row in rows] == [("good", "300"), ("fair", "300")]
    bins = [row for row in _rows(out / "reliability.csv") if (row["ranker"], row["of"]) == ("good", "nowhere")]
    assert sum(int(row["queries"]) for row in bins) == 300
    right = sum(int(row["queries"]) * float(row["share_right"]) for row in bins)
    assert round(right) == int(_rows(out / "nowhere.csv")[0]["missing_section_queries"])
    gaps = [int(row["queries"]) * abs(float(row["mean_probability"]) - float(row["share_right"])) for row in bins]
    assert sum(gaps) / 300 == pytest.approx(float(rows[0]["ece_of_nowhere"]), abs=1e-5)


def test_the_same_rankings_and_seed_give_the_same_report(out: Path, folder: Path, tmp_path: Path) -> None:
    compare(folder, tmp_path / "again", OPTIONS)
    for path in out.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes(), path.name


def test_other_metrics_can_be_asked_for(folder: Path) -> None:
    found = find(folder, replace(OPTIONS, metrics=(Metric.NDCG,), draws=99))
    assert [column.heading for column in found.main.columns] == [
        "ranker",
        "Overall NDCG",
        "Present NDCG",
        "Missing NDCG",
    ]


def test_one_ranker_alone_has_tables_and_no_significance(tmp_path: Path) -> None:
    queries = [Query("en", Scenario.TEXT_PRESENT, 3, (0,))] * 4
    folder = write_evaluation(tmp_path / "one", queries, {"only": Ranked([[1.0, 0.0, 0.0]] * 4)})
    found = compare(folder, options=OPTIONS)
    assert _marks(found) == {"only": [""] * 6}
    assert "There is only one ranker" in found.main.note
    assert "Missing: 0 queries in 0 languages" in found.main.note
    assert _rows(folder / "comparison" / "pairs.csv") == []
    assert [cell.text for cell in next(found.main.shown()).cells] == ["only", *["1.000"] * 4, "–", "–"]
    names = {path.name for path in (folder / "comparison").iterdir()}
    assert "calibration.svg" not in names
    assert {"languages.svg", "main.tex"} <= names


def test_queries_without_a_right_place_alone_are_no_reason_to_fail(tmp_path: Path) -> None:
    queries = [Query("en", Scenario.MISSING_SECTION, 2, ())] * 3
    rankers = {name: Ranked([[1.0, 0.0]] * 3, are_logits=True) for name in ("a", "b")}
    folder = write_evaluation(tmp_path / "nowhere", queries, rankers)
    found = compare(folder, options=OPTIONS)
    assert [cell.text for cell in next(found.main.shown()).cells] == ["a", *["–"] * 6]
    assert _rows(folder / "comparison" / "nowhere.csv")[0]["missing_section_queries"] == "3"


def test_a_plot_that_no_longer_holds_goes(tmp_path: Path) -> None:
    compare(some_evaluation(tmp_path / "a", 40), tmp_path / "out", OPTIONS)
    compare(some_evaluation(tmp_path / "b", 40, are_logits=False), tmp_path / "out", OPTIONS)
    assert not (tmp_path / "out" / "calibration.svg").exists()
    assert "calibration.svg" not in (tmp_path / "out" / "comparison.md").read_text(encoding="utf-8")


def test_rankers_that_are_not_through_are_told(tmp_path: Path) -> None:
    folder = some_evaluation(tmp_path / "results", 40)
    (folder / "rankings" / "twin").rename(folder / "rankings" / ".twin.shards")
    assert find(folder, OPTIONS).notes == ("Left out, since not all queries are ranked yet: twin.",)
    for label in ("good", "fair"):
        (folder / "rankings" / label).rename(folder / "rankings" / f".{label}.shards")
    with pytest.raises(UnusableInput, match="holds no complete rankings; run 'linkspot evaluate'"):
        find(folder, OPTIONS)


def test_too_few_draws_to_tell_anything_are_told(folder: Path) -> None:
    (note,) = find(folder, replace(OPTIONS, draws=20)).notes
    assert note == "With 20 draws and 3 pairs no corrected p is below 0.14: draw at least 60 times."
    assert find(folder, replace(OPTIONS, draws=60)).notes == ()


def test_a_ranker_that_is_not_there_is_refused(folder: Path) -> None:
    with pytest.raises(UnknownRanker, match="holds no complete rankings of 'best'; there are: good, fair, twin"):
        find(folder, replace(OPTIONS, against="best"))


def test_without_matplotlib_the_tables_are_written_and_the_remedy_is_told(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"pip install 'linkspot\[plots\]'"):
        compare(folder, tmp_path, OPTIONS)
    assert {"main.tex", "comparison.md", "figures.csv"} <= {path.name for path in tmp_path.iterdir()}
    assert ".svg" not in (tmp_path / "comparison.md").read_text(encoding="utf-8")


def test_progress_shows_how_far_the_work_is(folder: Path) -> None:
    updates: list[tuple[float, int]] = []

    class Stage:
        def update(self, share: float, pairs: int) -> None:
            updates.append((share, pairs))

    class Notes:
        def stage(self, name: str, /) -> Stage:
            assert name == "significance"
            return Stage()

    find(folder, replace(OPTIONS, draws=99), Notes())  # type: ignore[arg-type]
    assert updates[-1] == (1.0, 36)
    assert updates == sorted(updates)
