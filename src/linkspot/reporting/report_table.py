"""A table of a report: its columns, its rows, and which of its figures are the best."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from linkspot.reporting.cells import Cell, Cells, Estimate
from linkspot.text.display import displayed


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name, and how its cells are written; without a format, it holds words.

    Columns of one group stand side by side under the group's name. The highest estimate of a contest is bold. A column
    that is an aside holds figures on other data than the rest of the table, and is set apart.
    """

    name: str
    format: Callable[[Cell], str] | None = None
    group: str = ""
    is_contest: bool = False
    has_interval: bool = False
    is_aside: bool = False

    @property
    def heading(self) -> str:
        """The column's name after the group's name."""
        return f"{self.group} {self.name}".lstrip()

    @property
    def keys(self) -> list[str]:
        """The names of its CSV columns; a column with an interval has three: the value, its low and high end."""
        key = self.heading.lower().replace(" ", "_")
        return [key, f"{key}_low", f"{key}_high"] if self.has_interval else [key]

    def numbers(self, cell: Cell) -> list[Cell]:
        """Return a cell's values for CSV, one for each key; None where there is no number."""
        values: list[Cell] = [cell.value, cell.low, cell.high] if isinstance(cell, Estimate) else [cell]
        values += [None] * (len(self.keys) - len(values))
        return [round(value, 6) if isinstance(value, float) else value for value in values]

    def text(self, cell: Cell) -> str:
        """Return a cell as text for people, without the mark of an estimate."""
        if cell is None:
            return "–"
        return self.format(cell) if self.format else displayed(str(cell))


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell as text for people."""

    text: str
    mark: str = ""
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as text for people: whether it begins a new block, and how many first cells repeat the row above."""

    cells: tuple[Shown, ...]
    begins_block: bool
    repeated: int


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of a report: its name is the name of its files, its title stands above it, its note below it.

    Rows whose first `block` cells are equal form a block; estimates compete within their block. A table that is too
    long to read has `is_in_page` False and becomes a CSV file only.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Cells, ...]
    block: int = 0
    note: str = ""
    is_in_page: bool = True

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name} has {len(self.columns)} columns, but a row has {len(row)} cells")

    def shown(self) -> Iterator[ShownRow]:
        """Yield every row as text for people."""
        best, before = self._best(), None
        for row in self.rows:
            block = row[: self.block]
            cells = tuple(self._shown(number, cell, block, best) for number, cell in enumerate(row))
            yield ShownRow(cells, begins_block=before not in {None, block}, repeated=len(block) * (block == before))
            before = block

    def _shown(self, number: int, cell: Cell, block: Cells, best: set[Cells]) -> Shown:
        text = self.columns[number].text(cell)
        if not isinstance(cell, Estimate):
            return Shown(text)
        return Shown(text, cell.mark, (number, *block, cell.value) in best)

    def _best(self) -> set[Cells]:
        """Return each contest's column number, block and highest value; a value without rivals is no contest."""
        contests: dict[Cells, list[float]] = {}
        for row in self.rows:
            for number, (column, cell) in enumerate(zip(self.columns, row, strict=True)):
                if column.is_contest and isinstance(cell, Estimate):
                    contests.setdefault((number, *row[: self.block]), []).append(cell.value)
        return {(*contest, max(values)) for contest, values in contests.items() if len(values) > 1}
