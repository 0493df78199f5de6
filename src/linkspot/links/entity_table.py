"""The entities of an index, looked up by name: what a ranker should know of a target."""

from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.dataset as ds

from linkspot.errors import UnusableInput
from linkspot.links.mentions import MOST_MENTIONS
from linkspot.links.titles import TitleRules
from linkspot.records import Entity
from linkspot.tables.folder import TableFolder


@dataclass(frozen=True, slots=True)
class EntityTable:
    """What `linkspot index` found out about the pages that links lead to."""

    folder: Path

    def __post_init__(self) -> None:
        TableFolder.open(self.folder, "index")

    def find(self, name: str, language: str) -> Entity:
        """Return the entity that a title, a redirect's title, a slug or an id names, with its most used mentions.

        Mentions are as links write them; those that differ in case alone are different ones.
        """
        title = str(TitleRules(language).normalise(name).page)
        spellings = tuple(dict.fromkeys((name, title, name.casefold())))
        row = self._entity(spellings, language) or self._entity(self._redirected(spellings, language), language)
        if row is None:
            raise UnusableInput(
                f"{self.folder} has no article called {name!r} in {language!r}; see its table of entities"
            )
        mentions = self._mentions(row["key"], language)
        return Entity(row["title"], row["lead"], mentions, row["entity"] if row["entity"] != row["title"] else "")

    def _entity(self, spellings: tuple[str, ...], language: str) -> dict[str, Any] | None:
        if not spellings:
            return None
        found = self._rows(
            "entities", language, *(pc.field(column).isin(spellings) for column in ("key", "title", "entity"))
        )
        # The same title may be another page's id: what is spelled as it was asked for comes first.
        found.sort(
            key=lambda row: min(spellings.index(row[c]) for c in ("key", "title", "entity") if row[c] in spellings)
        )
        return found[0] if found else None

    def _redirected(self, spellings: tuple[str, ...], language: str) -> tuple[str, ...]:
        return tuple(row["end"] for row in self._rows("redirects", language, pc.field("name").isin(spellings)))

    def _mentions(self, key: str, language: str) -> tuple[str, ...]:
        rows = self._rows("mentions", language, pc.field("key") == key)
        rows.sort(key=lambda row: (-row["count"], row["mention"]))
        return tuple(row["mention"] for row in rows[:MOST_MENTIONS])

    def _rows(self, table: str, language: str, *either: pc.Expression) -> list[dict[str, Any]]:
        wanted = (pc.field("language") == language) & reduce(or_, either)
        rows: list[dict[str, Any]] = (
            ds.dataset(self.folder / table, format="parquet").to_table(filter=wanted).to_pylist()
        )
        return rows
