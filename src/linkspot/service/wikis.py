"""The wikis that the service may read, each through one client that gets one request at a time."""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from linkspot.answers.target import completed, entity_of
from linkspot.corpora.wiki.api import Wiki
from linkspot.corpora.wiki.live_page import IMPATIENT, LivePage, live_revision
from linkspot.door import check_page
from linkspot.errors import UnreadablePage
from linkspot.parsing import parse
from linkspot.records import Entity
from linkspot.service.faults import Overloaded, UnknownWiki
from linkspot.service.settings import ServiceSettings, WikiSettings

_MOST_WAITING = 16  # requests to one wiki
_MOST_KEPT_CHARACTERS = 4_000_000  # of the revisions of a wiki that are kept
T = TypeVar("T")


class ConfiguredWiki:
    """A wiki of the settings: its pages by title, number or revision."""

    def __init__(self, settings: WikiSettings, service: ServiceSettings) -> None:
        self.settings = settings
        self._service = service
        self._client: Wiki | None = None
        self._turn = threading.Lock()
        self._waiting = 0
        self._kept: OrderedDict[tuple[int, str], LivePage] = OrderedDict()  # a revision never changes

    async def ask(self, question: Callable[[Wiki], T]) -> T:
        """Return what a function makes of the wiki's client; it runs in a thread, after those that came before."""
        if self._waiting >= _MOST_WAITING:
            raise Overloaded(f"{self._waiting} requests to {self.settings.host} wait already; ask again later", 10)
        self._waiting += 1
        try:
            return await asyncio.to_thread(self._asked, question)
        finally:
            self._waiting -= 1

    async def page(self, title: str = "", page_id: int = 0, revision: int = 0, language: str = "") -> LivePage:
        """Return a page with its number and the revision that was read."""
        kept = self._kept.get((revision, language))
        if kept is None or page_id not in {0, kept.page_id}:
            kept = await self.ask(lambda wiki: live_revision(wiki, title, page_id, revision, language))
            self._keep(kept, language)
        return kept

    async def entity(self, entity: Entity) -> Entity:
        """Return a target with what the wiki knows of it; one that the wiki lacks stays as it is."""
        if not entity.title.strip() or (entity.lead and entity.mentions):
            return entity
        return await self.ask(lambda wiki: _known(wiki, entity, self._service))

    def close(self) -> None:
        """Close the connections."""
        if self._client:
            self._client.close()

    def _asked(self, question: Callable[[Wiki], T]) -> T:
        with self._turn:
            if self._client is None:
                limits, patience = self._service.limits.of_page(), replace(IMPATIENT, tries=1)
                self._client = Wiki(self.settings.api, self._service.contact, patience, maxlag=None, limits=limits)
            return question(self._client)

    def _keep(self, page: LivePage, language: str) -> None:
        self._kept[page.revision, language] = page
        while sum(len(kept.page.text) for kept in self._kept.values()) > _MOST_KEPT_CHARACTERS:
            self._kept.popitem(last=False)


class ConfiguredWikis:
    """All wikis of the settings, by their names."""

    def __init__(self, settings: ServiceSettings) -> None:
        self._settings = settings
        self._wikis = {wiki: ConfiguredWiki(wiki, settings) for wiki in settings.wikis}

    def wiki(self, name: str) -> ConfiguredWiki:
        """Return the wiki that has this name."""
        settings = self._settings.wiki(name)
        if settings is None:
            names = ", ".join(wiki.name for wiki in self._settings.wikis) or "none"
            raise UnknownWiki(f"this service reads no wiki called {name[:100]!r}; those that it reads: {names}")
        return self._wikis[settings]

    def close(self) -> None:
        """Close all connections."""
        for wiki in self._wikis.values():
            wiki.close()


def _known(wiki: Wiki, entity: Entity, service: ServiceSettings) -> Entity:
    try:
        page = live_revision(wiki, entity.title).page
    except UnreadablePage:
        return entity
    check_page(page, service.limits.of_page())
    known = replace(entity_of(parse(page)), mentions=page.redirects[: service.limits.mentions], id=page.entity)
    known = replace(known, lead=known.lead[: service.limits.lead_bytes])
    return completed(replace(entity, title=known.title), known)
