"""An index of pages: entities and articles by title or id, from the tables that `linkspot index` made."""

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from linkspot.errors import UnusableInput, WrongType
from linkspot.extras import Extra, require
from linkspot.links.precedents import MOST_PRECEDENTS, precedent_at
from linkspot.links.titles import TitleRules
from linkspot.records import Article, Entity, Precedent
from linkspot.tables.folder import TableFolder
from linkspot.text.mentions import MOST_MENTIONS

if TYPE_CHECKING:
    from linkspot.tables.schemas import Row

_NAMES_KEPT = 10_000  # rows of entities, with their mentions
_PAGES_KEPT = 8  # with the links that their versions in other languages have
_Filter = Sequence[Sequence[tuple[str, str, Any]]]  # of pyarrow: alternatives, each of conditions that all hold


def open_index(folder: str | os.PathLike[str]) -> "Index":
    """Open a folder that `linkspot index` made, to look up entities and pages by title or id.

    ```python
    index = linkspot.open_index("swwiki")
    wolf = index.entity("Mbwa mwitu", language="sw")
    linkspot.suggest("Mbwa.wiki", "Mbwa mwitu", language="sw", index=index)
    ```
    """
    return Index(folder)


def opened_index(index: "IndexInput") -> "Index":
    """Return an index that is given open or as its folder."""
    return index if isinstance(index, Index) else open_index(index)


