"""The documentation of the API as one page that loads nothing, and where a browser begins."""

from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from linkspot.service.page.routes import PATH

router = APIRouter(include_in_schema=False)
_DOCS = "/docs"


@router.get("/")
async def start(request: Request) -> Response:
    """Lead browsers to the page for people, and everybody else to the documentation."""
    is_browser = "text/html" in request.headers.get("Accept", "")
    return RedirectResponse(PATH if is_browser else _DOCS)


@router.get(_DOCS)
async def docs(request: Request) -> HTMLResponse:
    """Return a list of all addresses with what they do."""
    document: dict[str, Any] = request.app.openapi()
    rows = "\n".join(
        f"<dt><code>{method.upper()} {escape(path)}</code></dt><dd>{escape(operation.get('description', ''))}</dd>"
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    )
    about = document["info"]
    return HTMLResponse(
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(about["title"])}</title>\n'
        f"<h1>{escape(about['title'])} {escape(about['version'])}</h1>\n<p>{escape(about['description'])}</p>\n"
        f'<p>The whole API, for programs: <a href="openapi.json">openapi.json</a></p>\n<dl>\n{rows}\n</dl>\n</html>\n',
        headers={"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff"},
    )
