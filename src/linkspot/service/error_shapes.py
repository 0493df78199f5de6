"""Errors as JSON: one shape for the service's own API, and those that the clients of other contracts expect."""

import logging
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from linkspot.errors import LinkspotError
from linkspot.service.faults import ServiceFault, status_of

RECOMMENDATIONS = "/v1/linkrecommendations/"
KSERVE = ("/v1/models", "/v2")
_LOG = logging.getLogger("linkspot.service")
_LONGEST = 500  # characters of a message


def register(app: FastAPI) -> None:
    """Have every error of an application answered in the shape that its client expects."""
    app.add_exception_handler(LinkspotError, _linkspot_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _unexpected)


def error_response(request: Request, status: int, code: str, message: str, retry_after: int = 0) -> Response:
    """Return an error in the shape that the client of this address expects."""
    headers = {"Retry-After": str(retry_after)} if retry_after else {}
    content = _content(request, status, code, message[:_LONGEST].encode(errors="replace").decode())
    return JSONResponse(content, status, headers)


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


def _linkspot_error(request: Request, error: Exception) -> Response:
    known = error if isinstance(error, LinkspotError) else ServiceFault(str(error))
    status, code = status_of(known)
    return error_response(request, status, code, str(known), getattr(known, "retry_after", 0))


def _invalid(request: Request, error: Exception) -> Response:
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    if request.url.path.startswith((RECOMMENDATIONS, *KSERVE)):
        status = HTTPStatus.BAD_REQUEST
    errors = error.errors() if isinstance(error, RequestValidationError) else []
    return error_response(request, status, "invalid_request", "; ".join(map(_described, errors[:3])) or "not valid")


def _described(error: dict[str, Any]) -> str:
    """Say where a request is wrong, and how; without what it says there, which may be a whole page."""
    where = ".".join(str(part)[:40] for part in error["loc"][1:][:8])
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{where}: {message}" if where else message


def _http_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return _unexpected(request, error)
    code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
    response = error_response(request, error.status_code, code, str(error.detail))
    response.headers.update(error.headers or {})
    return response


def _unexpected(request: Request, error: Exception) -> Response:
    _LOG.error("unexpected %s", type(error).__name__, exc_info=None)
    message = "something went wrong here; the service's log has more"
    return error_response(request, HTTPStatus.INTERNAL_SERVER_ERROR, "broken", message)
