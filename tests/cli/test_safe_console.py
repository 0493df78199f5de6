import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.markdown import Markdown
from rich.table import Table

from linkspot.cli.progress import TerminalProgress
from linkspot.cli.safe_console import safe_console

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe\u2066"
RAW = re.compile("[\x07\x9b\u202a-\u202e\u2066-\u2069]|\x1b(?!\\[[\\d;]*m)")  # colours are linkspot's own


def _run(*arguments: str) -> tuple[str, str]:
    """Run the command line as on a terminal with colours."""
    environment = {**os.environ, "FORCE_COLOR": "1", "PYTHONIOENCODING": "utf-8", "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "linkspot.cli", *arguments]
    done = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
    return done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "dog.html"
    path.write_text(f"<h1>D{HOSTILE}</h1><p>The wolf {HOSTILE} runs. It is.<h2>S{HOSTILE}</h2><p>A wolf.")
    return path


@pytest.mark.parametrize("answer_format", ["text", "json", "html"])
def test_no_answer_commands_the_terminal(page: Path, answer_format: str) -> None:
    title = f"Wolf {HOSTILE}\nlinkspot: all is well"
    options = ("--title", title, "--mention", "wolf", "--lang", "en", "--ranker", "bm25", "--format", answer_format)
    out, errors = _run("suggest", str(page), *options)
    assert errors == ""
    assert not RAW.search(out)
    assert "\nlinkspot: all is well" not in out or answer_format == "html"  # where a line end is a blank
    if answer_format == "json":
        answer = json.loads(out)
        assert answer["target"]["title"] == title
        assert answer["page"]["title"] == f"D{HOSTILE}"
    else:
        assert r"\x9b31m\u202egnp.exe" in out


def test_no_error_message_commands_the_terminal(tmp_path: Path) -> None:
    missing = tmp_path / f"a{HOSTILE}.html"
    out, errors = _run("suggest", str(missing), "--title", "Wolf")
    assert out == ""
    assert not RAW.search(errors)
    assert r"\x1b[2J" in errors


def test_tables_links_and_progress_lines_are_shown_with_escapes() -> None:
    stream = io.StringIO()
    console = safe_console(file=stream, force_terminal=True, width=200)
    table = Table(title=HOSTILE)
    table.add_column(HOSTILE)
    table.add_row(HOSTILE)
    console.print(table)
    console.print(Markdown(f"[words](http://x.org/{HOSTILE})"))
    lines = safe_console(file=stream)
    TerminalProgress(lines).part(f"{HOSTILE}\nlinkspot: all is well")
    text = re.sub("\x1b\\]8;[^\x1b]*\x1b\\\\", "", stream.getvalue())  # the links that rich itself writes
    assert not RAW.search(text)
    assert r"\u202egnp.exe" in text
    assert "\nlinkspot: all" not in text
