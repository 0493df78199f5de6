"""What the service answers under load: real pages, 32 clients at once, against one process without HTTP."""

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from linkspot.answers.source_page import SourcePage
from linkspot.answers.suggester import Suggester
from linkspot.corpora.corpus import current_pages, open_corpus
from linkspot.errors import LinkspotError
from linkspot.machine import usable_cores
from linkspot.records import Entity, LinkKind, Page
from linkspot.service.settings import ServiceLimits

CLIENTS = 32
PAGES = 300
_WARM_UP = 10  # pages before the clock starts, on both sides
_SENTENCES = range(20, 400)
_DATA = Path(os.environ.get("LINKSPOT_DATA", Path(__file__).parents[2] / "shared" / "data"))
_DUMP = _DATA / "wikipedia" / "ukwiki-truncated-100k.xml.xz"
_SECONDS_TO_START = 300
_LIMITS = "[limits]\nrequests_a_minute = 0\nwaiting = 64\nwaiting_seconds = 300\nseconds = 120\n"


@dataclass(frozen=True, slots=True)
class LoadFigures:
    """What the clients saw: answers in a second, seconds of each, and the bytes that the service had in memory."""

    rate: float
    seconds: Sequence[float]
    memory: int
    failures: int

    @property
    def median(self) -> float:
        """The middle of the times."""
        return statistics.median(self.seconds)

    @property
    def late(self) -> float:
        """The time that 95 % of the requests stay below."""
        return statistics.quantiles(self.seconds, n=20)[-1]


def questions() -> Iterator[tuple[Page, Entity]]:
    """Yield real pages that the service takes, each with the target of one of its own links, unlinked elsewhere."""
    limits = ServiceLimits()
    for page in current_pages(open_corpus(_DUMP)):
        if len(page.text.encode()) > limits.body_bytes // 2:
            continue
        try:
            article = SourcePage.of(page, limits=limits.of_page()).article
        except LinkspotError:
            continue
        links = (link for section in article.sections for link in section.links if link.kind is LinkKind.PAGE)
        link = next(links, None)
        if link is not None and len(article.sentences) in _SENTENCES:
            yield page, Entity(f"{link.target} {article.title}"[:100])


def without_http(pairs: Sequence[tuple[Page, Entity]]) -> float:
    """Return the answers in a second of one process that keeps the model open."""
    suggester, limits = Suggester.of("linkspot"), ServiceLimits().of_page()
    start = 0.0
    for number, (page, entity) in enumerate(pairs):
        if number == _WARM_UP:
            start = time.perf_counter()
        suggester.answer(SourcePage.of(page, limits=limits), entity).to_dict()
    return (len(pairs) - _WARM_UP) / (time.perf_counter() - start)


def over_http(pairs: Sequence[tuple[Page, Entity]]) -> LoadFigures:
    """Return what 32 clients see of the service, each of which asks again as soon as it has an answer."""
    bodies = [json.dumps(_body(page, entity), ensure_ascii=False).encode() for page, entity in pairs]
    with _served() as (port, process), ThreadPoolExecutor(CLIENTS) as clients:
        for body in bodies[:_WARM_UP]:
            _ask(port, body)
        start = time.perf_counter()
        seconds = list(clients.map(lambda body: _ask(port, body), bodies[_WARM_UP:]))
        whole = time.perf_counter() - start
        memory = sum(_memory(one) for one in (process.pid, *_children(process.pid)))
    answered = [one for one in seconds if one is not None]
    return LoadFigures(len(answered) / whole, answered, memory, len(seconds) - len(answered))


def measure() -> str:
    """Return a table of throughput, times and memory."""
    pairs = list(islice(questions(), PAGES))
    alone, load = without_http(pairs), over_http(pairs)
    rows = [
        ("answers against one process without HTTP", f"{load.rate / alone:.2f} ×"),
        ("p95 against the median", f"{load.late / load.median:.1f} ×"),
        ("memory of the service and its workers", f"{load.memory / 2**20:,.0f} MB"),
        ("requests that failed", f"{load.failures}"),
    ]
    head = f"{len(pairs):,} pages of a Wikipedia, {CLIENTS} clients at once, {usable_cores()} workers.\n"
    return "\n".join(
        [head, "| what | measured |", "| --- | ---: |", *(f"| {what} | {value} |" for what, value in rows)]
    )


def _body(page: Page, entity: Entity) -> dict[str, object]:
    asked = {"text": page.text, "markup": page.markup, "title": page.title, "language": page.language}
    return {"page": asked, "target": {"title": entity.title}}


@contextmanager
def _served() -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    with tempfile.TemporaryDirectory() as name, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        settings = Path(name) / "service.toml"
        settings.write_text(f"port = {port}\n{_LIMITS}", encoding="utf-8")
        command = [sys.executable, "-m", "linkspot.cli", "serve", "--config", str(settings)]
        process = subprocess.Popen(command, cwd=name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            _wait_until_ready(port)
            yield port, process
        finally:
            process.terminate()
            process.wait()


def _wait_until_ready(port: int) -> None:
    end = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=10).close()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
        else:
            return
    sys.exit("bench: the service does not start")


def _ask(port: int, body: bytes) -> float | None:
    """Return the seconds until the answer, None if there is none."""
    start = time.perf_counter()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/suggest", body)
    try:
        with urllib.request.urlopen(request, timeout=600) as response:
            response.read()
    except (urllib.error.URLError, ConnectionError):
        return None
    return time.perf_counter() - start


def _children(pid: int) -> list[int]:
    lists = Path(f"/proc/{pid}/task").glob("*/children")  # each thread has its own
    return [int(child) for path in lists for child in path.read_text(encoding="utf-8").split()]


def _memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE")
