"""The bodies of requests: read up to a limit, unpacked up to the same limit, and taken for JSON."""

import zlib
from http import HTTPStatus

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from linkspot.service.error_shapes import error_response

_GZIP = 31  # zlib's number for the format
_JSON = b"application/json"
_API = ("/v1/", "/v2/")
_ABOUT_THE_BODY = frozenset({b"content-encoding", b"content-length", b"content-type", b"transfer-encoding"})


class BodyReader:
    """Middleware that reads the whole body before the application sees the request."""

    def __init__(self, app: ASGIApp, most_bytes: int) -> None:
        self._app, self._most_bytes = app, most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its body, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        try:
            body = await self._body(receive, headers.get(b"content-length", b""))
            body = self._unpacked(body, headers.get(b"content-encoding", b"identity").lower())
        except _Refused as refused:
            code = "too_large" if refused.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE else "unusable"
            response = error_response(Request(scope), refused.status, code, str(refused))
            response.headers["Connection"] = "close"
            await response(scope, receive, send)
            return
        kept = [(name, value) for name, value in scope["headers"] if name not in _ABOUT_THE_BODY]
        if body:
            kept += [(b"content-type", self._content_type(scope["path"], headers.get(b"content-type", b"")))]
            kept += [(b"content-length", str(len(body)).encode())]
        following: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return following.pop() if following else await receive()

        scope["headers"] = kept  # in this scope, since the middleware around this one looks for the route in it
        await self._app(scope, replay, send)

    def _content_type(self, path: str, given: bytes) -> bytes:
        """Return the type of a body; the API takes only JSON, whatever clients such as curl say when nobody asks."""
        return _JSON if not given or path.startswith(_API) else given

    async def _body(self, receive: Receive, length: bytes) -> bytes:
        if length.isdigit() and int(length) > self._most_bytes:
            raise self._too_large()
        body, has_more = bytearray(), True
        while has_more:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            body += message.get("body", b"")
            has_more = message.get("more_body", False)
            if len(body) > self._most_bytes:
                raise self._too_large()
        return bytes(body)

    def _unpacked(self, body: bytes, encoding: bytes) -> bytes:
        if encoding in {b"identity", b""}:
            return body
        if encoding not in {b"gzip", b"x-gzip"}:
            raise _Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a body may be packed with gzip, and in no other way")
        unpacker = zlib.decompressobj(_GZIP)
        try:
            unpacked = unpacker.decompress(body, self._most_bytes + 1)
        except zlib.error:
            raise _Refused(HTTPStatus.BAD_REQUEST, "the body is not what gzip makes, or is damaged") from None
        if len(unpacked) > self._most_bytes:
            raise self._too_large()
        if not unpacker.eof:
            raise _Refused(HTTPStatus.BAD_REQUEST, "the body is cut off")
        return unpacked

    def _too_large(self) -> "_Refused":
        size = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        return _Refused(size, f"a body has at most {self._most_bytes:,} bytes, also after unpacking")


class _Refused(Exception):
    """A body that the service does not take."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status
