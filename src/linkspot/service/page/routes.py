"""The addresses of the page: itself, its files, and what it asks."""

import json
from collections.abc import Callable
from importlib import resources
from typing import Annotated, Any, cast
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse

from linkspot.answers.samples import SAMPLES
from linkspot.corpora.wiki.answer_parts import objects, part, text
from linkspot.errors import UnreadablePage, UnusableInput
from linkspot.records import Entity, Page
from linkspot.service.api import service_of
from linkspot.service.page.answer_view import ViewTask
from linkspot.service.page.desk import Desk
from linkspot.service.page.edit_check import EditTask
from linkspot.service.page.messages import languages, messages_in, preferred
from linkspot.service.page.page_requests import DecisionRequest, EditQuestion, Question, UndoRequest
from linkspot.service.page.start_page import STATIC, StartPage
from linkspot.service.requests import PageRequest, TargetRequest
from linkspot.service.service import Service
from linkspot.service.settings import ServiceSettings
from linkspot.service.wiki_edits.edit_form import EditForm
from linkspot.service.wiki_edits.wiki_edit import WikiEdit

PATH = "/page"
_LANGUAGE = "linkspot-language"
_YEAR = 365 * 24 * 3_600
_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
_FOUND = 10  # titles that a search shows
_LARGEST_REVISION = 2**53


def router(settings: ServiceSettings) -> APIRouter:
    """Return the routes of the page."""
    return PageRoutes(settings).router


