import csv
import io
import sys
from pathlib import Path

import pytest
from rich.console import Console

from linkspot.errors import MissingExtra, UnwritableTable
from linkspot.pipeline.stats_counts import (
    CandidateCounts,
    Command,
    LanguageCounts,
    RejectCount,
    ScenarioCounts,
    Statistics,
)
from linkspot.pipeline.stats_report import report_tables, show, write
from linkspot.records import Scenario

FILES = "candidates ccdf languages rejects scenario_shares scenarios".split()


def _scenarios(language: str, *counts: int) -> ScenarioCounts:
    return ScenarioCounts(language, dict(zip(Scenario, counts, strict=True)))


@pytest.fixture(scope="module")
def statistics() -> Statistics:
    """French has 4 insertions, German 1, English none but an index of 3 articles."""
    return Statistics(
        ((Path("deep/wiki"), Command.INDEX), (Path("deep/added"), Command.INSERTIONS)),
        (
            LanguageCounts("de", insertions=1, pages_with_insertions=1),
            LanguageCounts("en", 3, 3, 4, 1),
            LanguageCounts("fr", insertions=4, pages_with_insertions=2),
        ),
        LanguageCounts("total", 3, 3, 4, 1, 5, 3),
        (_scenarios("de", 0, 1, 0, 0, 0), _scenarios("en", 0, 0, 0, 0, 0), _scenarios("fr", 2, 0, 0, 1, 1)),
        (
            CandidateCounts(Command.INDEX, "en", {1: 1, 3: 1, 1200: 1}),
            CandidateCounts(Command.INSERTIONS, "fr", {0: 1, 4: 1}),
        ),
        (RejectCount(Command.INDEX, "a page | of [bold]none[/bold]", 1500),),
    )


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, statistics: Statistics) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write(statistics, folder)
    return folder


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _shown(statistics: Statistics, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    show(statistics, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_csv_files_hold_bare_numbers(report: Path) -> None:
    english = _rows(report / "languages.csv")[1]
    assert english == {
        "language": "en",
        "articles": "3",
        "entities": "3",
        "links": "4",
        "links_per_article": "1.333333",
        "orphans": "1",
        "orphan_share": "0.333333",
        "insertions": "0",
        "pages_with_insertions": "0",
    }
    german = _rows(report / "languages.csv")[0]
    assert (german["articles"], german["links_per_article"]) == ("0", "")
    assert [row["language"] for row in _rows(report / "languages.csv")] == ["de", "en", "fr", "total"]
    assert _rows(report / "rejects.csv") == [
        {"command": "index", "reason": "a page | of [bold]none[/bold]", "count": "1500"}
    ]


def test_shares_of_scenarios_come_with_groups_micro_and_macro(report: Path) -> None:
    rows = {row.pop("language"): list(row.values()) for row in _rows(report / "scenario_shares.csv")}
    # insertions, five scenarios, present, missing; what lacked a section is in neither group
    assert rows == {
        "de": ["1", "0.0", "1.0", "0.0", "0.0", "0.0", "0.0", "1.0"],
        "en": ["0", "", "", "", "", "", "", ""],
        "fr": ["4", "0.5", "0.0", "0.0", "0.25", "0.25", "0.5", "0.25"],
        "micro": ["5", "0.4", "0.2", "0.0", "0.2", "0.2", "0.4", "0.4"],
        "macro": ["", "0.25", "0.5", "0.0", "0.125", "0.125", "0.25", "0.625"],
    }
    counts = {row.pop("language"): list(row.values()) for row in _rows(report / "scenarios.csv")}
    assert counts["total"] == ["5", "2", "1", "0", "1", "1"]


def test_candidates_come_as_quantiles_and_as_a_ccdf(report: Path) -> None:
    assert [list(row.values()) for row in _rows(report / "candidates.csv")] == [
        ["index", "en", "3", "3", "1200", "1200", "1200"],
        ["index", "total", "3", "3", "1200", "1200", "1200"],
        ["insertions", "fr", "2", "0", "4", "4", "4"],
        ["insertions", "total", "2", "0", "4", "4", "4"],
    ]
    points = [list(row.values()) for row in _rows(report / "ccdf.csv")]
    assert points[:3] == [
        ["index", "en", "1", "1.0"],
        ["index", "en", "3", "0.666667"],
        ["index", "en", "1200", "0.333333"],
    ]


def test_the_markdown_page_has_tables_and_plots(report: Path) -> None:
    page = (report / "statistics.md").read_text(encoding="utf-8")
    assert "in `wiki` (`linkspot index`), `added` (`linkspot insertions`)." in page
    assert "| en | 3 | 3 | 4 | 1.33 | 1 | 33.3% | 0 | 0 |" in page
    assert "| macro | – | 25.0% | 50.0% | 0.0% | 12.5% | 12.5% | 25.0% | 62.5% |" in page
    assert "| index | en | 3 | 3 | 1,200 | 1,200 | 1,200 |" in page
    assert r"| index | a page \| of [bold]none[/bold] | 1,500 |" in page
    for name in ("languages", "scenarios", "candidates"):
        assert f"]({name}.svg)" in page
        assert (report / f"{name}.svg").exists()


def test_without_matplotlib_the_tables_are_written_and_the_remedy_is_told(
    tmp_path: Path, statistics: Statistics, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"pip install 'linkspot\[plots\]'"):
        write(statistics, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*(f"{n}.csv" for n in FILES), "statistics.md"])
    assert ".svg" not in (tmp_path / "statistics.md").read_text(encoding="utf-8")


def test_a_report_is_written_over_an_older_one(tmp_path: Path, statistics: Statistics) -> None:
    write(statistics, tmp_path)
    languages = (LanguageCounts("en", 4, 4, 9, 1),)
    write(Statistics(statistics.folders[:1], languages, languages[0], (), (), ()), tmp_path)
    assert _rows(tmp_path / "scenarios.csv") == []
    assert "insertions" not in _rows(tmp_path / "languages.csv")[0]
    assert "cenario" not in (tmp_path / "statistics.md").read_text(encoding="utf-8")
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv"] * 6 + [".md", ".png", ".svg"]


def test_a_report_that_cannot_be_written_is_reported_in_one_line(tmp_path: Path, statistics: Statistics) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UnwritableTable, match=r"languages\.csv cannot be written"):
        write(statistics, tmp_path / "file")


