"""The API of the service: places for links, asked with pages and targets."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from linkspot.service.requests import PageRequest, SuggestRequest, TargetRequest
from linkspot.service.service import AnswerSheet, Service

router = APIRouter(prefix="/v1", tags=["places"])
_JSON = "application/json"


@router.post("/suggest")
async def suggest(request: Request, asked: SuggestRequest) -> Response:
    """Rank the places in a page where links to some targets belong."""
    return _answer(request, await _service(request).answer(asked))


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
    asked = SuggestRequest(
        page=PageRequest(wiki=wiki, title=page, page_id=page_id, revision=revision),
        targets=tuple(TargetRequest(title=title) for title in target),
        top=top,
    )
    return _answer(request, await _service(request).answer(asked))


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _answer(request: Request, sheet: AnswerSheet) -> Response:
    tag = f'"{sheet.etag}"'
    if tag in request.headers.get("If-None-Match", ""):
        return Response(status_code=304, headers={"ETag": tag})
    return Response(sheet.content, media_type=_JSON, headers={"ETag": tag})