class PageRoutes:
    """The routes of the page for one service."""

    def __init__(self, settings: ServiceSettings) -> None:
        self._settings, self._desk = settings, Desk.of(settings)
        self._files = _static_files()
        self.router = APIRouter(include_in_schema=False)
        add: Callable[..., None] = self.router.add_api_route
        add(PATH, self._start, methods=["GET"], response_class=HTMLResponse)
        add(f"{PATH}/static/{{name}}", self._file, methods=["GET"], response_class=Response)
        add("/linkspot.js", self._user_script, methods=["GET"], response_class=Response)
        add(f"{PATH}/search", self._search, methods=["GET"])
        add(f"{PATH}/places", self._places, methods=["GET"])
        add(f"{PATH}/messages", self._messages, methods=["GET"])
        for name, answer in (("answer", self._answer), ("edit", self._edit), ("decide", self._decide)):
            add(f"{PATH}/{name}", answer, methods=["POST"])
        add(f"{PATH}/undo", self._undo, methods=["POST"])

    async def _start(
        self, request: Request, lang: str = "", wiki: str = "", page: str = "", target: str = ""
    ) -> Response:
        chosen = lang or request.cookies.get(_LANGUAGE, "")
        language = chosen if chosen in languages() else preferred(request.headers.get("Accept-Language", ""))
        session = self._desk.visitors.session(request)
        wikis = tuple(one.name for one in self._settings.wikis)
        asked = {"wiki": wiki, "page": page, "target": target}
        start = StartPage(
            messages_in(language), wikis, self._settings.has_samples, self._desk.visitors.token(session), asked
        )
        response = HTMLResponse(start.html(), headers=self._headers())
        is_secure = request.url.scheme == "https"
        self._desk.visitors.remember(response, session, is_secure=is_secure)
        if lang in languages():
            response.set_cookie(_LANGUAGE, lang, max_age=_YEAR, secure=is_secure, httponly=True, samesite="strict")
        return response

    async def _file(self, name: str) -> Response:
        if name not in self._files:
            raise UnreadablePage(f"the page has no file {name[:60]!r}")
        headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
        return Response(self._files[name], media_type=_TYPES[name.rpartition(".")[2]], headers=headers)

    async def _user_script(self) -> Response:
        return await self._file("linkspot.js")

    async def _search(self, request: Request, wiki: str, q: Annotated[str, Query(max_length=255)]) -> Response:
        """Return titles that begin like what was typed, as the wiki finds them."""
        if not q.strip():
            return _json([])
        question = {"list": "prefixsearch", "pssearch": q, "pslimit": str(_FOUND), "psnamespace": "0"}
        answer = await service_of(request).wiki(wiki).ask(lambda client: client.ask(question))
        titles = (text(page, "title") for page in objects(part(answer, "query"), "prefixsearch"))
        return _json([title for title in titles if title])

    async def _answer(self, request: Request, question: Question) -> Response:
        self._desk.visitors.checked(request)
        return _json(await self._view(request, question))

    async def _places(self, request: Request, wiki: str, page: str, target: str, revision: int = 0) -> Response:
        """Return the places in a page of a wiki, for the user script, which asks from that wiki."""
        if not page.strip() or not target.strip() or not 0 <= revision <= _LARGEST_REVISION:
            raise UnusableInput("the user script asks with the title of a page, its revision, and a target")
        where = PageRequest(wiki=wiki, title=page, revision=revision)
        asked = Question(page=where, target=TargetRequest(title=target))
        return _json(await self._view(request, asked), headers=self._allowed(request))

    async def _messages(self, request: Request, lang: str = "") -> Response:
        """Return the messages of a language, for the user script."""
        return _json(dict(messages_in(preferred(lang)).texts), headers=self._allowed(request))

    async def _view(self, request: Request, question: Question) -> dict[str, Any]:
        service = service_of(request)
        question.check(self._settings.limits)
        if question.page and question.page.wiki:
            service.visits.admit_fetch(request)
        page, target, about = await self._asked(service, question)
        index = service.wiki(about["wiki"]).settings.index if about["wiki"] else None
        view = cast("dict[str, Any]", await service.work(ViewTask(page, target, question.anyway, index)))
        return view | {"about": about}

    async def _asked(self, service: Service, question: Question) -> tuple[Page, Entity | Page, dict[str, Any]]:
        """Return the page, the target, and what the next request will name the page by."""
        target = question.target
        entity = Entity(target.title.strip(), target.lead, target.mentions, target.id, target.url) if target else None
        if question.sample is not None:
            sample = SAMPLES[question.sample]
            page = sample.page()
            return page, entity or sample.target(), {"wiki": "", "revision": 0, "sample": question.sample}
        asked = question.page
        if asked is None or entity is None:
            raise UnreadablePage("the question names no page")
        live = await service.page(asked)
        if asked.wiki and not service.wiki(asked.wiki).settings.index:
            entity = await service.wiki(asked.wiki).entity(entity)
        return live.page, entity, {"wiki": asked.wiki, "revision": live.revision, "title": live.page.title}

    async def _edit(self, request: Request, question: EditQuestion) -> Response:
        self._desk.visitors.checked(request)
        question.check(self._settings.limits)
        service = service_of(request)
        page, target, about = await self._asked(service, question)
        if not isinstance(target, Entity):
            raise UnreadablePage("the edit names no target")
        where = (question.section, question.sentence, question.action)
        task = EditTask(page, target, *where, question.start, question.end, question.text)
        edit = cast("dict[str, Any]", await service.work(task))
        text_after = edit.pop("text")
        if about["wiki"]:
            edit["form"] = self._form(service, about, text_after, target.title, page.language)
        return _json(edit)

    def _form(
        self, service: Service, about: dict[str, Any], text_after: str, target: str, language: str
    ) -> dict[str, Any]:
        summary = messages_in(preferred(language))("summary", target)
        form = EditForm.of(
            service.wiki(about["wiki"]).settings.api, WikiEdit(about["title"], about["revision"], text_after, summary)
        )
        return {"address": form.address, "fields": form.fields}

    async def _decide(self, request: Request, asked: DecisionRequest) -> Response:
        session = self._desk.visitors.checked(request)
        stored = await self._desk.store(asked.decision(session, service_of(request).model))
        return _json({"id": stored.id, "time": stored.time})

    async def _undo(self, request: Request, asked: UndoRequest) -> Response:
        session = self._desk.visitors.checked(request)
        return _json({"undone": await self._desk.undo(session, asked.id)})

    def _headers(self) -> dict[str, str]:
        """Return the headers of the page: nothing of another host, and forms to the wikis alone."""
        forms = " ".join(["'self'", *self._origins()])
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
            f"base-uri 'none'; frame-ancestors 'none'; form-action {forms}"
        )
        return {
            "Content-Security-Policy": policy,
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Vary": "Accept-Language, Cookie",
        }

    def _allowed(self, request: Request) -> dict[str, str]:
        """Return the headers that let a script of one of the wikis read the answer."""
        origin = request.headers.get("Origin", "")
        return {"Access-Control-Allow-Origin": origin, "Vary": "Origin"} if origin in self._origins() else {}

    def _origins(self) -> list[str]:
        addresses = (urlsplit(wiki.api) for wiki in self._settings.wikis)
        return sorted({f"{one.scheme}://{one.netloc.rpartition('@')[2]}" for one in addresses})


def _json(content: object, headers: dict[str, str] | None = None) -> Response:
    """Return content as JSON in ASCII: text of a page may hold half of a character, which UTF-8 cannot write."""
    return Response(json.dumps(content), media_type="application/json", headers=headers)


def _static_files() -> dict[str, bytes]:
    """Return the files of the page; the shades and the text look as in an answer that is one file."""
    folder = resources.files(STATIC)
    files = {file.name: file.read_bytes() for file in folder.iterdir() if file.name.endswith((".css", ".js"))}
    answer = resources.files("linkspot.answers").joinpath("web_page.css").read_bytes()
    return files | {"answer.css": answer}
