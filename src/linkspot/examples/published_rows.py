"""Rows of the paper's published files: what their columns mean, in tests and in training.

Columns that linkspot does not know are passed over. A column of text may be dictionary-encoded (a categorical of
pandas), and a list of windows may be a Python list in a string, as released, or a list of structs.
"""

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq

from linkspot.errors import UnusableInput, first_line
from linkspot.records import Entity, Scenario

Row = Mapping[str, Any]
Mentions = Mapping[str, tuple[str, ...]]

MOST_MENTIONS = 10  # of a target; the paper's choice
_COUNTS = ("count", "frequency", "occurrences")  # names of a column that a map of mentions may have
_LEAD = "Lead"  # what the files call the section without a title
_PRESENT = frozenset({None, "", "present"})
_LANGUAGES = {"simple": "en"}  # a Wikipedia is not always named by its language
_ROWS_AT_ONCE = 64  # a row may hold hundreds of windows


class BrokenRow(Exception):
    """A row that is not a query, and why; readers count such rows by reason."""


@dataclass(frozen=True, slots=True)
class PublishedWindow:
    """A candidate as it was released: a few sentences of one section as one text; the lead's section has no title."""

    text: str
    section: str

    @classmethod
    def of(cls, text: object, section: object) -> "PublishedWindow":
        """Return the window of two columns."""
        if not isinstance(text, str) or not isinstance(section, str) or not text.strip():
            raise BrokenRow("a window without a text or a section")
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            raise BrokenRow("a window that is not Unicode")
        return cls(text, "" if section == _LEAD else section)


@dataclass(frozen=True)
class PublishedQuery:
    """A target and the windows of one page that compete for the link; `gold` is the number of the right one."""

    id: str
    language: str
    scenario: Scenario
    entity: Entity
    source_title: str
    source_lead: str
    windows: tuple[PublishedWindow, ...]
    gold: int

    def __post_init__(self) -> None:
        if not 0 <= self.gold < len(self.windows):
            raise ValueError(f"the right window is one of {len(self.windows)}, not number {self.gold}")

    @cached_property
    def twins(self) -> tuple[int, ...]:
        """The numbers of wrong windows with exactly the words of the right one: no ranker can distinguish them."""
        right = self.windows[self.gold].text.split()
        same = (number for number, window in enumerate(self.windows) if window.text.split() == right)
        return tuple(number for number in same if number != self.gold)

    @property
    def tag(self) -> str:
        """The tag of the language that the texts are in."""
        return _LANGUAGES.get(self.language, self.language.replace("_", "-"))

    @property
    def right(self) -> tuple[int, ...]:
        """The numbers of the right window and its twins."""
        return tuple(sorted((self.gold, *self.twins)))


def query_of(row: Row, id_: str, language: str, mentions: Mentions, wrong: Sequence[PublishedWindow]) -> PublishedQuery:
    """Return the query of a row whose right window stands in `context` and `section`.

    The right window's position among the wrong ones is drawn by the id, so that it gives no hint.
    """
    if not wrong:
        raise BrokenRow("a query without a wrong window")
    title = decoded(row["target_title"] or "")
    if not title:
        raise BrokenRow("a query without a target")
    position = Random(id_).randrange(len(wrong) + 1)
    return PublishedQuery(
        id_,
        language,
        scenario_of(row["missing_category"]),
        Entity(title, row["target_lead"] or "", mentions.get(title, ())),
        decoded(row["source_title"] or ""),
        row["source_lead"] or "",
        (*wrong[:position], PublishedWindow.of(row["context"], row["section"]), *wrong[position:]),
        position,
    )


def scenario_of(category: object) -> Scenario:
    """Return the scenario that a category names; none means that the words were there."""
    if category in _PRESENT or category != category:  # a NaN, which is what pandas may make of none
        return Scenario.TEXT_PRESENT
    if category not in set(Scenario):
        raise BrokenRow(f"a query of the unknown category {str(category)[:40]!r}")
    return Scenario(str(category))


def listed_windows(windows: object) -> list[PublishedWindow]:
    """Return the windows of a list, or of a Python list in a string."""
    try:
        listed = windows if isinstance(windows, list) else ast.literal_eval(str(windows))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise BrokenRow("a query whose negative_contexts are no Python list") from None
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        raise BrokenRow("a query whose negative_contexts are no list of windows")
    return [PublishedWindow.of(entry.get("context"), entry.get("section")) for entry in listed]


