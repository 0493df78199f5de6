"""Tables of a report on a terminal."""

from textwrap import fill

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from linkspot.reporting.report_table import ReportTable, Shown, ShownRow

_AGGREGATES = ("total", "micro", "macro")  # rows with these names are bold, unlike the rows of single languages


def show(table: ReportTable, console: Console) -> None:
    """Print a table and its note on a terminal."""
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
    rows = list(table.shown())
    _add_columns(grid, table, rows)
    for row in rows:
        if row.begins_block:
            grid.add_section()
        if row.repeated < table.block:  # a terminal is narrow, so what a block shares is a line above it
            grid.add_row(Text(_shared(table, row), style="italic"))
        is_aggregate = any(cell.text in _AGGREGATES for cell in row.cells)
        grid.add_row(*map(_styled, row.cells[table.block :]), style="bold" if is_aggregate else None)
    return grid


def _add_columns(grid: Table, table: ReportTable, rows: list[ShownRow]) -> None:
    for number, column in enumerate(table.columns[table.block :], start=table.block):
        # Headings are wrapped here, because rich would wrap numbers first.
        texts = [row.cells[number].text + row.cells[number].mark for row in rows]
        width = max(map(len, (*column.heading.split(), *texts)))
        heading = fill(column.heading, width)
        if column.format:
            grid.add_column(heading, justify="right", vertical="bottom", no_wrap=True)
        else:
            grid.add_column(heading, vertical="bottom", overflow="fold")


def _shared(table: ReportTable, row: ShownRow) -> str:
    """Return what the rows of a block share, such as: Overall, 519 queries."""
    cells = zip(table.columns[: table.block], row.cells, strict=False)
    return ", ".join(f"{cell.text} {column.heading}" if column.format else cell.text for column, cell in cells)


def _styled(cell: Shown) -> Text:
    return Text.assemble((cell.text, "bold" if cell.is_best else ""), cell.mark)
