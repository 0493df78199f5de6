"""Each request gets an id, is timed and counted, and leaves one line of JSON in the log, without any of its text."""

import json
import logging
import re
import time
import uuid
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from linkspot.service.error_shapes import unexpected_response
from linkspot.service.metrics import ServiceMetrics

LOG = logging.getLogger("linkspot.service")
_HEADER = b"x-request-id"
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_QUIET = frozenset({"/healthz", "/readyz", "/metrics"})


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        now = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": now, "level": record.levelname.lower(), "event": record.getMessage()}
        return json.dumps(line | getattr(record, "facts", {}))


def log_to_stderr() -> None:
    """Have the service's log written as JSON lines; the caller decides, since libraries do not."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    LOG.handlers[:] = [handler]
    LOG.setLevel(logging.INFO)
    LOG.propagate = False


class RequestLog:
    """Middleware around all others."""

    def __init__(self, app: ASGIApp, metrics: ServiceMetrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with an id, and note how it went."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = dict(scope["headers"]).get(_HEADER, b"").decode("latin-1")
        identity = given if _ID.fullmatch(given) else uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = identity
        start, status, is_begun = time.monotonic(), 500, False

        async def note_status(message: Message) -> None:
            nonlocal status, is_begun
            if message["type"] == "http.response.start":
                is_begun = True
                status = message["status"]
                message = {**message, "headers": [*message["headers"], (_HEADER, identity.encode())]}
            await send(message)

        try:
            await self._app(scope, receive, note_status)
        except Exception as error:  # noqa: BLE001 - the server would log what it says, which may be text of a page
            response = unexpected_response(Request(scope), error)
            if not is_begun:
                await response(scope, receive, note_status)
        finally:
            self._note(scope, identity, status, time.monotonic() - start)

    def _note(self, scope: Scope, identity: str, status: int, seconds: float) -> None:
        # The route, not the path: a path may hold a page's title, and there would be no end of counters.
        route = getattr(scope.get("route"), "path", "other")
        self._metrics.requests.labels(route, scope["method"][:16], status).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        if route not in _QUIET:
            facts = {"request_id": identity, "method": scope["method"][:16], "route": route, "status": status}
            LOG.info("request", extra={"facts": facts | {"milliseconds": round(1_000 * seconds)}})
