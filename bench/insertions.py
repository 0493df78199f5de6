"""From histories to insertions: how fast, in how much memory, and how much a second process helps."""

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
CACHE = Path(__file__).parent / ".cache"  # the tables are kept here; other measurements read them
_MEGABYTE = 1_000_000


@dataclass(frozen=True)
class InsertionRun:
    """The time and memory of one run, and how many insertions it found."""

    seconds: float
    peak: int
    insertions: int


def measure() -> str:
    """Return a table of every corpus with one process and with two."""
    lines = [
        "| corpus | revisions | jobs | minutes | revisions/s | 1 → 2 jobs | peak memory, all processes | insertions |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    ceilings = []
    for name, (pattern, jobs, options) in CORPORA.items():
        paths = sorted(DATA.glob(pattern))
        short = name.partition(",")[0].lower()
        revisions = sum(1 for path in paths for _ in CorpusSource(path).open().revisions())
        runs = {number: _run(paths, number, short, options) for number in jobs}
        for number, run in runs.items():
            growth = f"{runs[1].seconds / run.seconds:.2f} ×" if number > 1 and 1 in runs else ""
            lines.append(
                f"| {name} | {revisions:,} | {number} | {run.seconds / 60:.1f} | {revisions / run.seconds:,.0f} "
                f"| {growth} | {run.peak / _MEGABYTE:,.0f} MB | {run.insertions:,} |"
            )
        if 1 in runs:
            ceilings.append(2 * runs[1].seconds / _seconds_of_two(paths, short, options))
    ratios = ", ".join(f"{ceiling:.2f} ×" for ceiling in ceilings)
    lines += [
        "",
        "The most that two cores can give on this machine: two runs side by side, each with one job and nothing "
        f"shared, do {ratios} the work of one run in the same time.",
    ]
    return "\n".join(lines)


def _run(paths: list[Path], jobs: int, name: str, options: tuple[str, ...]) -> InsertionRun:
    out = CACHE / f"{name}-edits"
    start = time.perf_counter()
    process = _started(paths, jobs, out, options)
    peak = max(_memory_until_the_end(process))
    seconds = time.perf_counter() - start
    _check(process)
    return InsertionRun(seconds, peak, ds.dataset(out / "insertions", format="parquet").count_rows())


def _seconds_of_two(paths: list[Path], name: str, options: tuple[str, ...]) -> float:
    """Return how long two runs take that start at the same time and share nothing."""
    outs = [CACHE / f"{name}-edits-{side}" for side in ("left", "right")]
    start = time.perf_counter()
    processes = [_started(paths, 1, out, options) for out in outs]
    for process in processes:
        process.wait()
    seconds = time.perf_counter() - start
    for process, out in zip(processes, outs, strict=True):
        _check(process)
        shutil.rmtree(out)
    return seconds


def _started(paths: list[Path], jobs: int, out: Path, options: tuple[str, ...]) -> subprocess.Popen[bytes]:
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "linkspot.cli", "insertions", *map(str, paths), "--out", str(out), *options]
    return subprocess.Popen([*command, "--jobs", str(jobs)], stdout=subprocess.DEVNULL)


def _check(process: subprocess.Popen[bytes]) -> None:
    if process.returncode:
        sys.exit(f"bench: {process.args!r} failed")


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
        time.sleep(0.3)  # looking more often would slow the run down
