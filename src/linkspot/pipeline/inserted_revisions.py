"""The revisions around insertions: which versions of which pages the rows of a folder of insertions name."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds

from linkspot.corpora.wiki.revision_dump import WantedPage, in_order
from linkspot.corpora.wiki.wiki_article import WikiRevision
from linkspot.errors import UnusableInput
from linkspot.tables.folder import TableFolder

_WIKIDATA_ID = re.compile(r"Q\d+")
_PAGE = ("id", "title", "entity")
_VERSIONS = ("before", "after")
_COLUMNS = (
    "language",
    *(f"{role}_{name}" for role in ("source", "target") for name in _PAGE),
    *(f"{role}_{name}" for role in _VERSIONS for name in ("revision", "time")),
)


@dataclass(frozen=True, slots=True)
class InsertedRevisions:
    """The pages of one language with insertions, then their targets; the times of the snapshots between which they are.

    `left_out` counts the rows of other languages.
    """

    pages: tuple[WantedPage, ...]
    borders: tuple[datetime, ...]
    left_out: int


def inserted_revisions(path: Path, language: str) -> InsertedRevisions:
    """Return the versions before and after each insertion of a language, and the targets of these insertions."""
    folder = TableFolder.open(path, "insertions")
    rows = ds.dataset(folder.table("insertions"), format="parquet").to_table(columns=list(_COLUMNS)).to_pylist()
    wanted = [row for row in rows if row["language"] == language]
    if not wanted:
        found = ", ".join(sorted({row["language"] for row in rows})) or "none"
        raise UnusableInput(f"{path} has no insertions in {language}, the wiki's language (languages there: {found})")
    borders = map(_border, folder.manifest()["plan"].get("snapshots", ()))
    return InsertedRevisions(_pages(wanted, path), tuple(filter(None, borders)), len(rows) - len(wanted))


def _pages(rows: Iterable[Mapping[str, Any]], path: Path) -> tuple[WantedPage, ...]:
    sources: dict[int, list[WikiRevision]] = {}
    pages: dict[int, WantedPage] = {}
    for row in rows:
        source = _page(row, "source", path)
        pages[source.id] = source
        versions = (WikiRevision(_number(row[f"{role}_revision"], path), row[f"{role}_time"]) for role in _VERSIONS)
        sources.setdefault(source.id, []).extend(versions)
        if row["target_id"]:  # a target that the corpus lacked is known by its title alone
            target = _page(row, "target", path)
            pages.setdefault(target.id, target)
    with_versions = (
        WantedPage(id_, pages[id_].title, pages[id_].entity, in_order(versions))
        for id_, versions in sorted(sources.items())
    )
    return *with_versions, *(pages[id_] for id_ in sorted(pages.keys() - sources.keys()))


def _page(row: Mapping[str, Any], role: str, path: Path) -> WantedPage:
    id_, title, entity = (row[f"{role}_{name}"] for name in _PAGE)
    return WantedPage(_number(id_, path), title, entity if _WIKIDATA_ID.fullmatch(entity or "") else "")


def _number(text: str | None, path: Path) -> int:
    if not (text or "").isdecimal():
        raise UnusableInput(
            f"{path} has a page or revision {text!r}, which is not a number of a wiki; "
            "expected insertions from a dump of this wiki"
        )
    return int(text or "")


def _border(name: str) -> datetime | None:
    """Return the time of a snapshot; None if it is the folder of an index."""
    try:
        time = datetime.fromisoformat(name)
    except ValueError:
        return None
    return time if time.tzinfo else None
