"""A report of statistics: tables as CSV and Markdown beside plots, and the main ones for a terminal."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from textwrap import fill

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from linkspot.pipeline.markdown import markdown_row
from linkspot.pipeline.plots import draw, words
from linkspot.pipeline.statistics import MISSING, PRESENT, TOTAL, CandidateCounts, Command, Statistics
from linkspot.records import Scenario
from linkspot.tables.folder import unfinished

MARKDOWN = "statistics.md"
_SCENARIOS, _CCDF, _REJECTS = "scenarios", "ccdf", "rejects"
_TOO_LONG_TO_SHOW = {_SCENARIOS, _CCDF}  # the shares of the scenarios are shown
_AGGREGATES = (TOTAL, "micro", "macro")
_REJECTS_SHOWN = 12

Cell = str | int | float | None
Cells = tuple[Cell, ...]


def _count(cell: Cell) -> str:
    return f"{cell:,}"


def _ratio(cell: Cell) -> str:
    return f"{cell:.2f}"


def _share(cell: Cell) -> str:
    return f"{cell:.1%}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name, and how people read its cells; without that, it holds words."""

    name: str
    format: Callable[[Cell], str] | None = None

    @property
    def key(self) -> str:
        """The name as programs write it."""
        return self.name.lower().replace(" ", "_")

    def text(self, cell: Cell) -> str:
        """Return a cell as people read it."""
        if cell is None:
            return "–"
        return self.format(cell) if self.format else str(cell)


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of the report; its name is its file's, its title what people read above it."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Cells, ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name} has {len(self.columns)} columns, a row of it {len(row)} cells")

    def texts(self, row: Cells) -> list[str]:
        """Return a row as people read it."""
        return [column.text(cell) for column, cell in zip(self.columns, row, strict=True)]


def write(statistics: Statistics, out: Path) -> None:
    """Write every table as CSV, all but the longest as one Markdown page, and the plots; the tables come first."""
    tables = report_tables(statistics)
    for table in tables:
        with unfinished(out / f"{table.name}.csv") as path, path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([column.key for column in table.columns])
            writer.writerows(
                [round(cell, 6) if isinstance(cell, float) else cell for cell in row] for row in table.rows
            )
    plots: tuple[str, ...] = ()
    try:
        plots = draw(statistics, out)
    finally:  # where plots cannot be drawn, the page goes without them
        with unfinished(out / MARKDOWN) as path:
            path.write_text("\n".join(_markdown(statistics, tables, plots)), encoding="utf-8")


def show(statistics: Statistics, console: Console) -> None:
    """Print the main tables."""
    for table in report_tables(statistics):
        if table.name in _TOO_LONG_TO_SHOW or not table.rows:
            continue
        shown = table.rows[:_REJECTS_SHOWN] if table.name == _REJECTS else table.rows
        console.print(_grid(table, shown), "")
        if len(shown) < len(table.rows):
            console.print(f"and {len(table.rows) - len(shown)} other reasons\n")


def _grid(table: ReportTable, rows: Sequence[Cells]) -> Table:
    grid = Table(
        title=table.title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    texts = [table.texts(row) for row in rows]
    for number, column in enumerate(table.columns):
        # Headings are broken here, since rich would rather break numbers.
        width = max(map(len, (*column.name.split(), *(cells[number] for cells in texts))))
        grid.add_column(fill(column.name, width), justify="right" if column.format else "left", vertical="bottom")
    for row, cells in zip(rows, texts, strict=True):
        is_aggregate = any(cell in _AGGREGATES for cell in row)
        grid.add_row(*map(escape, cells), style="bold" if is_aggregate else None)
    return grid


def report_tables(statistics: Statistics) -> tuple[ReportTable, ...]:
    """Return all tables of the report; one that has nothing to tell has no rows."""
    return (
        _languages(statistics),
        _scenarios(statistics),
        _scenario_shares(statistics),
        _candidates(statistics),
        _ccdf(statistics),
        _rejects(statistics),
    )


_LANGUAGE = Column("language")
_INSERTIONS = Column("insertions", _count)


def _languages(statistics: Statistics) -> ReportTable:
    columns = [_LANGUAGE]
    if statistics.holds(Command.INDEX):
        columns += [Column(name, _count) for name in ("articles", "entities", "links")]
        columns += [Column("links per article", _ratio), Column("orphans", _count), Column("orphan share", _share)]
    if statistics.holds(Command.INSERTIONS):
        columns += [_INSERTIONS, Column("pages with insertions", _count)]
    counts = (*statistics.languages, statistics.total)
    rows = tuple(tuple(getattr(of, column.key) for column in columns) for of in counts)
    return ReportTable("languages", "Articles, existing links and added links", tuple(columns), rows)


def _scenarios(statistics: Statistics) -> ReportTable:
    columns = (_LANGUAGE, _INSERTIONS, *(Column(words(scenario), _count) for scenario in Scenario))
    found = (*statistics.scenarios, replace(statistics.micro, language=TOTAL)) if statistics.scenarios else ()
    rows: tuple[Cells, ...] = tuple((of.language, of.total, *of.counts.values()) for of in found)
    return ReportTable(_SCENARIOS, "Insertions by scenario", columns, rows)


def _scenario_shares(statistics: Statistics) -> ReportTable:
    names = (*(words(scenario) for scenario in Scenario), "Present", "Missing")
    columns = (_LANGUAGE, _INSERTIONS, *(Column(name, _share) for name in names))
    rows: list[Cells] = [(of.language, of.total, *_share_cells(of.shares)) for of in statistics.scenarios]
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
    columns = (Column("source"), _LANGUAGE, *(Column(name, _count) for name in ("pages", *quantiles)))
    rows: tuple[Cells, ...] = tuple(
        (of.source, of.language, of.pages, *(of.quantile(percent) for percent in quantiles.values()))
        for of in _all_candidates(statistics)
    )
    return ReportTable("candidates", "Candidates on a page", columns, rows)


def _ccdf(statistics: Statistics) -> ReportTable:
    columns = (Column("source"), _LANGUAGE, Column("candidates", _count), Column("share of pages", _share))
    rows: tuple[Cells, ...] = tuple(
        (of.source, of.language, *point) for of in _all_candidates(statistics) for point in of.ccdf()
    )
    return ReportTable(_CCDF, "Pages with at least so many candidates", columns, rows)


def _all_candidates(statistics: Statistics) -> Iterator[CandidateCounts]:
    for source in Command:
        languages = statistics.candidates_of(source)
        yield from languages
        if languages:
            yield statistics.all_candidates_of(source)


def _rejects(statistics: Statistics) -> ReportTable:
    columns = (Column("command"), Column("reason"), Column("count", _count))
    rows: tuple[Cells, ...] = tuple((reject.command, reject.reason, reject.count) for reject in statistics.rejects)
    return ReportTable(_REJECTS, "What was set aside", columns, rows)


def _markdown(statistics: Statistics, tables: Sequence[ReportTable], plots: Sequence[str]) -> Iterator[str]:
    yield "# Statistics\n"
    made_by = (f"`{path.name}` (`linkspot {command}`)" for path, command in statistics.folders)
    yield f"Counted by linkspot {version('linkspot')} in {', '.join(made_by)}.\n"
    for table in tables:
        if table.name == _CCDF or not table.rows:
            continue
        yield f"## {table.title}\n"
        yield markdown_row([column.name for column in table.columns])
        yield markdown_row(["---:" if column.format else "---" for column in table.columns])
        for row in table.rows:
            yield markdown_row(table.texts(row))
        yield ""
        if table.name in plots:
            yield f"![{table.title}]({table.name}.svg)\n"
