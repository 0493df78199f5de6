"""Ctrl-C and SIGTERM at any moment of a command, also while it is only being imported."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.command import words_of
from tests.conftest import PROJECT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are for POSIX")

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
# Python runs a module of this name first. It sends the signal when a certain module is about to be imported.
SITE = """
import os, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["STOP_AT"]:
            os.kill(os.getpid(), int(os.environ["STOP_BY"]))
sys.meta_path.insert(0, Finder())
"""
COMMAND = ("suggest", "-", "--markup", "markdown", "--title", "Wolf", "--lang", "en")


def _environment(folder: Path, **further: str) -> dict[str, str]:
    folders = os.pathsep.join((str(folder), str(PROJECT / "src")))
    return {**os.environ, "PYTHONPATH": folders, "TMPDIR": str(folder), **further}


@pytest.mark.parametrize("number", CODES, ids=lambda number: number.name)
@pytest.mark.parametrize("module", ["linkspot.cli.program", "typer", "rich.console", "linkspot.scratch", "numpy"])
def test_a_signal_during_the_imports_ends_a_command_with_one_line(
    tmp_path: Path, number: signal.Signals, module: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(SITE, encoding="utf-8")
    done = subprocess.run(
        words_of(*COMMAND),
        env=_environment(tmp_path, STOP_AT=module, STOP_BY=str(int(number))),
        input="A dog descends from the wolf.",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (CODES[number], "", "linkspot: stopped\n")


@pytest.mark.parametrize("number", CODES, ids=lambda number: number.name)
def test_a_signal_at_any_moment_ends_a_command_with_one_line(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "tidy").mkdir()
    for delay in (0.2, 0.5, 0.8, 1.4, 2.0):
        process = subprocess.Popen(
            words_of(*COMMAND),
            env=_environment(tmp_path / "tidy"),
            stdin=subprocess.PIPE,  # the page never comes, so that the command does not end by itself
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        _wait_for_main(process)
        time.sleep(delay - 0.2)
        process.send_signal(number)
        _, stderr = process.communicate(timeout=60)
        assert (process.returncode, stderr) == (CODES[number], "linkspot: stopped\n"), delay
    assert not list((tmp_path / "tidy").iterdir())


def _wait_for_main(process: "subprocess.Popen[str]") -> None:
    """Wait until linkspot's first line has run: it catches SIGTERM, which Python itself does not."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        time.sleep(0.5)
        return
    caught = 1 << (signal.SIGTERM - 1)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        (mask,) = (line.split()[1] for line in status.read_text().splitlines() if line.startswith("SigCgt"))
        if int(mask, 16) & caught:
            return
        time.sleep(0.002)