def test_the_terminal_shows_the_main_tables_in_100_columns(statistics: Statistics) -> None:
    text = _shown(statistics)
    assert max(len(line) for line in text.splitlines()) <= 100
    assert "…" not in text
    lines = [line.split() for line in text.splitlines()]
    assert ["en", "3", "3", "4", "1.33", "1", "33.3%", "0", "0"] in lines
    assert ["fr", "4", "50.0%", "0.0%", "0.0%", "25.0%", "25.0%", "50.0%", "25.0%"] in lines
    assert ["en", "0", "–", "–", "–", "–", "–", "–", "–"] in lines
    assert ["index", "total", "3", "3", "1,200", "1,200", "1,200"] in lines
    assert "a page | of [bold]none[/bold]" in text


def test_numbers_of_whole_wikipedias_fit_the_terminal(statistics: Statistics) -> None:
    huge = LanguageCounts("zh-min-nan", 6_800_000, 6_800_000, 158_000_000, 1_200_000, 900_000, 500_000)
    shares = (_scenarios("zh-min-nan", *[180_000] * 5),)
    text = _shown(Statistics(statistics.folders, (huge,), huge, shares, statistics.candidates, ()))
    assert "158,000,000" in text
    assert "…" not in text


def test_a_terminal_is_not_flooded_with_reasons(statistics: Statistics) -> None:
    rejects = tuple(RejectCount(Command.INDEX, f"reason {number}", 1) for number in range(30))
    text = _shown(Statistics(statistics.folders, (), statistics.total, (), (), rejects))
    assert "reason 11" in text
    assert "reason 12" not in text
    assert "and 18 other reasons" in text


def test_tables_of_a_report_keep_their_names(statistics: Statistics) -> None:
    assert sorted(table.name for table in report_tables(statistics)) == FILES
