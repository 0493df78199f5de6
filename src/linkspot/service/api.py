"""The API of the service: places for links, asked with pages and targets."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request, Response
from pydantic import ValidationError

from linkspot.errors import UnusableInput
from linkspot.service.batch import batch_results, fetches
from linkspot.service.requests import BatchRequest, PageRequest, SuggestRequest, TargetRequest
from linkspot.service.service import AnswerSheet, Service

_JSON = "application/json"
_TEXT = {
    "page": {
        "text": "Dhows sail with the '''monsoons'''. They carry dates.",
        "markup": "wikitext",
        "language": "en",
        "title": "Dhow",
    },
    "target": {"title": "Monsoon", "lead": "A monsoon is a seasonal wind of South Asia."},
}
_WIKI = {
    "page": {"wiki": "sw.wikipedia.org", "title": "Jahazi"},
    "targets": [{"title": "Pepo za msimu"}, {"title": "Tende"}],
    "top": 3,
}
_ERROR = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
            "required": ["code", "message"],
        },
        "request_id": {"type": "string"},
    },
    "required": ["error", "request_id"],
}


def _errors(*codes: tuple[int, str]) -> dict[int | str, dict[str, Any]]:
    """Return what OpenAPI says of some errors."""
    return {code: {"description": text, "content": {_JSON: {"schema": _ERROR}}} for code, text in codes}


_RESPONSES = _errors(
    (400, "The body is not JSON."),
    (404, "The service reads no such wiki, or the wiki has no such page."),
    (413, "The page, a target or the whole request is over a limit."),
    (415, "The body is packed in a way that is not known."),
    (422, "A field is missing, misspelled or has a value that makes no sense."),
    (429, "The address has sent too many requests; see Retry-After."),
    (500, "Something went wrong in the service."),
    (502, "The wiki does not answer."),
    (503, "The service starts, or too many requests wait; see Retry-After."),
    (504, "The page takes too much time or memory."),
) | {304: {"description": "The answer has the ETag of If-None-Match."}}
router = APIRouter(prefix="/v1", tags=["places"], responses=_RESPONSES)


@router.post("/suggest")
async def suggest(
    request: Request,
    asked: Annotated[
        SuggestRequest,
        Body(
            openapi_examples={
                "text": {"summary": "A page by its text", "value": _TEXT},
                "wiki": {"summary": "A page of a wiki", "value": _WIKI},
            }
        ),
    ],
) -> Response:
    """Rank the places in a page where links to some targets belong.

    Each of the `answers` has the shape of `linkspot suggest --format json`.
    """
    service = service_of(request)
    if fetches([asked]):
        service.visits.admit_fetch(request)
    return _answer(request, await service.answer(asked))


@router.post("/suggest/batch")
async def suggest_batch(
    request: Request,
    asked: Annotated[BatchRequest, Body(openapi_examples={"two": {"value": {"requests": [_TEXT, _WIKI]}}})],
) -> Response:
    """Answer several requests; each of the `results` is what /v1/suggest returns, or has `error` and `status_code`."""
    service = service_of(request)
    for one in asked.requests:
        if fetches([one]):
            service.visits.admit_fetch(request)
    return Response(await batch_results(service, asked), media_type=_JSON)


@router.get("/places")
async def places(
    request: Request,
    wiki: Annotated[str, Query(description="A wiki that the service may read.")],
    target: Annotated[list[str], Query(description="The title of what to link to; repeat it for several.")],
    page: Annotated[str, Query(description="The page's title.")] = "",
    page_id: Annotated[int, Query(ge=0)] = 0,
    revision: Annotated[int, Query(ge=0)] = 0,
    top: Annotated[int | None, Query(ge=1)] = None,
) -> Response:
    """Rank the places in a page of a wiki where links to some targets belong."""
    try:
        asked = SuggestRequest(
            page=PageRequest(wiki=wiki, title=page, page_id=page_id, revision=revision),
            targets=tuple(TargetRequest(title=title) for title in target),
            top=top,
        )
    except ValidationError as error:
        raise UnusableInput(error.errors()[0]["msg"].removeprefix("Value error, ")) from None
    service = service_of(request)
    service.wiki(wiki)
    service.visits.admit_fetch(request)
    return _answer(request, await service.answer(asked))


def service_of(request: Request) -> Service:
    """Return the service of the application that a request was sent to."""
    service: Service = request.app.state.service
    return service


def _answer(request: Request, sheet: AnswerSheet) -> Response:
    tag = f'"{sheet.etag}"'
    if tag in request.headers.get("If-None-Match", ""):
        return Response(status_code=304, headers={"ETag": tag})
    return Response(sheet.content, media_type=_JSON, headers={"ETag": tag})
