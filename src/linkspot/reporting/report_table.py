"""A table of a report: its columns, its rows, and which of its figures are the best."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from linkspot.reporting.cells import Cell, Cells, Estimate


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name, and how people read its cells; without that, it holds words.

    Columns of one group stand side by side under its name. The highest estimate of a contest is set in bold. What is of
    other data than the rest of the table is an aside, and set apart.
    """

    name: str
    format: Callable[[Cell], str] | None = None
    group: str = ""
    is_contest: bool = False
    has_interval: bool = False
    is_aside: bool = False

    @property
    def heading(self) -> str:
        """The name with that of the group."""
        return f"{self.group} {self.name}".lstrip()

    @property
    def keys(self) -> list[str]:
        """The names of its columns as programs write them: of an estimate, the value and the interval."""
        key = self.heading.lower().replace(" ", "_")
        return [key, f"{key}_low", f"{key}_high"] if self.has_interval else [key]

    def numbers(self, cell: Cell) -> list[Cell]:
        """Return a cell as programs read it: bare numbers, empty where there are none."""
        found: list[Cell] = [cell.value, cell.low, cell.high] if isinstance(cell, Estimate) else [cell]
        found += [None] * (len(self.keys) - len(found))
        return [round(number, 6) if isinstance(number, float) else number for number in found]

    def text(self, cell: Cell) -> str:
        """Return a cell as people read it, but for the mark of an estimate."""
        if cell is None:
            return "–"
        return self.format(cell) if self.format else str(cell)


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell as people read it."""

    text: str
    mark: str = ""
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as people read it: whether another block ended above it, and how many of its cells that row had, too."""

    cells: tuple[Shown, ...]
    begins_block: bool
    repeated: int


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of a report; its name is its file's, its title what people read above it, its note what they read below.

    Rows with the same first cells, as many as `block` says, make a block; estimates compete inside of it. A table that
    is too long to read is no part of the page.
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
                raise ValueError(f"table {self.name} has {len(self.columns)} columns, a row of it {len(row)} cells")

    def shown(self) -> Iterator[ShownRow]:
        """Yield every row as people read it."""
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
        """Return the highest estimate of each contest, behind its column's number and its block; alone, none is."""
        found: dict[Cells, list[float]] = {}
        for row in self.rows:
            for number, (column, cell) in enumerate(zip(self.columns, row, strict=True)):
                if column.is_contest and isinstance(cell, Estimate):
                    found.setdefault((number, *row[: self.block]), []).append(cell.value)
        return {(*where, max(values)) for where, values in found.items() if len(values) > 1}
