"""`linkspot serve` as a process of its own: it starts, answers, refuses, and stops in good order."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SECONDS = 600
SECRET = "Monsoons carry dhows"
PAGE = {"text": f"{SECRET}. They also carry dates.", "markup": "wikitext", "language": "en", "title": SECRET}
ASKED = {"page": PAGE, "target": {"title": "Monsoon"}}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def served(folder: Path, port: int, *options: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "linkspot.cli", "serve", "--ranker", "bm25", *options]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, stdout=log, stderr=log, env={**os.environ, "PORT": str(port), **environment}
        )
    try:
        end = time.monotonic() + SECONDS
        while ask(port, "/readyz")[0] != 200:
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < end, (folder / "log").read_text()
            time.sleep(0.1)
        yield process
    finally:
        process.kill()
        process.wait()


def ask(port: int, path: str, body: Any = None) -> tuple[int, bytes]:
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", data, timeout=SECONDS) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except (urllib.error.URLError, ConnectionError):
        return 0, b""


def log_of(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "log").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def test_it_answers_with_its_settings_and_ends_after_what_has_begun(tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "service.toml").write_text(
        'model_name = "places"\nport = 1\n[limits]\ntop = 3\nrequests_a_minute = 0\n'
    )
    with served(tmp_path, port, "--config", "service.toml", "--workers", "1") as process:
        assert ask(port, "/v1/models") == (200, b'{"models":["places"]}')
        assert ask(port, "/v1/suggest", {**ASKED, "top": 4})[0] == 413
        assert b"linkspot_requests_total" in ask(port, "/metrics")[1]
        with ThreadPoolExecutor(8) as threads:
            long = [{**ASKED, "page": {**PAGE, "text": f"{number} dhows. " * 400}} for number in range(8)]
            answers = [threads.submit(ask, port, "/v1/suggest", body) for body in long]
            while b"linkspot_workers_busy 1.0" not in ask(port, "/metrics")[1]:
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            assert process.wait(SECONDS) == 0
            statuses = [answer.result()[0] for answer in answers]
        assert 200 in statuses
        assert set(statuses) <= {200, 0}  # 0: it came after the end
    requests = [line for line in log_of(tmp_path) if line["event"] == "request"]
    assert {line["status"] for line in requests} >= {200, 413}
    assert {line["route"] for line in requests} >= {"/v1/suggest", "/v1/models"}
    assert SECRET not in (tmp_path / "log").read_text(encoding="utf-8")


def test_a_worker_that_is_killed_under_load_costs_no_answer(tmp_path: Path) -> None:
    port = free_port()
    with served(tmp_path, port, "--workers", "2", LINKSPOT_CACHE_FOLDER="kept") as process:
        with ThreadPoolExecutor(4) as threads:
            pages = [{**ASKED, "page": {**PAGE, "text": f"{number} dhows sail. " * 50}} for number in range(24)]
            answers = [threads.submit(ask, port, "/v1/suggest", page) for page in pages]
            for _ in range(2):
                time.sleep(0.5)
                for worker in workers_of(process.pid)[:1]:
                    os.kill(worker, signal.SIGKILL)
            statuses = [answer.result()[0] for answer in answers]
        assert statuses == [200] * len(pages)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    with served(tmp_path, port, "--workers", "1", LINKSPOT_CACHE_FOLDER="kept"):
        ask(port, "/v1/suggest", pages[0])
        assert b'linkspot_cache_total{result="hit"} 1.0' in ask(port, "/metrics")[1]


def test_under_overload_some_are_told_to_come_back_and_readiness_falls(tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "service.toml").write_text("[limits]\nwaiting = 1\nrequests_a_minute = 0\nseconds = 60\n")
    pages = [{**ASKED, "page": {**PAGE, "text": f"{number} dhows. " * 900}} for number in range(24)]
    with served(tmp_path, port, "--config", "service.toml", "--workers", "1"):
        ready = set()
        with ThreadPoolExecutor(12) as threads:
            answers = [threads.submit(ask, port, "/v1/suggest", page) for page in pages]
            while not all(answer.done() for answer in answers):
                ready.add(ask(port, "/readyz")[0])
        statuses = {answer.result()[0] for answer in answers}
        assert statuses == {200, 503}
        assert ready >= {503}
        assert ask(port, "/readyz")[0] == 200
        assert ask(port, "/v1/suggest", ASKED)[0] == 200


def workers_of(pid: int) -> list[int]:
    """Return the processes that a process has started to rank."""
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True, check=True)
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "spawn_main" in line]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--port", "PORT"], "cannot be used; name another one with --port"),
        (["--wiki", "sw.wikipedia.org"], "give a mail or web address as --contact"),
        (["--config", "missing.toml"], "missing.toml cannot be read as TOML"),
        (["--index", "folder"], "does not say whose index it is"),
        (["--ranker", "nope"], "no ranker is called 'nope'"),
    ],
)
def test_what_it_cannot_start_with_is_said_in_one_line(tmp_path: Path, options: list[str], complaint: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        words = [word.replace("PORT", str(taken.getsockname()[1])) for word in options]
        command = [sys.executable, "-m", "linkspot.cli", "serve", "--ranker", "bm25", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 1
    assert complaint in done.stderr.splitlines()[-1]
