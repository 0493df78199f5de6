"""Errors as JSON: one shape for the service's own API, and those that the clients of other contracts expect."""

import logging
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from linkspot.errors import LinkspotError
from linkspot.service.faults import ServiceFault, status_of, where

RECOMMENDATIONS = "/v1/linkrecommendations/"
KSERVE = ("/v1/models", "/v2")
_LOG = logging.getLogger("linkspot.service")
_WRONG_INPUT = frozenset(
    {HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE, HTTPStatus.UNPROCESSABLE_ENTITY}
)
_LONGEST = 500  # characters of a message


def register(app: FastAPI) -> None:
    """Have every error of an application answered in the shape that its client expects."""
    app.add_exception_handler(LinkspotError, _linkspot_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)


def error_response(request: Request, status: int, code: str, message: str, retry_after: int = 0) -> Response:
    """Return an error in the shape that the client of this address expects."""
    headers = {"Retry-After": str(retry_after)} if retry_after else {}
    if request.url.path.startswith(RECOMMENDATIONS):
        headers["Access-Control-Allow-Origin"] = "*"
    if request.url.path.startswith(KSERVE):
        status = kserve_status(status, code)
    content = _content(request, status, code, message[:_LONGEST].encode(errors="replace").decode())
    return JSONResponse(content, status, headers)


def kserve_status(status: int, code: str) -> int:
    """Return the status by which KServe knows an error: whatever is wrong with the input is 400."""
    is_input = status in _WRONG_INPUT or code in {"unknown_wiki", "no_such_page"}
    return HTTPStatus.BAD_REQUEST if is_input else status


def _content(request: Request, status: int, code: str, message: str) -> dict[str, Any]:
    path = request.url.path
    if path.startswith(RECOMMENDATIONS):
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            return {"code": status, "name": HTTPStatus(status).phrase, "description": message}
        return {"message": message}
    if path.startswith(KSERVE):
        return {"error": message}
    identity = getattr(request.state, "request_id", "")
    return {"error": {"code": code, "message": message}, "request_id": identity}


def fault_response(request: Request, error: LinkspotError) -> Response:
    """Return an error of linkspot in the shape that the client of this address expects."""
    status, code = status_of(error)
    return error_response(request, status, code, str(error), getattr(error, "retry_after", 0))


def _linkspot_error(request: Request, error: Exception) -> Response:
    return fault_response(request, error if isinstance(error, LinkspotError) else ServiceFault(str(error)))


def _invalid(request: Request, error: Exception) -> Response:
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    if request.url.path.startswith((RECOMMENDATIONS, *KSERVE)):
        status = HTTPStatus.BAD_REQUEST
    errors = error.errors() if isinstance(error, RequestValidationError) else []
    if any(one["type"] == "json_invalid" for one in errors):
        return error_response(request, HTTPStatus.BAD_REQUEST, "bad_request", "the body is not JSON")
    return error_response(request, status, "invalid_request", "; ".join(map(_described, errors[:3])) or "not valid")


def _described(error: dict[str, Any]) -> str:
    """Say where a request is wrong, and how; without what it says there, which may be a whole page."""
    where = ".".join(str(part)[:40] for part in error["loc"][1:][:8])
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{where}: {message}" if where else message


def _http_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return unexpected_response(request, error)
    code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
    response = error_response(request, error.status_code, code, str(error.detail))
    response.headers.update(error.headers or {})
    return response


def unexpected_response(request: Request, error: Exception) -> Response:
    """Return the answer to a request at which something went wrong here, and note where in the log."""
    identity = getattr(request.state, "request_id", "")
    facts = {"request_id": identity, "error": type(error).__name__, "where": where(error)}
    _LOG.error("unexpected error", extra={"facts": facts})
    message = "something went wrong here; the service's log has more"
    return error_response(request, HTTPStatus.INTERNAL_SERVER_ERROR, "broken", message)
