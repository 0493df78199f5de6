"""The report of `linkspot stats`: tables as CSV and Markdown, plots, and the main tables on a terminal."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

from rich.console import Console

from linkspot.metrics.slices import MISSING, PRESENT, words
from linkspot.pipeline.stats_counts import TOTAL, CandidateCounts, Command, Statistics
from linkspot.pipeline.stats_plots import draw
from linkspot.records import Scenario
from linkspot.reporting.cells import Cell, Cells, count, ratio, share
from linkspot.reporting.report_files import write_report
from linkspot.reporting.report_table import Column, ReportTable
from linkspot.reporting.terminal import show as show_table

MARKDOWN = "statistics.md"
_SCENARIOS, _REJECTS = "scenarios", "rejects"
_REJECTS_SHOWN = 12


def write(statistics: Statistics, out: Path) -> None:
    """Write every table as CSV, all but the longest into one Markdown page, then the plots."""
    made_by = (f"`{path.name}` (`linkspot {command}`)" for path, command in statistics.folders)
    opening = ["# Statistics\n", f"Counted by linkspot {version('linkspot')} in {', '.join(made_by)}.\n"]
    write_report(out / MARKDOWN, opening, report_tables(statistics), partial(draw, statistics))


def show(statistics: Statistics, console: Console) -> None:
    """Print the main tables on a terminal."""
    for table in report_tables(statistics):
        # The shares of the scenarios are shown, so their counts are not needed.
        if table.name == _SCENARIOS or not table.is_in_page or not table.rows:
            continue
        rows = table.rows[:_REJECTS_SHOWN] if table.name == _REJECTS else table.rows
        show_table(replace(table, rows=rows), console)
        if len(rows) < len(table.rows):
            console.print(f"and {len(table.rows) - len(rows)} other reasons\n")


def report_tables(statistics: Statistics) -> tuple[ReportTable, ...]:
    """Return all tables of the report; a table without data has no rows."""
    return (
        _languages(statistics),
        _scenarios(statistics),
        _scenario_shares(statistics),
        _candidates(statistics),
        _ccdf(statistics),
        _rejects(statistics),
    )


_LANGUAGE = Column("language")
_INSERTIONS = Column("insertions", count)


def _languages(statistics: Statistics) -> ReportTable:
    columns = [_LANGUAGE]
    if statistics.holds(Command.INDEX):
        columns += [Column(name, count) for name in ("articles", "entities", "links")]
        columns += [Column("links per article", ratio), Column("orphans", count), Column("orphan share", share)]
    if statistics.holds(Command.INSERTIONS):
        columns += [_INSERTIONS, Column("pages with insertions", count)]
    counts = (*statistics.languages, statistics.total)
    rows = tuple(tuple(getattr(language, column.keys[0]) for column in columns) for language in counts)
    return ReportTable("languages", "Articles, existing links and added links", tuple(columns), rows)


def _scenarios(statistics: Statistics) -> ReportTable:
    columns = (_LANGUAGE, _INSERTIONS, *(Column(words(scenario), count) for scenario in Scenario))
    all_counts = (*statistics.scenarios, replace(statistics.micro, language=TOTAL)) if statistics.scenarios else ()
    rows: tuple[Cells, ...] = tuple((counts.language, counts.total, *counts.counts.values()) for counts in all_counts)
    return ReportTable(_SCENARIOS, "Insertions by scenario", columns, rows)


def _scenario_shares(statistics: Statistics) -> ReportTable:
    names = (*(words(scenario) for scenario in Scenario), "Present", "Missing")
    columns = (_LANGUAGE, _INSERTIONS, *(Column(name, share) for name in names))
    rows: list[Cells] = [
        (counts.language, counts.total, *_share_cells(counts.shares)) for counts in statistics.scenarios
    ]
    if rows:
        micro = statistics.micro
        rows += [("micro", micro.total, *_share_cells(micro.shares)), ("macro", None, *_share_cells(statistics.macro))]
    return ReportTable("scenario_shares", "Scenarios: shares of the insertions", columns, tuple(rows))


def _share_cells(shares: Mapping[Scenario, float]) -> list[Cell]:
    if not shares:
        return [None] * (len(Scenario) + 2)
    groups = (sum(shares[scenario] for scenario in group) for group in (PRESENT, MISSING))
    return [*(shares[scenario] for scenario in Scenario), *groups]


def _candidates(statistics: Statistics) -> ReportTable:
    quantiles = {"median": 50, "p90": 90, "p99": 99, "max": 100}
    columns = (Column("source"), _LANGUAGE, *(Column(name, count) for name in ("pages", *quantiles)))
    rows: tuple[Cells, ...] = tuple(
        (counts.source, counts.language, counts.pages, *(counts.quantile(percent) for percent in quantiles.values()))
        for counts in _all_candidates(statistics)
    )
    return ReportTable("candidates", "Candidates on a page", columns, rows)


def _ccdf(statistics: Statistics) -> ReportTable:
    columns = (Column("source"), _LANGUAGE, Column("candidates", count), Column("share of pages", share))
    rows: tuple[Cells, ...] = tuple(
        (counts.source, counts.language, *point) for counts in _all_candidates(statistics) for point in counts.ccdf()
    )
    return ReportTable("ccdf", "Pages with at least so many candidates", columns, rows, is_in_page=False)


def _all_candidates(statistics: Statistics) -> Iterator[CandidateCounts]:
    for source in Command:
        languages = statistics.candidates_of(source)
        yield from languages
        if languages:
            yield statistics.all_candidates_of(source)


def _rejects(statistics: Statistics) -> ReportTable:
    columns = (Column("command"), Column("reason"), Column("count", count))
    rows: tuple[Cells, ...] = tuple((reject.command, reject.reason, reject.count) for reject in statistics.rejects)
    return ReportTable(_REJECTS, "What was set aside", columns, rows)
