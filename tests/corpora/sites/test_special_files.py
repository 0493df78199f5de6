"""Repositories with pipes and devices among git's files, and with more moved files than git could compare."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.sites.repository import Repository
from linkspot.errors import UnreadablePage

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are for POSIX")
SOON = 45  # seconds; the machine may be busy


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "site"
    (path / "docs").mkdir(parents=True)
    (path / "docs" / "dog.md").write_text("A dog barks. It runs.\n", encoding="utf-8")
    _git(path, "init", "--quiet", "--initial-branch=main")
    _commit(path, "first")
    (path / "docs" / "dog.md").rename(path / "docs" / "hound.md")
    (path / "docs" / "hound.md").write_text("A dog barks. It runs. It eats.\n", encoding="utf-8")
    _commit(path, "second")
    return path


def _git(path: Path, *arguments: str, **settings: object) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", "-C", str(path), *identity, *arguments], check=True, capture_output=True, **settings)


def _commit(path: Path, message: str) -> None:
    _git(path, "add", "--all")
    _git(path, "commit", "--quiet", "--message", message)


def _read(path: Path) -> list[str]:
    return [revision.page.text for revision in CorpusSource(path, language="en").open().revisions()]


@pytest.mark.parametrize(
    "name",
    [".gitattributes", "docs/.gitattributes", ".gitignore", ".mailmap", ".git/info/attributes", ".git/info/grafts"],
)
@pytest.mark.parametrize("below", ["", "docs"])
def test_a_pipe_that_git_would_open_is_refused_soon(folder: Path, name: str, below: str) -> None:
    os.mkfifo(folder / name)
    begun = time.monotonic()
    with pytest.raises(UnreadablePage, match=r"is a pipe or a device, and git would wait for it; remove it"):
        _read(folder / below)
    assert time.monotonic() - begun < SOON


def test_a_link_to_a_device_is_refused_and_a_pipe_that_git_does_not_open_is_not(folder: Path) -> None:
    os.mkfifo(folder / "docs" / "pipe.md")
    (folder / "docs" / "nowhere").symlink_to("missing")
    assert "A dog barks. It runs. It eats.\n" in _read(folder)
    (folder / ".git" / "info" / "attributes").symlink_to("/dev/zero")
    with pytest.raises(UnreadablePage, match="attributes is a pipe or a device"):
        _read(folder)


def test_the_command_ends_with_one_line(folder: Path, tmp_path: Path) -> None:
    os.mkfifo(folder / ".gitattributes")
    words = ["index", str(folder), "--lang", "en", "--jobs", "1", "--out", str(tmp_path / "out")]
    done = subprocess.run(
        [sys.executable, "-m", "linkspot.cli", *words], capture_output=True, text=True, check=False, timeout=SOON
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert ".gitattributes is a pipe or a device" in done.stderr
    assert not (tmp_path / "out").exists()


def test_many_similar_files_that_move_at_once_are_read_soon(tmp_path: Path) -> None:
    files, lines = 1_100, 400
    stream = []
    for second, letter in enumerate("ab"):
        stream.append(f"commit refs/heads/main\ncommitter a <a@example.org> {second} +0000\ndata 1\na\ndeleteall\n")
        for number in range(files):
            text = "".join(f"{letter} {number} line {line} of this page.\n" for line in range(lines))
            stream.append(f"M 100644 inline {letter}/{number}.md\ndata {len(text)}\n{text}\n")
    _git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main")
    _git(tmp_path, "fast-import", "--quiet", input="".join(stream).encode())
    begun = time.monotonic()
    changes = list(Repository(tmp_path).changes())
    assert time.monotonic() - begun < SOON
    assert len(changes) == 3 * files
