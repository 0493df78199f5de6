"""A report: tables as CSV for programs and in Markdown and LaTeX for people, with plots, and tables on a terminal."""

import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from textwrap import fill

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from linkspot.files import unfinished
from linkspot.reporting.drawing import ENDINGS
from linkspot.reporting.latex import latex
from linkspot.reporting.markdown import markdown_row
from linkspot.reporting.report_table import ReportTable, Shown, ShownRow

_AGGREGATES = ("total", "micro", "macro")  # rows of these are set off from those of single languages


def write_report(
    page: Path,
    opening: Sequence[str],
    tables: Sequence[ReportTable],
    draw: Callable[[Path], tuple[str, ...]],
    *,
    has_latex: bool = False,
) -> tuple[Path, ...]:
    """Write every table as CSV, those to read also into one Markdown page and as LaTeX, draw plots; return the files.

    A plot stands below the table of its name. The tables come first: where plots cannot be drawn, the page goes
    without them.
    """
    out, files = page.parent, [page]
    for table in tables:
        files.append(_write_csv(table, out / f"{table.name}.csv"))
        if has_latex and table.is_in_page:
            files.append(_write(latex(table), out / f"{table.name}.tex"))
    plots: tuple[str, ...] = ()
    try:
        plots = draw(out)
    finally:
        _write("\n".join([*opening, *_markdown(tables, plots)]), page)
    return (*files, *(out / f"{name}.{ending}" for name in plots for ending in ENDINGS))


def _write(text: str, target: Path) -> Path:
    with unfinished(target) as path:
        path.write_text(text, encoding="utf-8")
    return target


def _write_csv(table: ReportTable, target: Path) -> Path:
    with unfinished(target) as path, path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([key for column in table.columns for key in column.keys])
        for row in table.rows:
            cells = zip(table.columns, row, strict=True)
            writer.writerow([number for column, cell in cells for number in column.numbers(cell)])
    return target


def _markdown(tables: Sequence[ReportTable], plots: Sequence[str]) -> Iterator[str]:
    for table in tables:
        if not table.is_in_page or not table.rows:
            continue
        yield f"## {table.title}\n"
        yield from markdown_table(table)
        yield ""
        if table.note:
            yield f"{table.note}\n"
        if table.name in plots:
            yield f"![{table.title}]({table.name}.svg)\n"


def markdown_table(table: ReportTable) -> Iterator[str]:
    """Yield the lines of a table alone."""
    yield markdown_row([column.heading for column in table.columns])
    yield markdown_row(["---:" if column.format else "---" for column in table.columns])
    for row in table.shown():
        yield markdown_row([(f"**{cell.text}**" if cell.is_best else cell.text) + cell.mark for cell in row.cells])


def show(table: ReportTable, console: Console) -> None:
    """Print a table on a terminal."""
    console.print(_grid(table))
    if table.note:
        console.print(Text(f"\n{table.note}"))
    console.print()


def _grid(table: ReportTable) -> Table:
    grid = Table(
        title=table.title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    shown = list(table.shown())
    for number, column in enumerate(table.columns[table.block :], start=table.block):
        # Headings are broken here, since rich would rather break numbers.
        texts = [row.cells[number].text + row.cells[number].mark for row in shown]
        width = max(map(len, (*column.heading.split(), *texts)))
        heading = fill(column.heading, width)
        if column.format:
            grid.add_column(heading, justify="right", vertical="bottom", no_wrap=True)
        else:
            grid.add_column(heading, vertical="bottom", overflow="fold")
    for row in shown:
        if row.begins_block:
            grid.add_section()
        if row.repeated < table.block:  # columns are dear on a terminal, so what a block shares is a line above it
            grid.add_row(Text(_shared(table, row), style="italic"))
        is_aggregate = any(cell.text in _AGGREGATES for cell in row.cells)
        grid.add_row(*map(_styled, row.cells[table.block :]), style="bold" if is_aggregate else None)
    return grid


def _shared(table: ReportTable, row: ShownRow) -> str:
    """Return what the rows of a block share, such as: Overall, 519 queries."""
    cells = zip(table.columns[: table.block], row.cells, strict=False)
    return ", ".join(f"{cell.text} {column.heading}" if column.format else cell.text for column, cell in cells)


def _styled(cell: Shown) -> Text:
    return Text.assemble((cell.text, "bold" if cell.is_best else ""), cell.mark)
