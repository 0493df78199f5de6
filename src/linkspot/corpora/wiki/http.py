"""HTTP for a live wiki: one question, one answer of bounded size and time, from the host that was asked."""

import json
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2

from linkspot.errors import UnusableInput, without_password
from linkspot.limits import LIMITS, Limits

_MOST_REDIRECTS = 5
_CHUNK = 1 << 16
_WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 47}  # zlib's numbers for the encodings


class BrokenAnswer(Exception):
    """An answer that cannot be read: it is damaged, too large or too slow."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What came back: the address that answered, without a password, and the unpacked content."""

    url: str
    host: str
    status: int
    headers: httpx2.Headers
    content: bytes
    encoding: str

    @property
    def text(self) -> str:
        """The content as text; what is not is replaced."""
        try:
            return self.content.decode(self.encoding, "replace")
        except LookupError:
            return self.content.decode("utf-8", "replace")

    @property
    def json(self) -> dict[str, Any] | None:
        """The content as an object of JSON, None if it is anything else."""
        try:
            answer = json.loads(self.content)
        except (ValueError, RecursionError):
            return None
        return answer if isinstance(answer, dict) else None


class HttpClient:
    """Asks one host; a redirect to another one is refused, as it would get the questions and the password.

    `silence` is how many seconds the host may take for a sign of life.
    """

    def __init__(self, agent: str, silence: float, limits: Limits = LIMITS) -> None:
        self._limits = limits
        headers = {"User-Agent": agent, "Accept-Encoding": "gzip, deflate"}
        self._client = httpx2.Client(headers=headers, timeout=silence, follow_redirects=False)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def get(self, url: str, parameters: dict[str, str]) -> HttpAnswer:
        """Return the answer to a question, after redirects on the same host; a BrokenAnswer may be asked for again."""
        request = self._client.build_request("GET", url, params=parameters or None)
        for _ in range(_MOST_REDIRECTS + 1):
            response = self._client.send(request, stream=True)
            try:
                if response.next_request is None:
                    return _answer(response, self._limits)
                _check_redirect(request.url, response.next_request.url)
                request = response.next_request
            finally:
                response.close()
        raise UnusableInput(f"{without_password(url)} leads from one address to the next without end; name another")


def _check_redirect(asked: httpx2.URL, following: httpx2.URL) -> None:
    is_safer = (asked.scheme, following.scheme) == ("http", "https")
    if following.host != asked.host or not (
        is_safer or (following.scheme, following.port) == (asked.scheme, asked.port)
    ):
        new = f"{following.scheme}://{following.netloc.decode('ascii', 'replace')}"
        raise UnusableInput(
            f"{asked.host} sends its readers to {without_password(new)}; if that is the wiki, name its API instead"
        )


def _answer(response: httpx2.Response, limits: Limits) -> HttpAnswer:
    url = without_password(str(response.url.copy_with(query=None)))
    content = b"".join(_unpacked(response, limits))
    encoding = response.charset_encoding or "utf-8"
    return HttpAnswer(url, response.url.host, response.status_code, response.headers, content, encoding)


def _unpacked(response: httpx2.Response, limits: Limits) -> Iterator[bytes]:
    """Yield the unpacked content in small pieces; a BrokenAnswer ends one that is damaged, too large or too slow."""
    name = response.headers.get("Content-Encoding", "identity").strip().lower()
    if name not in {"identity", "", *_WINDOWS}:
        raise BrokenAnswer(f"an answer packed as {name[:20]!r}, which was not asked for")
    unpacker = zlib.decompressobj(_WINDOWS[name]) if name in _WINDOWS else None
    end, room = time.monotonic() + limits.answer_seconds, limits.answer_bytes
    for packed in response.iter_raw(_CHUNK):
        for piece in _pieces(unpacker, packed) if unpacker else (packed,):
            room -= len(piece)
            if room < 0:
                raise BrokenAnswer(f"an answer of more than {limits.answer_bytes:,} bytes")
            yield piece
        if time.monotonic() > end:
            raise BrokenAnswer(f"an answer that takes more than {limits.answer_seconds:,.0f} s")
    if unpacker and not unpacker.eof and room < limits.answer_bytes:
        raise BrokenAnswer("an answer that is cut off")


def _pieces(unpacker: "zlib._Decompress", packed: bytes) -> Iterator[bytes]:
    try:
        while not unpacker.eof:
            piece = unpacker.decompress(packed, _CHUNK)
            yield piece
            packed = unpacker.unconsumed_tail
            if not packed and len(piece) < _CHUNK:  # a whole piece may have more behind it
                return
    except zlib.error as error:
        raise BrokenAnswer("an answer that is damaged") from error
