"""The paper's published training files (Zenodo record 13888211): windows of links that exist or that editors added.

A stage is a folder with `train/*.parquet` and `mentions.parquet`. A row has a link's right window (`link_context`,
`source_section`) and nine wrong ones (`link_context_neg_0`, `source_section_neg_0`, …). Rows of existing links also say
where the mention, its sentence and a longer span stand in the right window (`context_mention_start_index`, …), which is
what dynamic context removal needs. Files of several languages have a column `lang`, files of one language do not.

This was read off the code that made the files, and tried on files made in the same way; not on the released ones.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from linkspot.errors import UnusableInput
from linkspot.examples.published_rows import (
    BrokenRow,
    PublishedQuery,
    PublishedWindow,
    Row,
    batches_of,
    decoded,
    mentions_of,
    open_file,
    query_of,
    rows_of,
)
from linkspot.examples.removal_spots import Removal
from linkspot.source_map import Span

_TARGET = ("source_title", "source_lead", "target_title", "target_lead")
_RIGHT = {"link_context": "context", "source_section": "section"}  # what test files call these columns
_WRONG = ("link_context_neg_", "source_section_neg_")
_OPTIONAL = ("missing_category", "lang")
_REMOVABLE = {Removal.MENTION: "mention", Removal.SENTENCE: "sentence", Removal.SPAN: "span"}
_LANGUAGE = "lang"


@dataclass(frozen=True, slots=True)
class PublishedLink:
    """A row of the training files: the link as a query, and what can be removed from its right window."""

    query: PublishedQuery
    removable: dict[Removal, Span]


class PublishedTraining:
    """The links of one stage, by number; `rejects` counts the broken rows of what was loaded, by reason.

    With `languages`, only their rows count; the language of files that do not name one is the only one given.
    """

    def __init__(self, folder: Path, languages: Sequence[str] = (), split: str = "train") -> None:
        self._files = sorted((folder / split).glob("*.parquet"))
        if not self._files:
            raise UnusableInput(
                f"{folder} has no {split}/*.parquet; expected a stage's folder of the published dataset, with "
                f"{split}/*.parquet and mentions.parquet"
            )
        self._mention_map = folder / "mentions.parquet"
        self._languages = tuple(languages)
        self._numbers = [number for number, language in enumerate(self._row_languages()) if self._is_wanted(language)]
        self._rows: dict[int, Row] = {}
        self.rejects: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._numbers)

    def load(self, numbers: Sequence[int]) -> None:
        """Read these links and their mentions into memory, and forget all others: files are slow to read by row."""
        wanted = {self._numbers[number] for number in numbers}
        self._rows, begin = {}, 0
        for file in self._files:
            count = int(open_file(file, (*_TARGET, *_RIGHT)).metadata.num_rows)
            if not wanted.isdisjoint(range(begin, begin + count)):
                rows = enumerate(rows_of(file, _columns(file)), begin)
                self._rows |= {number: row for number, row in rows if number in wanted}
            begin += count
        titles = {decoded(row["target_title"] or "") for row in self._rows.values()}
        self._mentions = mentions_of(self._mention_map, titles)
        self.rejects = Counter(filter(None, map(self._fault, self._rows)))

    def __getitem__(self, number: int) -> PublishedLink | None:
        """Return a link that was loaded, or nothing if its row is broken."""
        try:
            return self._link(self._numbers[number])
        except BrokenRow:
            return None

    def _fault(self, row_number: int) -> str:
        try:
            self._link(row_number)
        except BrokenRow as reason:
            return str(reason)
        return ""

    def _link(self, row_number: int) -> PublishedLink:
        row = self._rows[row_number]
        wrong = sorted((name for name in row if name.startswith(_WRONG[0])), key=lambda name: int(name.split("_")[-1]))
        windows = [
            PublishedWindow.of(row[name], row.get(name.replace(*_WRONG))) for name in wrong if row[name] is not None
        ]
        named = {"missing_category": None, **row, **{name: row[column] for column, name in _RIGHT.items()}}
        language = str(row.get(_LANGUAGE) or self._languages[0])
        query = query_of(named, f"{language}/{row_number}", language, self._mentions, windows)
        return PublishedLink(query, _removable(row))

    def _row_languages(self) -> list[str]:
        """Return the language of every row of the files."""
        languages: list[str] = []
        for file in self._files:
            parquet = open_file(file, (*_TARGET, *_RIGHT))
            if _LANGUAGE in parquet.schema_arrow.names:
                for batch in batches_of(file, [_LANGUAGE]):
                    languages += (str(language or "") for language in batch.column(_LANGUAGE).to_pylist())
            elif len(self._languages) == 1:
                languages += self._languages * parquet.metadata.num_rows
            else:
                raise UnusableInput(
                    f"{file} has no column 'lang' that says its language; name one language: languages = [\"sw\"] in "
                    "the recipe"
                )
        return languages

    def _is_wanted(self, language: str) -> bool:
        return bool(language) and (not self._languages or language in self._languages)


def _columns(file: Path) -> list[str]:
    """Return the columns of a file that a link is made of."""
    schema: pa.Schema = open_file(file, (*_TARGET, *_RIGHT)).schema_arrow
    places = [f"context_{kind}_{end}_index" for kind in _REMOVABLE.values() for end in ("start", "end")]
    optional = [name for name in (*_OPTIONAL, *places) if name in schema.names]
    wrong = [name for name in schema.names if name.startswith(_WRONG) and name.rpartition("_")[2].isdigit()]
    if not any(name.startswith(_WRONG[0]) for name in wrong):
        raise UnusableInput(f"{file} has no column '{_WRONG[0]}0'; expected a training file, with wrong windows")
    return [*_TARGET, *_RIGHT, *optional, *wrong]


def _removable(row: Row) -> dict[Removal, Span]:
    """Return the ranges of the right window that a row names, those left out that are not in it."""
    text = row["link_context"] or ""
    removable = {}
    for removal, name in _REMOVABLE.items():
        start, end = (row.get(f"context_{name}_{side}_index") for side in ("start", "end"))
        if start is not None and end is not None and 0 <= int(start) < int(end) <= len(text):
            removable[removal] = Span(int(start), int(end))
    return removable
