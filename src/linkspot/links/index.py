"""An index of pages: entities and articles by title or id, from the tables that `linkspot index` made."""

import os
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from linkspot.errors import UnusableInput, WrongType
from linkspot.extras import Extra, require
from linkspot.links.address_style import ObservedLink
from linkspot.links.foreign_lead import foreign_lead
from linkspot.links.identity import languages_apart, local_id, note_on_languages
from linkspot.links.index_tables import IndexTables
from linkspot.links.locations import Location, location_in, names_of
from linkspot.links.precedents import MOST_PRECEDENTS, precedent_at
from linkspot.links.titles import TitleRules
from linkspot.records import Article, Entity, Precedent
from linkspot.remembering import remembered
from linkspot.text.mentions import MOST_MENTIONS

if TYPE_CHECKING:
    from linkspot.tables.schemas import Row

LINK_SAMPLES = "link_samples"  # the table of some links of each language, as they are written
_NAMES_KEPT = 10_000  # rows of entities, with their mentions
_RARER = 16  # times: a mention that is so much rarer than the most used one is somebody's slip, or a pronoun
_LONGEST_NAME = 512  # characters of a name that is worth keeping
_LONGEST_PATH = 4_096
_ENTITIES_AT_A_TIME = 5_000
_LANGUAGES_KEPT = 8  # with a sample of their links
_PAGES_KEPT = 8  # with the links that their versions in other languages have


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
        self._tables = IndexTables(self.folder)
        self._named = remembered(_NAMES_KEPT, _LONGEST_NAME)(self._read_named)
        self._foreign = remembered(_NAMES_KEPT, _LONGEST_NAME)(self._read_foreign)
        self._mentions = remembered(_NAMES_KEPT, _LONGEST_NAME)(self._read_mentions)
        self._links_of = remembered(_PAGES_KEPT, _LONGEST_NAME)(self._read_links_of)
        self._located = lru_cache(_PAGES_KEPT)(self._read_locations)  # the names of a page's links are bounded
        self._located_file = remembered(_PAGES_KEPT, _LONGEST_PATH)(self._read_location_of_file)
        self._sampled = remembered(_LANGUAGES_KEPT, _LONGEST_NAME)(self._read_samples)

    def __repr__(self) -> str:
        return f"<Index of {self.folder}>"

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages that the index has pages in, sorted."""
        return tuple(sorted({row["language"] for row in self._tables.rows("entities", None, ["language"])}))

    @cached_property
    def note(self) -> str:
        """Why some of its languages are not joined, so that pages have no precedents there; empty if all are."""
        return note_on_languages(self._tables.identities or {})

    @property
    def languages_apart(self) -> tuple[str, ...]:
        """Its languages whose pages are not joined with the same pages in other languages; `note` says why."""
        return languages_apart(self._tables.identities or {})

    def entity(self, name: str, language: str = "", *, page: Article | None = None) -> Entity:
        """Return the entity that a title, a redirect's title, a slug or an id names, with its most used mentions.

        Mentions are as links write them; two that differ only in case are two mentions. With a page, the entity also
        has precedents: where other languages' versions of that page link it. The language is by default the page's,
        or the only one of the index. An id without a page or a lead in this language gets that of another language,
        and `lead_language` says which.
        """
        language = language or (page.language if page else self._only_language())
        row = self._named(_name(name), language) or self._foreign(name, language) or self._known(name, language)
        return self._entity(row, page, language=language)

    def entities(self, language: str = "", *, page: Article | None = None) -> Iterator[Entity]:
        """Yield every entity of a language, each as `entity` returns it; the language is found in the same way."""
        return (entity for entity, _ in self.located_entities(language, page=page))

    def located_entities(self, language: str = "", *, page: Article | None = None) -> Iterator[tuple[Entity, Location]]:
        """Yield every entity of a language, with where its page is in its corpus."""
        language = language or (page.language if page else self._only_language())
        for rows in self._batches_of_entities(language):
            mentions = self._mentions_of([row["key"] for row in rows], language)
            for row in rows:
                yield self._entity(row, page, mentions.get(row["key"], ())), location_in(row)

    def entities_of(self, keys: list[str], page: Article) -> list[Entity]:
        """Return the entities with these keys as a page should know them, all read at once, without unknown ones."""
        wanted = [[("language", "=", page.language), ("key", "in", keys)]]
        rows = self._tables.rows("entities", wanted, ["language", "lead", "key", "title", "entity"]) if keys else []
        known = {row["key"]: row for row in rows}
        mentions = self._mentions_of(keys, page.language) if rows else {}
        return [self._entity(known[key], page, mentions.get(key, ())) for key in keys if key in known]

    def find(self, names: Iterable[str], page: Article) -> Entity | None:
        """Return the entity that the first known one of these names stands for in a page's language, if any does."""
        known = [name for name in names if name]
        rows = (named(name, page.language) for named in (self._named, self._foreign) for name in known)
        row = next(filter(None, rows), None)
        return None if row is None else self._entity(row, page)

    def location(self, names: Iterable[str], language: str) -> Location | None:
        """Return where the page is in its corpus that the first known one of these names stands for."""
        rows = (self._named(name, language) for name in names if name)
        row = next(filter(None, rows), None)
        return None if row is None else location_in(row)

    def locations(self, keys: tuple[str, ...], language: str) -> dict[str, Location]:
        """Return where the pages with these keys are; pages that the index lacks are left out."""
        return self._located(keys, language)

    def location_of_file(self, path: str, language: str) -> Location | None:
        """Return where the page is whose path in the corpus is the longest end of this path, which has no ending."""
        return self._located_file(path, language)

    def sampled_links(self, language: str) -> tuple[ObservedLink, ...]:
        """Return some links of the corpus's pages in a language, as they are written; older indexes have none."""
        return self._sampled(language)

    def page(self, name: str, language: str = "") -> Article:
        """Return the page that a title, a redirect's title, a slug or an id names, parsed.

        It is for reading: tables keep no markup, so the article cannot be edited or answered for.
        """
        from linkspot.tables.schemas import article_of

        language = language or self._only_language()
        row = self._article(language, self._known(name, language)["key"])
        return article_of(row["title"], row["language"], row["sections"])

    def _known(self, name: str, language: str) -> "Row":
        row = self._named(_name(name), language)
        if row is None:
            raise UnusableInput(
                f"{self.folder} has no article called {name!r} in {language!r}; see its table of entities"
            )
        return row

    def _entity(
        self, row: "Row", page: Article | None, mentions: tuple[str, ...] | None = None, language: str = ""
    ) -> Entity:
        """Return the entity of a row as a page of a language should know it; words of another language are not its."""
        language = language or (page.language if page else row["language"])
        identity = local_id(row["entity"], row["language"], row["title"])
        if mentions is None:
            mentions = self._mentions(row["key"], language) if row["language"] == language else ()
        precedents = self._precedents(row, page) if page else ()
        source = row if row["lead"] or not identity else self._foreign(identity, language) or row
        lead_language = source["language"] if source["language"] != language else ""
        return Entity(row["title"], source["lead"], mentions, identity, "", precedents, lead_language)

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
        if not (source and self._is_shared(source) and self._is_shared(target)):
            return ()
        links = (link for link in self._links_of(source["entity"]) if link["target_entity"] == target["entity"])
        first = {link["language"]: link for link in links if link["language"] != page.language}
        return tuple(self._precedent(first[language]) for language in sorted(first)[:MOST_PRECEDENTS])

    def _is_shared(self, page: "Row") -> bool:
        """Return whether pages in other languages may have the same id; an earlier version took titles for ids."""
        return bool(page["entity"]) and (self._tables.identities is not None or page["entity"] != page["title"])

    def _precedent(self, link: "Row") -> Precedent:
        from linkspot.tables.schemas import article_of

        row = self._article(link["language"], link["source_key"])
        return precedent_at(article_of(row["title"], row["language"], row["sections"]), link["sentence"])

    def _article(self, language: str, key: str) -> "Row":
        columns = ["title", "language", "sections"]
        return self._tables.rows("articles", [[("language", "=", language), ("key", "=", key)]], columns)[0]

    def _read_named(self, name: str, language: str) -> "Row | None":
        spellings = _spellings(name, language)
        return self._spelled(spellings, language) or self._spelled(self._redirected(spellings, language), language)

    def _spelled(self, spellings: tuple[str, ...], language: str) -> "Row | None":
        if not spellings:
            return None
        names = ("key", "title", "entity")
        alternatives = [[("language", "=", language), (name, "in", spellings)] for name in names]
        rows = self._tables.rows("entities", alternatives, ["language", "lead", *names, *self._location_columns])
        # The same title may be another page's id: what is spelled as it was asked for comes first.
        rows.sort(key=lambda row: min(spellings.index(row[name]) for name in names if row[name] in spellings))
        return rows[0] if rows else None

    def _redirected(self, spellings: tuple[str, ...], language: str) -> tuple[str, ...]:
        is_redirect = [[("language", "=", language), ("name", "in", spellings)]]
        return tuple(row["end"] for row in self._tables.rows("redirects", is_redirect, ["end"]))

    def _read_foreign(self, name: str, language: str) -> "Row | None":
        """Return what another language's page says of the entity with this id."""
        is_same = [[("entity", "in", _spellings(name, language))]]
        columns = ["language", "lead", "key", "title", "entity", *self._location_columns]
        return foreign_lead(self._tables.rows("entities", is_same, columns), language)

    def _read_mentions(self, key: str, language: str) -> tuple[str, ...]:
        return self._mentions_of([key], language).get(key, ())

    def _mentions_of(self, keys: list[str], language: str) -> dict[str, tuple[str, ...]]:
        """Return the most used mentions of each key that has any."""
        rows = self._tables.rows(
            "mentions", [[("language", "=", language), ("key", "in", keys)]], ["key", "mention", "count"]
        )
        rows.sort(key=lambda row: (-row["count"], row["mention"]))
        mentions: dict[str, tuple[str, ...]] = {}
        most = {row["key"]: row["count"] for row in reversed(rows)}
        for row in rows:
            if row["count"] * _RARER > most[row["key"]]:
                mentions[row["key"]] = (*mentions.get(row["key"], ()), row["mention"])[:MOST_MENTIONS]
        return mentions

    def _batches_of_entities(self, language: str) -> Iterator[list["Row"]]:
        columns = ["language", "lead", "key", "title", "entity", *self._location_columns]
        return self._tables.batches("entities", language, columns, _ENTITIES_AT_A_TIME)

    def _read_locations(self, keys: tuple[str, ...], language: str) -> dict[str, Location]:
        wanted = [[("language", "=", language), ("key", "in", keys)]]
        rows = self._tables.rows("entities", wanted, ["key", "entity", *self._location_columns])
        return {row["key"]: location_in(row) for row in rows}

    def _read_location_of_file(self, path: str, language: str) -> Location | None:
        names = names_of(path)
        ends = ["/".join(names[start:]) for start in range(len(names))]
        if not ends or "path" not in self._tables.columns("entities"):
            return None
        wanted = [[("language", "=", language), ("path", "in", ends)]]
        rows = self._tables.rows("entities", wanted, ["key", "entity", "path", "slug"])
        return location_in(max(rows, key=lambda row: len(row["path"]))) if rows else None

    def _read_samples(self, language: str) -> tuple[ObservedLink, ...]:
        if not (self.folder / LINK_SAMPLES).exists():
            return ()
        columns = ["address", "form", "source_path", "source_slug", "target_path", "target_slug"]
        rows = self._tables.rows(LINK_SAMPLES, [[("language", "=", language)]], columns)
        return tuple(map(ObservedLink.of_row, rows))

    @property
    def _location_columns(self) -> list[str]:
        return [name for name in ("path", "slug") if name in self._tables.columns("entities")]

    def _read_links_of(self, source_entity: str) -> list["Row"]:
        """Return the links of all languages' versions of a page, each page's last link first."""
        columns = ["language", "source_key", "target_entity", "sentence"]
        rows = self._tables.rows("links", [[("source_entity", "=", source_entity)]], columns)
        return sorted(rows, key=lambda row: (row["language"], row["sentence"]), reverse=True)


def _spellings(name: str, language: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((name, str(TitleRules(language).normalise(name).page), name.casefold())))


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise WrongType(f"an index is asked by a title or an id, which is a string, not {type(name).__name__}")
    return name


IndexInput: TypeAlias = Index | str | os.PathLike[str]
"""What stands for an index: itself, or its folder."""
