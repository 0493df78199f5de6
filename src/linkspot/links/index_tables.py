"""The tables of an index, read as rows; a damaged one gives one clear line."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkspot.errors import UnusableInput
from linkspot.tables.folder import TableFolder

if TYPE_CHECKING:
    from linkspot.tables.schemas import Row

Filter = Sequence[Sequence[tuple[str, str, Any]]]  # of pyarrow: alternatives, each of conditions that all hold


class IndexTables:
    """The tables in a folder that `linkspot index` made and finished."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.identities: dict[str, dict[str, int]] | None = (
            TableFolder.open(folder, "index").manifest().get("identities")
        )
        """What identifies the pages of each language, with their numbers; None in indexes of earlier versions."""
        self.columns = cache(self._read_columns)

    def rows(self, table: str, wanted: Filter | None, columns: list[str]) -> list["Row"]:
        """Return the rows that are wanted."""
        from pyarrow.parquet import read_table

        with self._reading(table):
            read = read_table(self._folder / table, columns=columns, filters=wanted, partitioning=None)
        rows: list[Row] = read.to_pylist()
        return rows

    def batches(self, table: str, language: str, columns: list[str], size: int) -> Iterator[list["Row"]]:
        """Yield the rows of a language, some at a time, so that a large wiki is never held as a whole."""
        import pyarrow.dataset as ds

        with self._reading(table):
            opened = ds.dataset(self._folder / table, format="parquet")
        for batch in opened.to_batches(columns=columns, filter=ds.field("language") == language, batch_size=size):
            rows: list[Row] = batch.to_pylist()
            if rows:
                yield rows

    def _read_columns(self, table: str) -> frozenset[str]:
        """Return the columns of a table; indexes of earlier versions lack some."""
        from pyarrow.parquet import read_schema

        files = sorted((self._folder / table).rglob("*.parquet"))
        with self._reading(table):
            return frozenset(read_schema(files[0]).names) if files else frozenset()

    @contextmanager
    def _reading(self, table: str) -> Iterator[None]:
        """Turn an error of a damaged table into one clear line."""
        from pyarrow import ArrowException

        try:
            yield
        except (ArrowException, OSError) as error:
            raise UnusableInput(
                f"{self._folder / table} cannot be read as Parquet; delete {self._folder} and index again"
            ) from error
