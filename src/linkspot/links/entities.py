"""The entities of an index, looked up by name: what a ranker should know of a target."""

from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.dataset as ds

from linkspot.errors import UnusableInput
from linkspot.links.precedents import MOST_PRECEDENTS, precedent_at
from linkspot.links.titles import TitleRules
from linkspot.records import Article, Entity, Precedent
from linkspot.tables.folder import TableFolder
from linkspot.tables.schemas import Row, article_of
from linkspot.text.mentions import MOST_MENTIONS


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
        row = self._named(name, language)
        if row is None:
            raise UnusableInput(
                f"{self.folder} has no article called {name!r} in {language!r}; see its table of entities"
            )
        mentions = self._mentions(row["key"], language)
        return Entity(row["title"], row["lead"], mentions, row["entity"] if row["entity"] != row["title"] else "")

    def precedents(self, name: str, page: Article) -> tuple[Precedent, ...]:
        """Return where other languages' versions of a page link what a name stands for in the page's language.

        Without that page, or without ids that several languages share, there are none.
        """
        target = self._named(name, page.language)
        own = (self._named(spelling, page.language) for spelling in (page.id, page.title) if spelling)
        source = next(filter(None, own), None)
        if not (target and source and target["entity"] and source["entity"]):
            return ()
        is_link = (pc.field("source_entity") == source["entity"]) & (pc.field("target_entity") == target["entity"])
        rows = self._table("links", is_link & (pc.field("language") != page.language))
        rows.sort(key=lambda row: (row["language"], row["sentence"]), reverse=True)
        first = {row["language"]: row for row in rows}
        return tuple(self._precedent(first[language]) for language in sorted(first)[:MOST_PRECEDENTS])

    def _precedent(self, link: Row) -> Precedent:
        is_page = (pc.field("language") == link["language"]) & (pc.field("key") == link["source_key"])
        row = self._table("articles", is_page)[0]
        return precedent_at(article_of(row["title"], row["language"], row["sections"]), link["sentence"])

    def _named(self, name: str, language: str) -> Row | None:
        title = str(TitleRules(language).normalise(name).page)
        spellings = tuple(dict.fromkeys((name, title, name.casefold())))
        return self._entity(spellings, language) or self._entity(self._redirected(spellings, language), language)

    def _entity(self, spellings: tuple[str, ...], language: str) -> Row | None:
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

    def _rows(self, table: str, language: str, *either: pc.Expression) -> list[Row]:
        return self._table(table, (pc.field("language") == language) & reduce(or_, either))

    def _table(self, name: str, wanted: pc.Expression) -> list[Row]:
        rows: list[Row] = ds.dataset(self.folder / name, format="parquet").to_table(filter=wanted).to_pylist()
        return rows
