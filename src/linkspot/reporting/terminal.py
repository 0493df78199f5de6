"""Tables of a report on a terminal."""

from dataclasses import dataclass
from textwrap import fill

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from linkspot.reporting.report_table import ReportTable, Shown, ShownRow

_AGGREGATES = ("total", "micro", "macro")  # rows with these names are bold, unlike the rows of single languages
_GAP = 2  # characters between columns
_LONGEST_NAMES = 20  # characters of all columns with words


def show(table: ReportTable, console: Console) -> None:
    """Print a table and its note on a terminal; where it is too wide, its columns follow one another in parts."""
    rows = list(table.shown())
    columns = [_width(table, number, rows) for number in range(table.block, len(table.columns))]
    for position, part in enumerate(_parts(columns, console.width)):
        if position:
            console.print()
        console.print(_grid(table, rows, part, "" if position else table.title))
    if table.note:
        console.print(Text(f"\n{table.note}"))
    console.print()


@dataclass(frozen=True, slots=True)
class _ColumnWidth:
    """A column by its number, how many characters it needs, and whether it holds words, which may be wrapped."""

    number: int
    characters: int
    has_words: bool


def _width(table: ReportTable, number: int, rows: list[ShownRow]) -> _ColumnWidth:
    column = table.columns[number]
    texts = [row.cells[number].text + row.cells[number].mark for row in rows]
    return _ColumnWidth(number, max(map(len, (*column.heading.split(), *texts))), column.format is None)


def _parts(columns: list[_ColumnWidth], width: int) -> list[list[_ColumnWidth]]:
    """Return the columns of each part: all columns with words, and as many with numbers as there is room for."""
    words = [column for column in columns if column.has_words]
    numbers = [column for column in columns if not column.has_words]
    room = width + _GAP - min(sum(column.characters + _GAP for column in words), width // 2)
    parts = _in_room(numbers, room)
    while room > 0 and len(_in_room(numbers, room - 1)) == len(parts):  # no part is much wider than another
        room -= 1
    return [sorted([*words, *part], key=lambda column: column.number) for part in _in_room(numbers, room)]


def _in_room(columns: list[_ColumnWidth], room: int) -> list[list[_ColumnWidth]]:
    parts: list[list[_ColumnWidth]] = [[]]
    for column in columns:
        if parts[-1] and sum(other.characters + _GAP for other in (*parts[-1], column)) > room:
            parts.append([])
        parts[-1].append(column)
    return parts


def _grid(table: ReportTable, rows: list[ShownRow], part: list[_ColumnWidth], title: str) -> Table:
    grid = Table(
        title=title or None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    longest = sum(column.characters for column in part if column.has_words)
    for column in part:
        # Headings are wrapped here, because rich would wrap numbers first.
        heading = fill(table.columns[column.number].heading, column.characters)
        if column.has_words:
            least = column.characters if longest <= _LONGEST_NAMES else None  # names are whole, reasons are wrapped
            grid.add_column(heading, vertical="bottom", overflow="fold", min_width=least)
        else:
            grid.add_column(heading, justify="right", vertical="bottom", no_wrap=True, min_width=column.characters)
    for row in rows:
        if row.begins_block:
            grid.add_section()
        if row.repeated < table.block:  # a terminal is narrow, so what a block shares is a line above it
            grid.add_row(Text(_shared(table, row), style="italic"))
        is_aggregate = any(cell.text in _AGGREGATES for cell in row.cells)
        cells = [_styled(row.cells[column.number]) for column in part]
        grid.add_row(*cells, style="bold" if is_aggregate else None)
    return grid


def _shared(table: ReportTable, row: ShownRow) -> str:
    """Return what the rows of a block share, such as: Overall, 519 queries."""
    cells = zip(table.columns[: table.block], row.cells, strict=False)
    return ", ".join(f"{cell.text} {column.heading}" if column.format else cell.text for column, cell in cells)


def _styled(cell: Shown) -> Text:
    return Text.assemble((cell.text, "bold" if cell.is_best else ""), cell.mark)
