from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.progress_notes import ProgressNotes
from tests.tiny_encoders import tiny_encoder
from tests.tree_wiki import SPLIT, tree_folders

from linkspot.engines.engine import Engine, EngineSettings, open_engine
from linkspot.errors import UnusableInput
from linkspot.experiments.benchmark import ALONE, BenchmarkReport, BenchmarkSettings, run_benchmark
from linkspot.experiments.benchmark_corpora import CORPORA, HELD_OUT, BenchmarkCorpus, WikiKind
from linkspot.experiments.kind_tables import kind_table, stranger_table

Rows = Callable[[Path], list[dict[str, Any]]]
TREES = (BenchmarkCorpus("edits", "*.xml", "CC0", WikiKind.WIKI, SPLIT["edits"]),)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> BenchmarkSettings:
    data, engine = tmp_path_factory.mktemp("data"), open_engine("local", EngineSettings(1))
    tree_folders(data, engine)
    engine.close()
    encoder = tiny_encoder(tmp_path_factory.mktemp("encoder"))
    out = tmp_path_factory.mktemp("benchmark") / "out"
    return BenchmarkSettings(
        data, out, rankers={"again": "bm25"}, encoder=str(encoder), corpora=TREES, encyclopedias=()
    )


@pytest.fixture(scope="module")
def made(settings: BenchmarkSettings) -> tuple[BenchmarkReport, ProgressNotes]:
    notes, engine = ProgressNotes(), open_engine("local", EngineSettings(1))
    try:
        return run_benchmark(settings, engine, notes, "linkspot benchmark --out out"), notes
    finally:
        engine.close()


def test_a_benchmark_goes_from_dumps_to_a_report(made: tuple[BenchmarkReport, ProgressNotes]) -> None:
    report, notes = made
    assert notes.parts == [
        "insertions of edits",
        "the dataset",
        "Random",
        "String Match",
        "BM25",
        "Similarity",
        ALONE,
        "linkspot",
        "again",
    ]
    assert report.figures.rankers == ("Random", "String Match", "BM25", "Similarity", ALONE, "linkspot", "again")
    assert [row[0] for row in report.summary.rows] == list(report.figures.rankers)
    assert len(report.figures.evaluation) == 24
    page = report.write().read_text(encoding="utf-8")
    assert "linkspot benchmark --out out" in page
    assert "the paper, on other data" in page
    assert ".508" in page  # the paper's BM25


def test_the_figures_of_a_kind_of_wiki_stand_beside_what_rankers_say_of_strangers(
    made: tuple[BenchmarkReport, ProgressNotes],
) -> None:
    report, _ = made
    (kind,) = report.kinds
    assert kind.name == WikiKind.WIKI
    assert len(kind.figures.evaluation) == len(report.figures.evaluation)
    rows = {row[1]: row for row in kind_table(report.kinds).rows}
    assert set(rows) == set(report.figures.rankers)
    assert all(len(row) == 10 for row in rows.values())
    told = {row[1]: row for row in stranger_table(report.kinds).rows}
    assert told["BM25"][-1] is None  # its scores are no probabilities
    assert 0 <= told["linkspot"][-1] <= 1


def test_only_what_was_edited_late_enough_is_tested(
    made: tuple[BenchmarkReport, ProgressNotes], settings: BenchmarkSettings, rows: Rows
) -> None:
    assert made
    tests = rows(settings.out / "dataset" / "insertions" / "test")
    assert {row["after_time"].year for row in tests} == {2013, 2014}


def test_a_second_benchmark_finds_all_of_it_there(
    made: tuple[BenchmarkReport, ProgressNotes], settings: BenchmarkSettings, local: Engine
) -> None:
    files = {path: path.stat().st_mtime_ns for path in sorted(settings.out.rglob("*.parquet"))}
    notes = ProgressNotes()
    again = run_benchmark(settings, local, notes)
    assert not any(name.startswith("insertions") for name in notes.parts)
    assert {path: path.stat().st_mtime_ns for path in sorted(settings.out.rglob("*.parquet"))} == files
    assert again.summary.rows == made[0].summary.rows


def test_insertions_that_were_found_before_are_used(settings: BenchmarkSettings, local: Engine, tmp_path: Path) -> None:
    elsewhere = BenchmarkSettings(
        tmp_path / "no-data",
        tmp_path / "out",
        settings.data,
        encoder=settings.encoder,
        limit=3,
        corpora=TREES,
        encyclopedias=(),
    )
    report = run_benchmark(elsewhere, local, ProgressNotes())
    assert len(report.figures.evaluation) == 6
    assert not (tmp_path / "out" / "edits").exists()


def test_data_that_is_not_there_is_reported_in_one_line(local: Engine, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"has no openttd/\*.xz; name the folder of the wikis with --data"):
        run_benchmark(BenchmarkSettings(tmp_path, tmp_path / "out"), local, ProgressNotes())


def test_the_splits_are_those_that_everyone_uses() -> None:
    dates = {
        corpus.name: (f"{corpus.split.validation:%Y-%m-%d}", f"{corpus.split.test:%Y-%m-%d}") for corpus in CORPORA
    }
    assert dates["openttd-edits"] == ("2013-01-01", "2015-01-01")
    assert dates["mdn-edits"] == ("2025-09-01", "2025-12-01")
    assert dates["anarchism-edits"][0] == dates["anarchism-edits"][1] == "1-01-01"
    assert dates["archwiki-edits"] == ("2018-04-01", "2018-09-01")
    assert dates["freecad-edits"] == ("2023-01-01", "2023-07-01")
    assert dates["cpprefjp-edits"] == ("2020-11-01", "2024-07-01")
    assert dates["ethereum-edits"] == ("2024-01-01", "2024-07-01")
    assert HELD_OUT == ("ru", "ro", "hu", "tr", "ko", "ca", "pl", "zh-tw")


@pytest.mark.shared_data
def test_every_wiki_of_the_benchmark_is_found(shared_data: Path) -> None:
    found = {corpus.name: len(list(shared_data.glob(corpus.pattern))) for corpus in CORPORA}
    mirrors = dict.fromkeys(("archwiki-edits", "freecad-edits", "cpprefjp-edits", "ethereum-edits"), 1)
    assert found == {"openttd-edits": 24, "mdn-edits": 1, "anarchism-edits": 1, **mirrors}
