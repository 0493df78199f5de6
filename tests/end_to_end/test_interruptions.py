"""Runs that are killed or run out of disk: what is written stays valid, and the next run continues."""

import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest

PAGES = 2_000


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wiki in which each page links to some others, one of them by a redirect, and was edited twice."""
    path = tmp_path_factory.mktemp("wiki") / "wiki.xml"
    draw = random.Random(7)
    with path.open("w", encoding="utf-8") as file:
        file.write('<mediawiki xml:lang="en">')
        for number in range(PAGES):
            file.write(_page(number, draw))
        file.write("</mediawiki>")
    return path


def _page(number: int, draw: random.Random) -> str:
    if number % 10 == 9:
        versions = [f"#REDIRECT [[Page {number - 1}]]"]
    else:
        others = draw.sample(range(PAGES), 12)
        versions = [_text(number, others, linked) for linked in (4, 5, 6)]
    revisions = "".join(
        f"<revision><id>{number * 10 + version}</id><timestamp>201{version}-01-01T00:00:00Z</timestamp>"
        f"<text>{escape(text)}</text></revision>"
        for version, text in enumerate(versions)
    )
    return f"<page><title>Page {number}</title><ns>0</ns><id>{number}</id>{revisions}</page>"


def _text(number: int, others: list[int], linked: int) -> str:
    names = [f"[[page {other}]]" if n < linked else f"page {other}" for n, other in enumerate(others)]
    return " ".join(f"Sentence {n} of page {number} speaks of {name} at length." for n, name in enumerate(names))


def _command(command: str, wiki: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "linkspot.cli", command, str(wiki), "--out", str(out), "--jobs", "2"]


def _tables(folder: Path) -> dict[str, list[dict[str, Any]]]:
    return {
        table.name: sorted(ds.dataset(table, format="parquet").to_table().to_pylist(), key=repr)
        for table in sorted(folder.iterdir())
        if table.is_dir()
    }


@pytest.fixture(scope="module")
def undisturbed(wiki: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[dict[str, Any]]]]:
    tables = {}
    for command in COMMANDS:
        out = tmp_path_factory.mktemp(command) / "tables"
        subprocess.run(_command(command, wiki, out), check=True, capture_output=True)
        tables[command] = _tables(out)
    return tables


COMMANDS = ("index", "insertions")


@pytest.mark.parametrize("kills", [2, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_tables(
    command: str, kills: int, wiki: Path, tmp_path: Path, undisturbed: dict[str, dict[str, list[dict[str, Any]]]]
) -> None:
    out = tmp_path / "tables"
    draw = random.Random(11)
    killed = 0
    for _ in range(kills):
        process = subprocess.Popen(_command(command, wiki, out), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(draw.uniform(1.0, 2.5))
        is_over = process.poll() is not None
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert all(_is_whole(file) for file in out.rglob("*.parquet") if not _is_unfinished(file))
        killed += not is_over
    assert killed >= 2, "the runs were over before they could be killed"
    subprocess.run(_command(command, wiki, out), check=True, capture_output=True)
    assert _tables(out) == undisturbed[command]
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


def _is_unfinished(file: Path) -> bool:
    """Tell whether a file says so itself, or the folder that it is written into with others."""
    return any(part.startswith(".") and part.endswith(".unfinished") for part in file.parts)


def _is_whole(file: Path) -> bool:
    return file.read_bytes()[-4:] == b"PAR1"


def test_the_processes_of_a_killed_run_end_with_it(wiki: Path, tmp_path: Path) -> None:
    process = subprocess.Popen(_command("index", wiki, tmp_path / "tables"), stderr=subprocess.PIPE)
    children: list[int] = []
    deadline = time.monotonic() + 20
    while len(children) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
        children = list(_children(process.pid))
    time.sleep(1.0)
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert children
    assert not [child for child in children if Path(f"/proc/{child}").exists()]


def _children(pid: int) -> Iterator[int]:
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            yield int(status.parent.name)


def test_a_full_disk_is_told_in_one_line_and_the_next_run_goes_on(
    wiki: Path, tmp_path: Path, undisturbed: dict[str, dict[str, list[dict[str, Any]]]]
) -> None:
    out = tmp_path / "tables"

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

    command = [*_command("index", wiki, out)[:-1], "1"]
    run = subprocess.run(command, capture_output=True, text=True, preexec_fn=small_files, check=False)
    assert run.returncode == 1
    assert len(run.stderr.splitlines()) == 1, run.stderr
    assert "cannot be written: file too large; make room; what was written is kept" in run.stderr
    subprocess.run(command, check=True, capture_output=True)
    assert _tables(out) == undisturbed["index"]


def test_a_folder_that_cannot_be_made_is_told_in_one_line(wiki: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    out = tmp_path / "file" / "tables"
    run = subprocess.run(_command("index", wiki, out), capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert len(run.stderr.splitlines()) == 1, run.stderr
    assert f"cannot be a folder, since {tmp_path / 'file'} is a file" in run.stderr
