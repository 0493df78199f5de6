"""From histories to insertions: how fast, in how much memory, and how it grows with a second process."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pyarrow.dataset as ds

from bench.wikis import DATA
from linkspot.corpora.corpus import CorpusSource

CORPORA = {
    "OpenTTD, 24 languages": ("openttd/*.xz", (1, 2), ("--licence", "GFDL 1.3")),
    "MDN, 9 languages": ("mdn/mdn.bundle", (2,), ("--licence", "CC BY-SA 2.5")),
    "Anarchism, one page of 1.05 GB": (
        "wikipedia/enwiki-Anarchism-*.lzma",
        (2,),
        ("--licence", "CC BY-SA, GFDL", "--keep-unknown"),
    ),
}
CACHE = Path(__file__).parent / ".cache"  # the tables stay here, to be looked at
_MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Run:
    """What one run took and found."""

    seconds: float
    peak: int
    insertions: int


def measure() -> str:
    """Return a table of every corpus with one process and with two."""
    lines = [
        "| corpus | revisions | jobs | minutes | revisions/s | 1 → 2 jobs | peak memory, all processes | insertions |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, (pattern, jobs, options) in CORPORA.items():
        paths = sorted(DATA.glob(pattern))
        revisions = sum(1 for path in paths for _ in CorpusSource(path).open().revisions())
        runs = {number: _run(paths, number, name.partition(",")[0].lower(), options) for number in jobs}
        for number, run in runs.items():
            growth = f"{runs[1].seconds / run.seconds:.2f} ×" if number > 1 and 1 in runs else ""
            lines.append(
                f"| {name} | {revisions:,} | {number} | {run.seconds / 60:.1f} | {revisions / run.seconds:,.0f} "
                f"| {growth} | {run.peak / _MEGABYTE:,.0f} MB | {run.insertions:,} |"
            )
    return "\n".join(lines)


def _run(paths: list[Path], jobs: int, name: str, options: tuple[str, ...]) -> Run:
    out = CACHE / f"{name}-edits"
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "linkspot.cli", "insertions", *map(str, paths), "--out", str(out), *options]
    start = time.perf_counter()
    process = subprocess.Popen([*command, "--jobs", str(jobs)], stdout=subprocess.DEVNULL)
    peak = max(_memory_until_the_end(process))
    seconds = time.perf_counter() - start
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)} failed")
    return Run(seconds, peak, ds.dataset(out / "insertions", format="parquet").count_rows())


def _memory_until_the_end(process: subprocess.Popen[bytes]) -> Iterator[int]:
    """Yield the resident memory of a process with all of its children, until it ends."""
    parent = psutil.Process(process.pid)
    yield 0
    while process.poll() is None:
        total = 0
        try:
            for part in (parent, *parent.children(recursive=True)):
                total += part.memory_info().rss
        except psutil.NoSuchProcess:
            pass
        yield total
        time.sleep(0.1)
