"""A table that says what pages are about: title and id, and the language if there are several."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from linkspot.corpora.dumps.packed import Packed
from linkspot.corpora.wiki_languages import language_of_code
from linkspot.errors import UnusableInput
from linkspot.limits import LIMITS

_ENDINGS = (".tsv", ".csv", ".jsonl", ".ndjson", ".parquet")
_ID = ("id", "entity")  # what the column is called
_BATCH = 10_000  # rows of Parquet


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """What the page with a title is about; the language is empty if the table does not say it."""

    title: str
    id: str
    language: str = ""


class EntityTable:
    """A table in TSV, CSV, JSON lines or Parquet, read as a stream."""

    def __init__(self, path: Path) -> None:
        self.rejects: Counter[str] = Counter()
        self.share = 0.0
        self._path = path
        self._ending = Path(path.name.lower().removesuffix(".gz")).suffix
        if not path.is_file():
            raise UnusableInput(f"{path} is not a file; name a table with the columns title and id")
        if self._ending not in _ENDINGS:
            raise UnusableInput(f"{path} ends in {self._ending or 'nothing'}; expected {', '.join(_ENDINGS)}")

    def rows(self) -> Iterator[NamedEntity]:
        """Yield each row that has a title and an id; an empty id means that the page has none, any other is counted."""
        for record in self._records():
            identity = next((record[name] for name in _ID if record.get(name) is not None), None)
            names = (record.get("title") or None, identity, record.get("language") or "")
            if not all(isinstance(name, str) and len(name) <= LIMITS.title_characters for name in names):
                self.rejects["a row of the table of entities without a title or an id"] += 1
            elif identity:
                yield NamedEntity(str(names[0]), str(identity), language_of_code(str(names[2])))
        self.share = 1.0

    def _records(self) -> Iterator[dict[str, Any]]:
        if self._ending == ".parquet":
            yield from self._parquet()
            return
        with Packed(self._path, self.rejects).buffered() as file:
            if self._ending in {".tsv", ".csv"}:
                yield from self._separated(file)
            else:
                yield from self._json(file)

    def _separated(self, file: IO[bytes]) -> Iterator[dict[str, Any]]:
        """Yield the rows by the names in the first line, or as title, id and language if it has none."""
        text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="")
        # A quotation mark in a TSV is part of a title.
        is_tsv = self._ending == ".tsv"
        lines = csv.reader(text, delimiter="\t", quoting=csv.QUOTE_NONE) if is_tsv else csv.reader(text)
        names = ["title", "id", "language"]
        for number, values in enumerate(_parsed(lines, self._path)):
            header = [value.strip().lower() for value in values]
            if number == 0 and "title" in header:
                names = self._checked(header)
            elif values:
                yield dict(zip(names, values, strict=False))

    def _json(self, file: IO[bytes]) -> Iterator[dict[str, Any]]:
        while line := file.readline(LIMITS.line_bytes):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            if isinstance(record, dict):
                yield record
            elif line.strip():
                self.rejects["a line of the table of entities that is not a JSON object"] += 1

    def _parquet(self) -> Iterator[dict[str, Any]]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            with pq.ParquetFile(self._path) as table:
                names = self._checked(table.schema_arrow.names)
                columns = [name for name in ("title", *_ID, "language") if name in names]
                for batch in table.iter_batches(_BATCH, columns=columns):
                    yield from batch.to_pylist()
        except pa.ArrowException as error:
            raise UnusableInput(f"{self._path} cannot be read as Parquet; write it again") from error

    def _checked(self, names: list[str]) -> list[str]:
        if "title" not in names or not set(_ID) & set(names):
            found = ", ".join(names) or "none"
            raise UnusableInput(f"{self._path} has the columns {found}; expected title and id, and perhaps language")
        return names


def _parsed(lines: Iterable[list[str]], path: Path) -> Iterator[list[str]]:
    try:
        yield from lines
    except csv.Error as error:
        raise UnusableInput(f"{path} cannot be read as a table ({error}); write it as TSV or as JSON lines") from error
