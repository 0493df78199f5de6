"""Runs whose worker is killed, or that Ctrl-C or SIGTERM stops: they end within seconds, and the next run continues."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest

PAGES = 1_000
SOON = 25  # seconds; the machine may be busy with other tests
STOPPED = "linkspot: stopped; what is done is kept, run the same command again to continue\n"
Tables = dict[str, list[dict[str, Any]]]

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds processes in /proc, which Linux has")


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wiki") / "wiki.xml"
    draw = random.Random(7)
    pages = "".join(
        f"<page><title>Page {number}</title><ns>0</ns><id>{number}</id><revision><id>{number}</id>"
        f"<timestamp>2010-01-01T00:00:00Z</timestamp><text>{_text(draw)}</text></revision></page>"
        for number in range(PAGES)
    )
    path.write_text(f'<mediawiki xml:lang="en">{pages}</mediawiki>', encoding="utf-8")
    return path


def _text(draw: random.Random) -> str:
    return " ".join(f"It speaks of [[page {draw.randrange(PAGES)}]] at length {n}." for n in range(12))


class Run:
    """A real `linkspot index` in a session and with a temporary directory of its own."""

    def __init__(self, wiki: Path, folder: Path) -> None:
        self.out, self.scratch = folder / "tables", folder / "scratch"
        self.scratch.mkdir(exist_ok=True)
        self._words = [sys.executable, "-m", "linkspot.cli", "index", str(wiki), "--out", str(self.out), "--jobs", "2"]

    def start(self) -> "subprocess.Popen[str]":
        environment = {**os.environ, "TMPDIR": str(self.scratch)}
        pipe = subprocess.PIPE
        return subprocess.Popen(
            self._words, stdout=pipe, stderr=pipe, text=True, start_new_session=True, env=environment
        )

    def tables(self) -> Tables:
        """Run to the end, and return the tables."""
        process = self.start()
        _, stderr = process.communicate(timeout=60)
        assert (process.returncode, stderr) == (0, "")
        assert not [path for path in self.out.iterdir() if path.name.startswith(".")]
        assert not list(self.scratch.iterdir())
        return _tables(self.out)

    def has_begun(self) -> bool:
        return (self.out / ".parsed.shards").exists()

    def has_a_shard(self) -> bool:
        return any((self.out / ".parsed.shards").rglob("*.parquet"))

    def is_writing_a_table(self) -> bool:
        """Tell whether DuckDB writes."""
        return any(self.out.glob(".judged_*.unfinished")) or (self.out / "judged_pages").exists()


def _tables(folder: Path) -> Tables:
    return {
        table.name: sorted(ds.dataset(table, format="parquet").to_table().to_pylist(), key=repr)
        for table in sorted(folder.iterdir())
        if table.is_dir()
    }


@pytest.fixture(scope="module")
def undisturbed(wiki: Path, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return Run(wiki, tmp_path_factory.mktemp("undisturbed")).tables()


def _wait(process: "subprocess.Popen[str]", condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)


def _workers(pid: int) -> Iterator[int]:
    """Yield the processes that a run works with; Python's resource tracker is none."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == pid and b"spawn_main" in command:
            yield int(folder.name)


@pytest.mark.parametrize("later", [0.0, pytest.param(0.8, marks=pytest.mark.slow)])
def test_a_worker_that_is_killed_is_replaced(wiki: Path, tmp_path: Path, undisturbed: Tables, later: float) -> None:
    run = Run(wiki, tmp_path)
    process = run.start()
    _wait(process, lambda: any(_workers(process.pid)))
    time.sleep(later)
    for worker in _workers(process.pid):
        os.kill(worker, signal.SIGKILL)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (0, "")
    assert _tables(run.out) == undisturbed
    assert not list(run.scratch.iterdir())


def test_a_run_whose_workers_die_again_and_again_ends_with_one_line_and_can_be_continued(
    wiki: Path, tmp_path: Path, undisturbed: Tables
) -> None:
    run = Run(wiki, tmp_path)
    process = run.start()
    while process.poll() is None:
        for worker in _workers(process.pid):
            os.kill(worker, signal.SIGKILL)
        time.sleep(0.02)
    _, stderr = process.communicate(timeout=SOON)
    assert process.returncode == 1
    assert stderr == (
        "linkspot: a process was killed twice at the same pages, perhaps because memory ran out; "
        "run the same command with fewer --jobs to continue\n"
    )
    assert not list(run.scratch.iterdir())
    assert run.tables() == undisturbed


def _group(process: "subprocess.Popen[str]") -> None:
    os.killpg(process.pid, signal.SIGINT)


def _parent(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGINT)


def _terminated(process: "subprocess.Popen[str]") -> None:
    process.terminate()


def _terminated_group(process: "subprocess.Popen[str]") -> None:
    os.killpg(process.pid, signal.SIGTERM)


@pytest.mark.parametrize(
    ("interrupt", "moment"),
    [
        pytest.param(_group, Run.has_begun, marks=pytest.mark.slow),
        (_parent, Run.has_a_shard),
        (_group, Run.is_writing_a_table),
        pytest.param(_parent, Run.is_writing_a_table, marks=pytest.mark.slow),
        (_terminated, Run.has_a_shard),
        pytest.param(_terminated_group, Run.is_writing_a_table, marks=pytest.mark.slow),
    ],
)
def test_ctrl_c_or_sigterm_ends_a_run_soon_and_the_next_run_continues(
    wiki: Path,
    tmp_path: Path,
    undisturbed: Tables,
    interrupt: Callable[["subprocess.Popen[str]"], None],
    moment: Callable[[Run], bool],
) -> None:
    run = Run(wiki, tmp_path)
    process = run.start()
    _wait(process, lambda: moment(run))
    interrupt(process)
    stdout, stderr = process.communicate(timeout=SOON)
    code = 143 if interrupt in {_terminated, _terminated_group} else 130
    assert (process.returncode, stdout, stderr) == (code, "", STOPPED)
    assert not list(run.scratch.iterdir())
    assert run.tables() == undisturbed


def test_what_a_killed_run_left_in_the_temporary_directory_is_removed_by_the_next(wiki: Path, tmp_path: Path) -> None:
    run = Run(wiki, tmp_path)
    process = run.start()
    _wait(process, run.has_begun)
    process.kill()
    process.communicate()
    assert list(run.scratch.iterdir())
    (run.scratch / "linkspot-scratch-of-a-user").mkdir()
    shutil.rmtree(run.out)
    continued = run.start()
    continued.communicate(timeout=60)
    assert [path.name for path in run.scratch.iterdir()] == ["linkspot-scratch-of-a-user"]
