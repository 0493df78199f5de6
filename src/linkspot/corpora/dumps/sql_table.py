"""Tables that Wikimedia dumps beside the pages: `*.sql.gz`, the INSERT statements that mysqldump writes."""

import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

from linkspot.corpora.dumps.packed import Packed
from linkspot.errors import UnusableInput

_CHUNK = 1 << 18
_LONGEST_ROW = 1 << 20  # bytes; a value of page_props has 64 kB, each byte of which may be escaped
# Possessive, as a string without its end would otherwise be tried in every way.
_STRING = rb"(?:_binary )?'(?:[^'\\]++|\\.|'')*+'"
_VALUE = rb"(?:" + _STRING + rb"|NULL|0x[0-9A-Fa-f]*+|[-+0-9.eE]++)"
_ROW = re.compile(rb"\s*+\((?P<values>" + _VALUE + rb"(?:," + _VALUE + rb")*+)\)\s*+(?P<end>[,;])", re.DOTALL)
_VALUES = re.compile(_VALUE, re.DOTALL)
_NEXT_ROW = re.compile(rb"\),\s*(?=\()|\);")
_STATEMENT = re.compile(
    rb"^(?:INSERT (?:IGNORE )?INTO `(?P<table>\w+)` (?:\((?P<columns>[^()]*)\) )?VALUES\s"
    rb"|CREATE TABLE `(?P<created>\w+)` \(\n(?P<body>.*?)\n\))",
    re.DOTALL | re.MULTILINE,
)
_COLUMN = re.compile(rb"^\s*`(\w+)` ", re.MULTILINE)
_QUOTED = re.compile(rb"`(\w+)`")
_ESCAPE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPED = {b"0": b"\0", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"Z": b"\x1a"}


class SqlTable:
    """One table of a dump, read as a stream; `columns` are those that are wanted, in this order.

    `mark` is something that stands in each row that is wanted: the other rows are skipped, which is much faster.
    """

    def __init__(self, path: Path, name: str, columns: Sequence[str], mark: bytes = b"") -> None:
        self.rejects: Counter[str] = Counter()
        self.share = 0.0
        self._path = path
        self._name = name
        self._wanted = tuple(columns)
        self._mark = mark
        self._columns = self._wanted  # until a statement says which there are

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield the wanted columns of each row as text, an empty one for NULL; a broken row is counted."""
        stream = Packed(self._path, self.rejects)
        rest, is_inside = b"", False
        try:
            while chunk := stream.read(_CHUNK):
                self.share = stream.share
                rest, is_inside = yield from self._rows_in(rest + chunk, is_inside)
        finally:
            stream.close()
        rest, is_inside = yield from self._rows_in(rest, is_inside, is_end=True)
        if is_inside:
            self._reject("cut off")

    def _rows_in(
        self, data: bytes, is_inside: bool, *, is_end: bool = False
    ) -> Generator[tuple[str, ...], None, tuple[bytes, bool]]:
        """Yield the complete rows, and return what is left of the data and whether that is inside of a statement."""
        position = 0
        while True:
            row = _ROW.match(data, position) if is_inside else None
            if row is not None:
                position, is_inside = row.end(), row["end"] == b","
                values = self._read(row["values"]) if self._mark in row["values"] else None
                if values is not None:
                    yield values
            elif is_inside:
                if not is_end and len(data) - position < _LONGEST_ROW:
                    return data[position:], True
                broken_end = _NEXT_ROW.search(data, position)
                if broken_end is None:
                    return b"", True
                self._reject("broken")
                position, is_inside = broken_end.end(), broken_end[0] != b");"
            else:
                statement = _STATEMENT.search(data, position)
                if statement is None:
                    return data[max(position, len(data) - _LONGEST_ROW) :], False
                position, is_inside = statement.end(), self._enter(statement)

    def _enter(self, statement: re.Match[bytes]) -> bool:
        """Note the columns that a statement names, and return whether rows of this table follow."""
        table, columns = statement["table"] or statement["created"], statement["columns"]
        if table.decode() != self._name:
            return False
        names = _QUOTED.findall(columns) if columns else _COLUMN.findall(statement["body"] or b"")
        if names:
            self._columns = tuple(name.decode() for name in names)
            missing = [name for name in self._wanted if name not in self._columns]
            if missing:
                raise UnusableInput(
                    f"{self._path} has no column {missing[0]}, but {', '.join(self._columns)}; fetch a newer dump"
                )
        return statement["table"] is not None

    def _read(self, row: bytes) -> tuple[str, ...] | None:
        values = _VALUES.findall(row)
        if len(values) != len(self._columns):
            self._reject("broken")
            return None
        try:
            return tuple([_text(values[self._columns.index(name)]) for name in self._wanted])
        except UnicodeDecodeError:
            self._reject("not UTF-8")
            return None

    def _reject(self, fault: str) -> None:
        self.rejects[f"a row of {self._name} that is {fault}"] += 1


def _text(value: bytes) -> str:
    value = value.removeprefix(b"_binary ")
    if value[:1] != b"'":
        return "" if value == b"NULL" else value.decode()
    inside = value[1:-1]
    if b"\\" in inside or b"'" in inside:
        inside = _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]) if match[1] else b"'", inside)
    return inside.decode()