def decoded(title: str) -> str:
    """Return the title that an address spells."""
    return unquote(title).replace("_", " ").strip()


def open_file(path: Path, columns: Sequence[str]) -> pq.ParquetFile:
    """Return a file that has these columns."""
    if not path.is_file():
        raise UnusableInput(f"{path} is missing; the published dataset (Zenodo record 13888211) has it")
    try:
        parquet = pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise UnusableInput(f"{path} cannot be read as Parquet: {first_line(error)}; fetch it again") from error
    missing = [name for name in columns if name not in parquet.schema_arrow.names]
    if missing:
        there = ", ".join(parquet.schema_arrow.names[:20])
        raise UnusableInput(
            f"{path} has no column {missing[0]!r} but {there}; expected a file of the published dataset"
        )
    for name in columns:
        _check_type(path, parquet.schema_arrow.field(name))
    return parquet


def _check_type(path: Path, field: pa.Field) -> None:
    """Refuse a column whose values would all be set aside one by one."""
    expected = _expected(field.name)
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    if not pa.types.is_null(kind) and not any(is_kind(kind) for is_kind in expected.checks):
        raise UnusableInput(f"the column {field.name!r} of {path} is of the type {field.type}; expected {expected}")


@dataclass(frozen=True, slots=True)
class _Expected:
    """The types that a column may have, and how a message names them."""

    name: str
    checks: tuple[Callable[[pa.DataType], bool], ...]

    def __str__(self) -> str:
        return self.name


_TEXT = _Expected("text", (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view))
_WINDOWS = _Expected(
    "text that holds a Python list, or a list of structs with context and section",
    (*_TEXT.checks, lambda kind: (pa.types.is_list(kind) or pa.types.is_large_list(kind)) and _is_window(kind)),
)
_NUMBER = _Expected("numbers", (pa.types.is_integer, pa.types.is_floating))
_TRUTH = _Expected("true and false", (pa.types.is_boolean, pa.types.is_integer))


def _is_window(kind: pa.DataType) -> bool:
    entry = kind.value_type
    return pa.types.is_struct(entry) and {"context", "section"} <= {
        entry.field(i).name for i in range(entry.num_fields)
    }


def _expected(column: str) -> _Expected:
    if column == "negative_contexts":
        return _WINDOWS
    if column == "mention_present":
        return _TRUTH
    return _NUMBER if column.endswith("_index") or column in _COUNTS else _TEXT


def rows_of(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a file with these of its columns, a few in memory at a time."""
    for batch in batches_of(path, columns, _ROWS_AT_ONCE):
        yield from batch.to_pylist()


def mentions_of(path: Path, titles: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the words that links use for each of these titles: the ten most frequent, or the first if none counts."""
    counted = [name for name in _COUNTS if name in open_file(path, ()).schema_arrow.names][:1]
    counts_of: dict[str, Counter[str]] = {}
    for batch in batches_of(path, ["target_title", "mention", *counted]):
        encoded = batch.column("target_title").dictionary_encode()  # what is encoded already stays as it is
        # A map has millions of rows: each title is decoded once, and rows of other titles never become objects.
        names = [decoded(title or "") for title in encoded.dictionary.to_pylist()]
        is_wanted = pa.array([name in titles for name in names], pa.bool_()).take(encoded.indices).fill_null(False)
        wanted = batch.filter(is_wanted)
        counts = wanted.column(counted[0]).to_pylist() if counted else [1] * wanted.num_rows
        pairs = zip(encoded.indices.filter(is_wanted).to_pylist(), wanted.column("mention").to_pylist(), strict=True)
        for (index, mention), count in zip(pairs, counts, strict=True):
            if mention and mention.strip():
                counts_of.setdefault(names[index], Counter())[mention] += count or 0
    best = ((title, counts.most_common(MOST_MENTIONS)) for title, counts in counts_of.items())
    return {title: tuple(mention for mention, _ in mentions) for title, mentions in best}


def batches_of(path: Path, columns: Sequence[str], rows: int = 65_536) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a file with these of its columns in batches."""
    parquet = open_file(path, columns)
    try:
        yield from parquet.iter_batches(rows, columns=list(columns))
    except (pa.ArrowException, OSError) as error:
        raise UnusableInput(f"{path} breaks off: {first_line(error)}; fetch it again") from error
