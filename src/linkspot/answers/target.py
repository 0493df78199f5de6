"""The target of a link: what is known of it from a title, a page, a file, an index, or from flags."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from linkspot.answers.safe_address import path_address
from linkspot.answers.source_page import SourcePage, ends_like_a_page, is_file
from linkspot.corpora.page_file import read_page
from linkspot.door import check_page
from linkspot.errors import EmptyTarget, UnknownLanguage, UnreadablePage, UnusableInput, WrongType
from linkspot.links.index import Index, IndexInput, opened_index
from linkspot.links.locations import Location
from linkspot.parsing import language_of, parse
from linkspot.parsing.markup import markup_kind
from linkspot.records import Article, Entity, Page

TargetInput: TypeAlias = Entity | Page | str | os.PathLike[str]
"""What stands for a target: a record, a page, a path, or a string that is a path or a title."""


@dataclass(frozen=True, slots=True)
class Target:
    """A target, and what shows where it is: its file, an index, or the address that a user gives it or a page uses.

    `location` is where it is in the index, if that was looked up already.
    """

    entity: Entity
    file: Path | None = None
    index: Index | None = None
    url: str = ""
    location: Location | None = None


def entity_of(article: Article) -> Entity:
    """Return the entity that a page is about."""
    return Entity(article.title, article.lead, id=article.id)


def target_or_path(target: TargetInput) -> Entity | Page | Path | str:
    """Return what an argument stands for: a record, the path of a file, or a title.

    A string is a path if it ends like a page's file (.html, .wiki, .md …); any other string is a title.
    """
    if isinstance(target, Entity | Page):
        return target
    if isinstance(target, os.PathLike):
        return Path(target)
    if not isinstance(target, str):
        raise WrongType(f"a target is an Entity, a Page, a path or a title, not {type(target).__name__}")
    if not target.strip():
        raise EmptyTarget("the target is an empty string; pass a title, a path, a Page or an Entity")
    if not ends_like_a_page(target):
        if is_file(target):
            raise UnusableInput(f"{target!r} is a title and also a file here; pass Entity({target!r}) or a Path")
        return target
    if not is_file(target):
        raise UnreadablePage(
            f"there is no file {target!r}; a string that ends like a page's file is a path: "
            f"pass Entity({target!r}) if it is a title"
        )
    return Path(target)


class Targets:
    """Turns what users name as a target into an entity, as the page that gets the link should know it.

    Files and pages are parsed once for each language. An index adds what it knows: a lead, mentions, an id, and where
    other languages' versions of the page link the target. A title has to be in the index; of other targets, what is
    given comes first, and one that the index does not know stays as it is.
    """

    def __init__(self, index: IndexInput | None = None) -> None:
        self._index = None if index is None else opened_index(index)
        self._parsed: dict[tuple[Page | Path, str], Entity] = {}

    def target(self, target: TargetInput, source: SourcePage) -> Target:
        """Return a target with what shows where it is, for one page."""
        opened = target_or_path(target)
        file = opened if isinstance(opened, Path) else None
        url = opened.url if isinstance(opened, Entity) else ""
        return Target(self.entity(opened, source), file, self._index, url)

    def entity(self, target: TargetInput, source: SourcePage) -> Entity:
        """Return the entity that a target is, for one page."""
        opened = target_or_path(target)
        if isinstance(opened, str):
            return self._index.entity(opened, page=source.article) if self._index else Entity(opened)
        if isinstance(opened, Entity):
            return self._completed(opened, source)
        entity = self._entity_of_page(opened, source.article.language)
        if isinstance(opened, Path):
            entity = replace(entity, url=_address(opened, entity, source))
        return self._completed(entity, source)

    def _entity_of_page(self, target: Page | Path, language: str) -> Entity:
        if (target, language) not in self._parsed:
            page = read_page(target, language=language) if isinstance(target, Path) else target
            check_page(page)
            self._parsed[target, language] = entity_of(parse(_with_language(page, language)))
        return self._parsed[target, language]

    def _completed(self, entity: Entity, source: SourcePage) -> Entity:
        known = self._index.find((entity.id, entity.title), source.article) if self._index else None
        return entity if known is None else completed(entity, known)


@dataclass(frozen=True, slots=True)
class TargetDescription:
    """What flags say of a target; it comes before what the target's file or an index says."""

    title: str = ""
    lead: str = ""
    mentions: tuple[str, ...] = ()
    url: str = ""
    file: Path | None = None

    def target(self, source: SourcePage, index: IndexInput | None = None) -> Target:
        """Return the described target, for one page."""
        self._check_named(index)
        opened = None if index is None else opened_index(index)
        return Target(self.entity(source, opened), self.file, opened, self.url)

    def _check_named(self, index: IndexInput | None) -> None:
        if index is not None and self.file is None and not self.title:
            raise EmptyTarget("an index is asked by --title; name the target with it")

    def entity(self, source: SourcePage, index: IndexInput | None = None) -> Entity:
        """Return the described entity, for one page."""
        if self.file is not None:
            known = Targets(index).entity(self.file, source)
            return completed(self._entity(self.title or known.title), known)
        self._check_named(index)
        if index is not None:
            known = opened_index(index).entity(self.title, page=source.article)
            return completed(self._entity(known.title), known)  # the title as the index spells it
        if not any(name.strip() for name in (self.title, *self.mentions)):
            raise EmptyTarget("the target has no text: name it with --target FILE, or --title and --mention")
        return self._entity(self.title)

    def _entity(self, title: str) -> Entity:
        return Entity(title, self.lead, self.mentions, url=self.url)


def completed(entity: Entity, known: Entity) -> Entity:
    """Return the entity with what another record knows of it besides."""
    return Entity(
        entity.title or known.title,
        entity.lead or known.lead,
        tuple(dict.fromkeys((*entity.mentions, *known.mentions))),
        entity.id or known.id,
        entity.url or known.url,
        entity.precedents or known.precedents,
        entity.lead_language if entity.lead else known.lead_language,
    )


def _with_language(page: Page, language: str) -> Page:
    """Return the page; if it does not say its language, with the language of the page that gets the link."""
    try:
        return replace(page, language=language_of(page))
    except UnknownLanguage:
        if page.language:
            raise
        return replace(page, language=language)


def _address(target: Path, entity: Entity, source: SourcePage) -> str:
    """Return the path from the page's file to the target's, for sites whose links are such paths; else nothing."""
    is_published_by_slug = "/" in entity.id
    if source.path is None or is_published_by_slug or markup_kind(source.page.markup).links_hold_titles:
        return ""
    return path_address(Path(os.path.relpath(target, source.path.parent)).as_posix())
