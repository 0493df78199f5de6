"""A small endpoint that answers as OpenAI's chat completions do, over real connections, and fails when told to."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

_PASSAGES = re.compile(r"Passage A, (?P<a>.*)\n\nPassage B, (?P<b>.*)\n\nOutput ", re.DOTALL)


class Trouble(NamedTuple):
    """What is answered instead of a choice."""

    status: int = 200
    body: object = ""
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed
    seconds: float = 0.0


class Asked(NamedTuple):
    """What came in."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    time: float

    @property
    def prompt(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def passages(self) -> tuple[str, str]:
        """What passages A and B are, with their sections."""
        match = _PASSAGES.search(self.prompt)
        assert match, self.prompt
        return match["a"], match["b"]


def prefer_longer(a: str, b: str) -> str:
    """Answer alike in both orders, whatever the passages are."""
    return "Passage A" if (len(a), a) >= (len(b), b) else "Passage B"


@dataclass
class ScriptedLlm:
    """Answers what `judge` says of passages A and B; `troubles` come first, one each."""

    base_url: str
    judge: Callable[[str, str], str | None] = prefer_longer
    troubles: list[Trouble] = field(default_factory=list)
    requests: list[Asked] = field(default_factory=list)
    seconds: float = 0.0
    most_at_once: int = 0
    _at_once: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, asked: Asked) -> Trouble:
        with self._lock:
            self.requests.append(asked)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            trouble = self.troubles.pop(0) if self.troubles else None
        time.sleep(trouble.seconds if trouble else self.seconds)
        with self._lock:
            self._at_once -= 1
        if trouble:
            return trouble
        message = {"role": "assistant", "content": self.judge(*asked.passages)}
        used = {"prompt_tokens": len(asked.prompt) // 4, "completion_tokens": 3}
        return Trouble(body={"choices": [{"index": 0, "message": message}], "usage": used})


@contextmanager
def scripted_llm() -> Iterator[ScriptedLlm]:
    """Give an endpoint that runs until the end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    llm = ScriptedLlm(f"http://127.0.0.1:{server.server_address[1]}/v1")
    server.llm = llm  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield llm
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = self.server.llm.answer(Asked(self.path, body, dict(self.headers), time.monotonic()))  # type: ignore[attr-defined]
        text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        try:
            self.send_response(answer.status)
            for name, value in {"Content-Length": str(len(text.encode())), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())
        except OSError:
            self.close_connection = True  # who asked had no patience

    def log_message(self, *_: object) -> None:
        """Say nothing."""
