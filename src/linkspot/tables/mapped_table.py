"""Mapped tables: rows of a Parquet table by number, from a memory-mapped copy."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock

from linkspot.errors import UnusableInput, UnwritableTable
from linkspot.files import unfinished, writing
from linkspot.tables.folder import TableFolder
from linkspot.tables.schemas import Row

_COPIES = ".arrow"  # the folder of copies, inside the dataset's folder
_ROWS_AT_ONCE = 256


class MappedTable:
    """Some columns of a dataset's table, as a copy in Arrow's format: Parquet is slow to read row by row.

    The copy is made once and kept in the dataset's folder; if it cannot be written there, it is held in memory.
    """

    def __init__(self, folder: Path, name: str, columns: Sequence[str]) -> None:
        files = sorted((folder / name).glob("*.parquet"))
        if not files:
            raise UnusableInput(
                f"{folder} has no table {name} (it holds {TableFolder(folder).content}); expected a folder that "
                "'linkspot dataset' made, with the data that this training needs"
            )
        self._batches = _open(folder / _COPIES, name, files, columns)
        self._ends = list(accumulate(batch.num_rows for batch in self._batches))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def batches(self) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Yield the rows in batches, each with the number of its first row."""
        return zip([0, *self._ends], self._batches, strict=False)

    def strings(self, name: str) -> list[str]:
        """Return all values of a column of text."""
        return [value for batch in self._batches for value in batch.column(name).to_pylist()]

    def keys(self, names: Sequence[str]) -> list[tuple[str | int, ...]]:
        """Return all values of some columns, as one tuple for each row."""
        columns = ([batch.column(name).to_pylist() for name in names] for batch in self._batches)
        return [key for batch in columns for key in zip(*batch, strict=True)]

    def row(self, number: int) -> Row:
        """Return one row."""
        if not 0 <= number < len(self):
            raise IndexError(f"there is no row {number}; the table has {len(self)} rows")
        index = bisect_right(self._ends, number)
        batch = self._batches[index]
        row: Row = batch.slice(number - (self._ends[index] - batch.num_rows), 1).to_pylist()[0]
        return row


def _open(copies: Path, name: str, files: list[Path], columns: Sequence[str]) -> list[pa.RecordBatch]:
    facts = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    digest = hashlib.sha256(repr((facts, tuple(columns))).encode()).hexdigest()[:12]
    path = copies / f"{name.replace('/', '-')}-{digest}.arrow"
    try:
        if not path.exists():
            _copy(path, files, columns)
    except UnwritableTable:
        return list(_read(files, columns))
    reader = pa.ipc.open_file(pa.memory_map(str(path)))
    return [batch for batch in map(reader.get_batch, range(reader.num_record_batches)) if batch.num_rows]


def _copy(path: Path, files: list[Path], columns: Sequence[str]) -> None:
    with writing(path):
        path.parent.mkdir(exist_ok=True)
        lock = FileLock(path.with_suffix(".lock"))
        lock.acquire()
    # A training may start several processes at once; one of them makes the copy.
    try:
        if not path.exists():
            with unfinished(path) as temporary:
                _write(temporary, _read(files, columns))
    finally:
        lock.release()


def _write(path: Path, batches: Iterator[pa.RecordBatch]) -> None:
    first = next(batches)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, first.schema) as writer:
        writer.write_batch(first)
        for batch in batches:
            writer.write_batch(batch)


def _read(files: list[Path], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    for file in files:
        try:
            yield from _read_file(file, columns)
        except (pa.ArrowInvalid, OSError) as error:
            raise UnusableInput(f"{file} cannot be read as Parquet; make the dataset again") from error


def _read_file(file: Path, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield the rows in batches; the first batch is empty, so that even an empty table has its columns."""
    parquet = pq.ParquetFile(file)
    missing = [name for name in columns if name not in parquet.schema_arrow.names]
    if missing:
        raise UnusableInput(
            f"{file.parent} has no column {missing[0]!r}; make the dataset again with 'linkspot dataset'"
        )
    yield pa.RecordBatch.from_pylist([], pa.schema([parquet.schema_arrow.field(name) for name in columns]))
    for batch in parquet.iter_batches(_ROWS_AT_ONCE, columns=list(columns)):
        yield batch.select(list(columns))
