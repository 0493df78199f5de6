"""The addresses of linkrecommendation, as GrowthExperiments and VisualEditor load it."""

import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Any, cast

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from linkspot import __version__
from linkspot.corpora.wiki.live_page import LivePage
from linkspot.records import Markup, Page
from linkspot.service.answer_task import digest
from linkspot.service.api import service_of
from linkspot.service.recommendations import RecommendationTask
from linkspot.service.requests import Text, check_bytes, check_number
from linkspot.service.service import Service
from linkspot.service.settings import ServiceLimits, WikiSettings

router = APIRouter(prefix="/v1/linkrecommendations", tags=["linkrecommendation"])
_FORMAT_VERSION = 1
_MOST_LINKS = 50
_JSON = "application/json"
_CORS = {"Access-Control-Allow-Origin": "*"}  # VisualEditor asks from the wiki's own pages
_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"description": "There is no such wiki here, or the request is not valid."},
    404: {"description": "The wiki has no such page."},
    413: {"description": "The page is over a limit."},
    422: {"description": "The page cannot be read."},
    429: {"description": "The address has sent too many requests."},
    502: {"description": "The wiki does not answer."},
    503: {"description": "The service starts, or too many requests wait."},
    504: {"description": "The page takes too much time or memory."},
}
Project = Annotated[str, Path(description="Such as wikipedia.")]
Domain = Annotated[str, Path(description="The wiki's subdomain, such as sw or bat_smg.")]
Title = Annotated[str, Path(description="The page's title; a slash in it is %2F.")]
Threshold = Annotated[float | None, Query(ge=0, le=1, description="The lowest score.")]
MostLinks = Annotated[int, Query(ge=1, le=_MOST_LINKS, description="The most links.")]
LanguageCode = Annotated[str, Query(description="The page's language, if it is not the wiki's.")]
Excluded = Annotated[list[str] | None, Query(description="Titles of sections that get no link.")]
Targets = Annotated[list[str] | None, Query(description="Titles that are asked for, besides those that are found.")]


class WikitextBody(BaseModel):
    """The page that a wiki sends along; other fields are ignored, as the contract has it."""

    wikitext: Text
    revid: int = Field(ge=0)
    pageid: int = Field(ge=0)
    sections_to_exclude: list[Text] = Field(default_factory=list)


@router.get("/{project}/{domain}/{title:path}", responses=_ERRORS)
async def recommendations(
    request: Request,
    project: Project,
    domain: Domain,
    title: Title,
    threshold: Threshold = None,
    max_recommendations: MostLinks = 15,
    language_code: LanguageCode = "",
    sections_to_exclude: Excluded = None,
    revision: Annotated[int, Query(ge=0, description="The revision; by default the current one.")] = 0,
    target: Targets = None,
) -> Response:
    """Return words of a page that should become links; the page is read from its wiki."""
    service = service_of(request)
    wiki = service.settings.wiki(f"{project}/{domain}")
    if wiki is None or wiki.index is None:
        return _unknown(service)
    service.visits.admit_fetch(request)
    check_bytes(title, service.settings.limits.title_bytes, "the title")
    read = await service.wiki(wiki.name).page(title.replace("_", " "), revision=revision, language=language_code)
    options = (threshold, max_recommendations, sections_to_exclude or [], target or [])
    return await _answered(service, wiki, read, *options)


@router.post("/{project}/{domain}/{title:path}", responses=_ERRORS)
async def recommendations_of_text(
    request: Request,
    project: Project,
    domain: Domain,
    title: Title,
    body: WikitextBody,
    threshold: Threshold = None,
    max_recommendations: MostLinks = 15,
    language_code: LanguageCode = "",
    sections_to_exclude: Excluded = None,
    target: Targets = None,
) -> Response:
    """Return words of a page that should become links; the request brings the page."""
    service = service_of(request)
    wiki = service.settings.wiki(f"{project}/{domain}")
    if wiki is None or wiki.index is None:
        return _unknown(service)
    check_bytes(title, service.settings.limits.title_bytes, "the title")
    language = language_code or await service.wiki(wiki.name).language()
    page = Page(title.replace("_", " "), body.wikitext, Markup.WIKITEXT, language)
    excluded = [*(sections_to_exclude or []), *body.sections_to_exclude]
    read = LivePage(page, body.pageid, body.revid)
    return await _answered(service, wiki, read, threshold, max_recommendations, excluded, target or [])


async def _answered(
    service: Service,
    wiki: WikiSettings,
    read: LivePage,
    threshold: float | None,
    most: int,
    excluded: Sequence[str],
    targets: Sequence[str],
) -> Response:
    limits = service.settings.limits
    _check(limits, excluded, targets)
    check_bytes(read.page.text, limits.body_bytes, "the page")
    least = service.settings.threshold if threshold is None else threshold
    if wiki.index is None:
        return _unknown(service)
    task = RecommendationTask(read.page, wiki.index, least, most, tuple(excluded), tuple(targets))
    links = await service.kept(digest((service.model, repr(task))), task)
    content = {
        "page_title": read.page.title,
        "pageid": read.page_id,
        "revid": read.revision,
        "links_count": len(cast("list[Any]", links)),
        "links": links,
        "meta": {
            "format_version": _FORMAT_VERSION,
            "application_version": __version__,
            "dataset_checksums": {"model": digest(service.model)},
        },
    }
    return Response(json.dumps(content, ensure_ascii=False).encode(errors="replace"), media_type=_JSON, headers=_CORS)


def _check(limits: ServiceLimits, excluded: Sequence[str], targets: Sequence[str]) -> None:
    check_number(len(excluded), limits.targets, "the request has", "sections to exclude")
    check_number(len(targets), limits.targets, "the request has", "targets")
    for title in (*excluded, *targets):
        check_bytes(title, limits.title_bytes, "a title")


def _unknown(service: Service) -> Response:
    pairs = sorted(f"{wiki.project}/{wiki.domain}" for wiki in service.settings.wikis if wiki.index)
    message = "this service has no such wiki with an index"
    return JSONResponse({"message": message, "valid_project_domain_pairs": pairs}, HTTPStatus.BAD_REQUEST, _CORS)
