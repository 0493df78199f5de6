"""How long a user waits: cold starts of the command line, compared with Python's own."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from linkspot.answers.samples import SAMPLES

ROUNDS = 7
# Python may keep compiled files, as it does for an installed package.
_INSTALLED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def measure() -> str:
    """Return a table of the median wall-clock times from the start of a process to its end."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        sample = Path(folder) / "Dhow.html"
        sample.write_text(SAMPLES[0].page().text, encoding="utf-8")
        sentences = (f"Sentence number {n} tells of the harbour, the wind and ship {n % 7}." for n in range(100))
        page.write_text(f"<html lang=en><h1>Harbour</h1><p>{'</p><p>'.join(sentences)}</p>", encoding="utf-8")
        linkspot = (sys.executable, "-m", "linkspot.cli")
        target = ("--title", "Monsoon", "--lead", "A wind that brings ships to the harbour.", "--format", "json")
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "linkspot --help": [*linkspot, "--help"],
            "linkspot suggest, 100 sentences, bm25": [*linkspot, "suggest", str(page), *target, "--ranker", "bm25"],
            "linkspot suggest, 100 sentences": [*linkspot, "suggest", str(page), *target],
            "linkspot suggest, the sample page": [*linkspot, "suggest", str(sample), "--title", "Monsoon"],
        }
        rows = [f"| {name} | {_median(command):.2f} s |" for name, command in commands.items()]
    return "\n".join(["| command | from start to end |", "| --- | ---: |", *rows])


def _median(command: list[str]) -> float:
    times = []
    subprocess.run(command, check=True, capture_output=True, env=_INSTALLED)
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=_INSTALLED)
        times.append(time.perf_counter() - start)
    return sorted(times)[ROUNDS // 2]
