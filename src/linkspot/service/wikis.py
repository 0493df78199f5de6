"""The wikis that the service may read, each through one client that gets one request at a time."""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias, TypeVar, cast

from linkspot.answers.target import completed
from linkspot.corpora.wiki.api import Wiki
from linkspot.corpora.wiki.live_page import IMPATIENT, LivePage, live_revision
from linkspot.corpora.wiki_languages import language_of_wiki
from linkspot.errors import UnreadablePage
from linkspot.records import Entity
from linkspot.service.faults import Overloaded, UnknownWiki
from linkspot.service.settings import ServiceSettings, WikiSettings
from linkspot.service.target_page import TargetPageTask
from linkspot.service.worker_process import WorkerTask

_MOST_WAITING = 16  # requests to one wiki
_MOST_KEPT_CHARACTERS = 4_000_000  # of the revisions of a wiki that are kept
_WIKIMEDIA = frozenset({"wikipedia", "wiktionary", "wikibooks", "wikinews", "wikiquote", "wikisource", "wikivoyage"})
_MOST_TARGETS, _SECONDS_KEPT = 1_000, 600.0
T = TypeVar("T")
Work: TypeAlias = Callable[[WorkerTask], Awaitable[object]]


class ConfiguredWiki:
    """A wiki of the settings: its pages by title, number or revision; `work` has a worker do a task."""

    def __init__(self, settings: WikiSettings, service: ServiceSettings, work: Work) -> None:
        self.settings = settings
        self._service, self._work = service, work
        self._client: Wiki | None = None
        self._turn = threading.Lock()
        self._waiting = 0
        self._language = ""
        self._targets: OrderedDict[str, tuple[float, Entity | None]] = OrderedDict()
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
        known = await self._known(entity.title)
        return completed(replace(entity, title=known.title), known) if known else entity

    async def language(self) -> str:
        """Return the language of the wiki's pages; of a wiki of Wikimedia, its name says it."""
        if not self._language:
            known = language_of_wiki(f"{self.settings.domain}wiki") if self.settings.project in _WIKIMEDIA else ""
            self._language = known or await self.ask(lambda wiki: language_of_wiki("", wiki.site["lang"]))
        return self._language

    async def _known(self, title: str) -> Entity | None:
        """Return what the wiki's page with this title says, None if it has none; it is kept for some minutes."""
        now = time.monotonic()
        if title in self._targets and self._targets[title][0] > now:
            return self._targets[title][1]
        try:
            page = (await self.ask(lambda wiki: live_revision(wiki, title))).page
        except UnreadablePage:
            known = None
        else:
            known = cast("Entity", await self._work(TargetPageTask(page, self._service.limits)))
        self._targets[title] = now + _SECONDS_KEPT, known
        while len(self._targets) > _MOST_TARGETS:
            self._targets.popitem(last=False)
        return known

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

    def __init__(self, settings: ServiceSettings, work: Work) -> None:
        self._settings = settings
        self._wikis = {wiki: ConfiguredWiki(wiki, settings, work) for wiki in settings.wikis}

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
