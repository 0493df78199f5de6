"""The files of a report: tables as CSV for programs, as Markdown and LaTeX for people, and plots."""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from linkspot.files import unfinished
from linkspot.reporting.cells import Cell
from linkspot.reporting.drawing import ENDINGS
from linkspot.reporting.latex import latex
from linkspot.reporting.markdown import markdown_table
from linkspot.reporting.report_table import ReportTable
from linkspot.text.display import displayed

_FORMULA_SIGNS = tuple("=+-@＝＋－＠")


def write_report(
    page: Path,
    opening: Sequence[str],
    tables: Sequence[ReportTable],
    draw: Callable[[Path], tuple[str, ...]],
    *,
    has_latex: bool = False,
) -> tuple[Path, ...]:
    """Write the tables, the plots and a Markdown page that shows both, and return the paths of the files.

    Every table becomes a CSV file. Those that are part of the page also become LaTeX, if `has_latex`. A plot stands
    below the table of its name, as does one whose name adds an ending (main-mrr). The tables are written first: if a
    plot cannot be drawn, the page has none.
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
        writer.writerow([_neutral(key) for column in table.columns for key in column.keys])
        for row in table.rows:
            cells = zip(table.columns, row, strict=True)
            writer.writerow([_neutral(number) for column, cell in cells for number in column.numbers(cell)])
    return target


def _neutral(cell: Cell) -> Cell:
    """Return the cell as text that no spreadsheet runs: what begins like a formula gets an apostrophe before it."""
    if not isinstance(cell, str):
        return cell
    text = displayed(cell)
    return f"'{text}" if text.startswith(_FORMULA_SIGNS) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def plots_of(table: ReportTable, plots: Iterable[str]) -> list[str]:
    """Return the names of a table's plots: its own name, and that with an ending after a hyphen."""
    return [name for name in plots if name == table.name or name.startswith(f"{table.name}-")]


def _markdown(tables: Sequence[ReportTable], plots: Sequence[str]) -> Iterator[str]:
    for table in tables:
        if not table.is_in_page or not table.rows:
            continue
        yield f"## {table.title}\n"
        yield from markdown_table(table)
        yield ""
        if table.note:
            yield f"{table.note}\n"
        yield from (f"![{table.title}]({name}.svg)\n" for name in plots_of(table, plots))
