"""The service itself: from a request to answers, through the cache, the wikis and the workers."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from linkspot.corpora.wiki.live_page import LivePage
from linkspot.ranking.fingerprint import fingerprint
from linkspot.records import Entity, Page
from linkspot.service.answer_cache import KeptAnswers
from linkspot.service.answer_task import AnswerTask, digest
from linkspot.service.metrics import ServiceMetrics
from linkspot.service.requests import AnswerOptions, PageRequest, SuggestRequest, TargetRequest
from linkspot.service.settings import ServiceSettings
from linkspot.service.visits import Visits
from linkspot.service.wikis import ConfiguredWiki, ConfiguredWikis
from linkspot.service.worker_process import WorkerSetup, WorkerTask
from linkspot.service.workers import WorkerPool


@dataclass(frozen=True, slots=True)
class AnswerSheet:
    """The answers of one request in JSON, and the tag by which a client can ask whether they have changed."""

    content: bytes
    etag: str


class Service:
    """Answers requests; one of them lives as long as the application."""

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings = settings
        self.metrics = ServiceMetrics()
        self.cache = KeptAnswers(settings.cache_memory_bytes, settings.cache_folder, settings.cache_disk_bytes)
        self.wikis = ConfiguredWikis(settings, self.work)
        setup = WorkerSetup(settings.ranker, settings.limits.of_page())
        self.pool = WorkerPool(setup, settings.workers, settings.limits)
        self.visits = Visits(settings.limits)
        self.model = fingerprint(settings.ranker)

    def start(self) -> None:
        """Start the workers."""
        self.metrics.watch(self.pool, self.model)
        self.pool.start()

    def close(self) -> None:
        """End the workers and close what is open."""
        self.pool.close()
        self.wikis.close()
        self.cache.close()

    def wiki(self, name: str) -> ConfiguredWiki:
        """Return the wiki that has this name; UnknownWiki if the service may not read it."""
        return self.wikis.wiki(name)

    async def suggest(
        self, page: PageRequest, targets: Sequence[TargetRequest], options: AnswerOptions | None = None
    ) -> dict[str, Any]:
        """Return `page`, what is known of the page, and `answers`, one for each target in the shape of docs/json.md."""
        values = options.model_dump() if options else {}
        sheet = await self.answer(SuggestRequest(page=page, targets=tuple(targets), **values))
        return cast("dict[str, Any]", json.loads(sheet.content))

    async def answer(self, request: SuggestRequest) -> AnswerSheet:
        """Return the answers to a request."""
        request.check(self.settings.limits)
        read = await self.page(request.page)
        translations = [(await self.page(page)).page for page in request.translations]
        wiki = self.wiki(request.page.wiki) if request.page.wiki else None
        targets = [await self._entity(target, wiki) for target in request.all_targets]
        options = (request.top, request.anyway, request.exclude_sections)
        index = wiki.settings.index if wiki else None
        task = AnswerTask(read.page, tuple(targets), tuple(translations), *options, index)
        keys = task.keys(self.model)
        answers = await self._answers(task, keys)
        about = {
            "title": read.page.title,
            "wiki": request.page.wiki,
            "page_id": read.page_id,
            "revision": read.revision,
        }
        head = json.dumps(about, ensure_ascii=False).encode(errors="replace")
        return AnswerSheet(b'{"page":%b,"answers":[%b]}' % (head, b",".join(answers)), digest((about, keys)))

    async def page(self, request: PageRequest) -> LivePage:
        """Return the page of a request; one that is given by its text has no number and no revision."""
        request.check(self.settings.limits)
        if request.wiki:
            wiki = self.wiki(request.wiki)
            return await wiki.page(request.title, request.page_id, request.revision, request.language)
        return LivePage(Page(request.title, request.text, request.markup, request.language), 0, 0)

    async def work(self, task: WorkerTask) -> object:
        """Return what a worker makes of a task."""
        with self.metrics.ranking.time():
            return await self.pool.run(task)

    async def kept(self, key: str, task: WorkerTask) -> object:
        """Return the result of a task that can be written as JSON, from the cache if it is there."""
        content = self.cache.get(key)
        self.metrics.cached(int(content is not None), int(content is None))
        if content is None:
            content = json.dumps(await self.work(task), ensure_ascii=True).encode()
            self.cache.put(key, content)
        return json.loads(content)

    async def _entity(self, target: TargetRequest, wiki: ConfiguredWiki | None) -> Entity:
        entity = Entity(target.title.strip(), target.lead.strip(), target.mentions, target.id, target.url)
        if wiki is None or wiki.settings.index:
            return entity
        return await wiki.entity(entity)

    async def _answers(self, task: AnswerTask, keys: list[str]) -> list[bytes]:
        kept = [self.cache.get(key) for key in keys]
        missing = [number for number, answer in enumerate(kept) if answer is None]
        self.metrics.cached(len(keys) - len(missing), len(missing))
        if missing:
            made = cast("list[bytes]", await self.work(task.only(missing)))
            for number, answer in zip(missing, made, strict=True):
                kept[number] = answer
                self.cache.put(keys[number], answer)
        return [answer for answer in kept if answer is not None]