class Index:
    """The pages of some corpora, looked up by title, redirect, slug or id; `open_index` opens one.

    It reads tables with pyarrow: `pip install 'linkspot[data]'`.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        if not isinstance(folder, str | os.PathLike):
            raise WrongType(f"an index is a folder that 'linkspot index' made, not {type(folder).__name__}")
        require(Extra.DATA, "an index", ("pyarrow",))
        self.folder = Path(folder)
        """The folder of tables."""
        TableFolder.open(self.folder, "index")
        self._named = lru_cache(_NAMES_KEPT)(self._read_named)
        self._mentions = lru_cache(_NAMES_KEPT)(self._read_mentions)
        self._links_of = lru_cache(_PAGES_KEPT)(self._read_links_of)

    def __repr__(self) -> str:
        return f"<Index of {self.folder}>"

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the index has pages in, sorted."""
        return tuple(sorted({row["language"] for row in self._rows("entities", None, ["language"])}))

    def entity(self, name: str, language: str = "", *, page: Article | None = None) -> Entity:
        """Return the entity that a title, a redirect's title, a slug or an id names, with its most used mentions.

        Mentions are as links write them; two that differ only in case are two mentions. With a page, the entity also
        has precedents: where other languages' versions of that page link it. The language is by default the page's,
        or the only one of the index.
        """
        language = language or (page.language if page else self._only_language())
        return self._entity(self._known(name, language), page)

    def find(self, names: Iterable[str], page: Article) -> Entity | None:
        """Return the entity that the first known one of these names stands for in a page's language, if any does."""
        rows = (self._named(name, page.language) for name in names if name)
        row = next(filter(None, rows), None)
        return None if row is None else self._entity(row, page)

    def page(self, name: str, language: str = "") -> Article:
        """Return the page that a title, a redirect's title, a slug or an id names, parsed.

        It is for reading: tables keep no markup, so the article cannot be edited or answered for.
        """
        from linkspot.tables.schemas import article_of

        language = language or self._only_language()
        row = self._article(language, self._known(name, language)["key"])
        return article_of(row["title"], row["language"], row["sections"])

    def _known(self, name: str, language: str) -> "Row":
        if not isinstance(name, str):
            raise WrongType(f"an index is asked by a title or an id, which is a string, not {type(name).__name__}")
        row = self._named(name, language)
        if row is None:
            raise UnusableInput(
                f"{self.folder} has no article called {name!r} in {language!r}; see its table of entities"
            )
        return row

    def _entity(self, row: "Row", page: Article | None) -> Entity:
        identity = row["entity"] if row["entity"] != row["title"] else ""
        mentions = self._mentions(row["key"], row["language"])
        precedents = self._precedents(row, page) if page else ()
        return Entity(row["title"], row["lead"], mentions, identity, precedents=precedents)

    def _only_language(self) -> str:
        languages = self.languages
        if len(languages) != 1:
            raise UnusableInput(f"{self.folder} has pages in {', '.join(languages)}; say which with language=")
        return languages[0]

    def _precedents(self, target: "Row", page: Article) -> tuple[Precedent, ...]:
        """Return where other languages' versions of a page link the target.

        Without that page, or without ids that several languages share, there are none.
        """
        names = (self._named(name, page.language) for name in (page.id, page.title) if name)
        source = next(filter(None, names), None)
        if not (source and target["entity"] and source["entity"]):
            return ()
        links = (link for link in self._links_of(source["entity"]) if link["target_entity"] == target["entity"])
        first = {link["language"]: link for link in links if link["language"] != page.language}
        return tuple(self._precedent(first[language]) for language in sorted(first)[:MOST_PRECEDENTS])

    def _precedent(self, link: "Row") -> Precedent:
        from linkspot.tables.schemas import article_of

        row = self._article(link["language"], link["source_key"])
        return precedent_at(article_of(row["title"], row["language"], row["sections"]), link["sentence"])

    def _article(self, language: str, key: str) -> "Row":
        columns = ["title", "language", "sections"]
        return self._rows("articles", [[("language", "=", language), ("key", "=", key)]], columns)[0]

    def _read_named(self, name: str, language: str) -> "Row | None":
        title = str(TitleRules(language).normalise(name).page)
        spellings = tuple(dict.fromkeys((name, title, name.casefold())))
        return self._spelled(spellings, language) or self._spelled(self._redirected(spellings, language), language)

    def _spelled(self, spellings: tuple[str, ...], language: str) -> "Row | None":
        if not spellings:
            return None
        names = ("key", "title", "entity")
        alternatives = [[("language", "=", language), (name, "in", spellings)] for name in names]
        rows = self._rows("entities", alternatives, ["language", "lead", *names])
        # The same title may be another page's id: what is spelled as it was asked for comes first.
        rows.sort(key=lambda row: min(spellings.index(row[name]) for name in names if row[name] in spellings))
        return rows[0] if rows else None

    def _redirected(self, spellings: tuple[str, ...], language: str) -> tuple[str, ...]:
        is_redirect = [[("language", "=", language), ("name", "in", spellings)]]
        return tuple(row["end"] for row in self._rows("redirects", is_redirect, ["end"]))

    def _read_mentions(self, key: str, language: str) -> tuple[str, ...]:
        rows = self._rows("mentions", [[("language", "=", language), ("key", "=", key)]], ["mention", "count"])
        rows.sort(key=lambda row: (-row["count"], row["mention"]))
        return tuple(row["mention"] for row in rows[:MOST_MENTIONS])

    def _read_links_of(self, source_entity: str) -> list["Row"]:
        """Return the links of all languages' versions of a page, each page's last link first."""
        columns = ["language", "source_key", "target_entity", "sentence"]
        rows = self._rows("links", [[("source_entity", "=", source_entity)]], columns)
        return sorted(rows, key=lambda row: (row["language"], row["sentence"]), reverse=True)

    def _rows(self, table: str, wanted: _Filter | None, columns: list[str]) -> list["Row"]:
        from pyarrow import ArrowException
        from pyarrow.parquet import read_table

        try:
            read = read_table(self.folder / table, columns=columns, filters=wanted, partitioning=None)
        except (ArrowException, OSError) as error:
            raise UnusableInput(
                f"{self.folder / table} cannot be read as Parquet; delete {self.folder} and index again"
            ) from error
        rows: list[Row] = read.to_pylist()
        return rows


IndexInput: TypeAlias = Index | str | os.PathLike[str]
"""What stands for an index: itself, or its folder."""
