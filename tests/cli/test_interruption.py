"""Ctrl-C: a terminal sends SIGINT to the command and to every process that it started."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.command import run, words_of

PAGES = 1_000


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wiki") / "wiki.xml"
    sentences = " ".join(f"Sentence {number} speaks of [[page {number}]] at length." for number in range(30))
    pages = "".join(
        f"<page><title>Page {number}</title><ns>0</ns><id>{number}</id><revision><id>{number}</id>"
        f"<timestamp>2010-01-01T00:00:00Z</timestamp><text>{sentences}</text></revision></page>"
        for number in range(PAGES)
    )
    path.write_text(f'<mediawiki xml:lang="en">{pages}</mediawiki>', encoding="utf-8")
    return path


def _stop_when_begun(folder: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command, press Ctrl-C as soon as it has begun to write, and return how it ended."""
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 60
    while not folder.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    return subprocess.CompletedProcess(words, process.returncode, stdout, stderr)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT to a group of processes is for POSIX")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_that_is_stopped_says_that_the_same_command_continues_it(wiki: Path, tmp_path: Path, jobs: str) -> None:
    words = ("index", wiki, "--out", tmp_path / "index", "--jobs", jobs)
    stopped = _stop_when_begun(tmp_path / "index" / ".parsed.shards", words_of(*words))
    # A process that SIGINT ended and one that exits with 130 look the same to a shell.
    assert stopped.returncode in {130, -signal.SIGINT}, stopped.stderr
    assert stopped.stdout == ""
    assert stopped.stderr == "linkspot: stopped; what is done is kept, run the same command again to continue\n"
    continued = run(*words)
    assert continued.returncode == 0, continued.stderr
    assert f"{PAGES:,}  articles" in continued.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT to a group of processes is for POSIX")
def test_a_command_that_keeps_nothing_only_says_that_it_was_stopped(tmp_path: Path) -> None:
    # Its page never comes, so that there is time to press Ctrl-C.
    words = words_of("suggest", "-", "--markup", "markdown", "--title", "Wolf", "--lang", "en", "--ranker", "bm25")
    process = subprocess.Popen(
        words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=tmp_path
    )
    time.sleep(3.0)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (130, "linkspot: stopped\n")
