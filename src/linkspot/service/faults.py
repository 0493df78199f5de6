"""Faults: what keeps the service from an answer, each with its HTTP status, a short code, and a sentence."""

import traceback
from http import HTTPStatus
from pathlib import Path

from linkspot.errors import BrokenRun, LinkspotError, TooLarge, UnreadablePage, UnusableInput


class ServiceFault(LinkspotError):
    """Something that keeps the service from an answer; `retry_after` is in how many seconds to ask again, if at all."""

    status = HTTPStatus.INTERNAL_SERVER_ERROR
    code = "broken"

    def __init__(self, message: str, retry_after: int = 0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class UnknownWiki(ServiceFault):
    """A wiki that the service may not read."""

    status = HTTPStatus.NOT_FOUND
    code = "unknown_wiki"


class UnknownModel(ServiceFault):
    """A model that this service does not have."""

    status = HTTPStatus.NOT_FOUND
    code = "unknown_model"


class NotSupported(ServiceFault):
    """Something that a protocol allows for, but this service does not do."""

    status = HTTPStatus.NOT_IMPLEMENTED
    code = "not_supported"


class TooManyRequests(ServiceFault):
    """An address that asks more often than the service allows."""

    status = HTTPStatus.TOO_MANY_REQUESTS
    code = "too_many_requests"


class Overloaded(ServiceFault):
    """More requests wait than the service can answer soon."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    code = "overloaded"


class WarmingUp(ServiceFault):
    """No worker has opened the model yet, or the service is about to end."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    code = "not_ready"


class TooExpensive(ServiceFault):
    """A page that takes more time or memory than a worker may use."""

    status = HTTPStatus.GATEWAY_TIMEOUT
    code = "too_expensive"


class WorkerDied(ServiceFault):
    """A request at which two workers died."""

    code = "worker_died"


_KNOWN: tuple[tuple[type[LinkspotError], HTTPStatus, str], ...] = (
    (TooLarge, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large"),
    (UnreadablePage, HTTPStatus.NOT_FOUND, "no_such_page"),
    (UnusableInput, HTTPStatus.UNPROCESSABLE_ENTITY, "unusable"),
    (BrokenRun, HTTPStatus.BAD_GATEWAY, "wiki_does_not_answer"),
)


def status_of(error: LinkspotError) -> tuple[HTTPStatus, str]:
    """Return the HTTP status and the short code of an error."""
    if isinstance(error, ServiceFault):
        return error.status, error.code
    known = ((status, code) for kind, status, code in _KNOWN if isinstance(error, kind))
    return next(known, (HTTPStatus.INTERNAL_SERVER_ERROR, "broken"))


def where(error: BaseException) -> str:
    """Return where an unexpected error happened, for a log; not what it says, which may be text of a page."""
    frames = traceback.extract_tb(error.__traceback__)[-5:]
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))
