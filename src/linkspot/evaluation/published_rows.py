"""Rows of the paper's published files: what their columns mean, in tests and in training."""

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
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


def listed_windows(text: object) -> list[PublishedWindow]:
    """Return the windows that a Python list in a string holds."""
    try:
        listed = ast.literal_eval(str(text))
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
    return parquet


def rows_of(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a file with these of its columns, a few in memory at a time."""
    for batch in _batches(path, columns, _ROWS_AT_ONCE):
        yield from batch.to_pylist()


def mentions_of(path: Path, titles: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the words that links use for each of these titles: the ten most frequent, or the first if none counts."""
    counted = [name for name in _COUNTS if name in open_file(path, ()).schema_arrow.names][:1]
    counts_of: dict[str, Counter[str]] = {}
    for batch in _batches(path, ["target_title", "mention", *counted]):
        encoded = batch.column("target_title").dictionary_encode()
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


def _batches(path: Path, columns: Sequence[str], rows: int = 65_536) -> Iterator[pa.RecordBatch]:
    parquet = open_file(path, columns)
    try:
        yield from parquet.iter_batches(rows, columns=list(columns))
    except (pa.ArrowException, OSError) as error:
        raise UnusableInput(f"{path} breaks off: {first_line(error)}; fetch it again") from error
