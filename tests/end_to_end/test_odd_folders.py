"""Folders of tables with odd names, damaged files, or write-protection: read as they should be, or one clear line."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.command import WIKI, refusal, run

from linkspot.tables.folder import TableFolder

NOBODY = 65534


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that other users can look into."""
    folder = Path(tempfile.mkdtemp(prefix="odd-"))
    folder.chmod(0o755)
    (folder / "wiki.xml").write_text(WIKI)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("name", ["o[1]", "a*b?", "{a,b}"])
def test_a_folder_may_be_named_like_a_pattern(place: Path, name: str) -> None:
    made = run("index", place / "wiki.xml", "--out", place / name, "--jobs", "1")
    assert (made.returncode, made.stderr) == (0, "")
    assert "2  articles" in made.stdout


def test_a_damaged_table_is_reported_in_one_line(place: Path) -> None:
    out = place / "out"
    assert run("index", place / "wiki.xml", "--out", out, "--jobs", "1").returncode == 0
    for table in ("articles", "links"):
        (file,) = (out / table).iterdir()
        file.write_bytes(file.read_bytes()[:-20])
    assert "cannot read or write a table" in refusal("stats", out, "--jobs", "1")
    page = place / "page.md"
    page.write_text("A train stops.")
    for file in (out / "entities").iterdir():
        file.write_bytes(b"PAR1" + bytes(100) + b"PAR1")
    line = refusal("suggest", page, "--title", "Signal", "--index", out, "--lang", "en", "--ranker", "bm25")
    assert "entities cannot be read as Parquet; delete" in line


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="becomes another user, as only root can")
def test_a_finished_folder_that_cannot_be_written_is_read(place: Path) -> None:
    plan = {"command": "index"}
    TableFolder.begin(place / "out", plan).record({"finished": True, "rows": {"links": 3}})
    child = os.fork()  # with all imports done: another user may not be able to read the libraries
    if not child:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        with TableFolder.making(place / "out", plan) as folder:
            os._exit(folder.manifest()["rows"]["links"])
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
