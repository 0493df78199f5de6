"""A git repository of pages: each commit that touches a page makes a revision of it. Read with git's own plumbing."""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from linkspot.corpora.files import MAX_PAGE_BYTES, SUFFIXES, decode
from linkspot.corpora.layouts import Layout, PagePlace, identity_of, recognised
from linkspot.errors import UnreadablePage
from linkspot.records import Page, Revision

_COMMIT = "commit "
# :100644 100644 old-blob new-blob R093<tab>old path<tab>new path
_CHANGE = re.compile(r":\d+ (?P<mode>\d+) \S+ (?P<blob>\S+) (?P<status>[A-Z])\d*\t(?P<paths>.*)")
_FILE_MODES = frozenset({"100644", "100755"})


class _Version(NamedTuple):
    commit: str
    time: datetime
    blob: str
    path: str


class GitPages:
    """The pages of a repository's current branch, each with its history along the first parents, through renames."""

    def __init__(self, path: Path, language: str = "", layout: Layout | None = None) -> None:
        self.rejects: Counter[str] = Counter()
        self.share = 0.0
        self._path = path
        self._language = language
        self._told_layout = layout

    @cached_property
    def layout(self) -> Layout:
        """The layout that was told, else the one that the repository is recognised to have."""
        top = set(_git(self._path, "ls-tree", "--name-only", "HEAD"))
        return self._told_layout or recognised(top, self._histories.keys())

    def revisions(self) -> Iterator[Revision]:
        """Yield the versions of the pages that exist today or existed once, in the order of their last paths."""
        histories = self._histories
        touched = Counter(version.commit for history in histories.values() for version in history)
        with _Blobs(self._path) as blobs:
            for number, path in enumerate(sorted(histories), start=1):
                self.share = number / len(histories)
                place = self.layout.place(path)
                if place is None:
                    self.rejects["a file outside of the layout"] += 1
                    continue
                for version in histories[path]:
                    page = self._page(version, blobs.read(version.blob), path, place)
                    if page is not None:
                        yield Revision(page, version.commit, version.time, touched[version.commit])

    def _page(self, version: _Version, data: bytes, last_path: str, place: PagePlace) -> Page | None:
        """Return the page as one commit left it; it is identified by its last path, whatever it was called then."""
        markup = SUFFIXES[PurePosixPath(version.path).suffix.lower()]
        if len(data) > MAX_PAGE_BYTES:
            self.rejects["a file that is too large"] += 1
            return None
        try:
            text = decode(data, version.path, markup)
        except UnreadablePage:
            self.rejects["a file that cannot be read"] += 1
            return None
        return Page("", text, markup, self._language or place.language, identity_of(last_path), place.slug)

    @cached_property
    def _histories(self) -> dict[str, list[_Version]]:
        """Return for each last path its versions, the oldest first; a file that is deleted ends there."""
        living: dict[str, list[_Version]] = {}
        ended: dict[str, list[_Version]] = {}
        for version, status, old_path in self._changes():
            if status == "D":
                ended[version.path] = ended.get(version.path, []) + living.pop(version.path, [])
                continue
            history = living.pop(old_path, [])  # the same path, if the page was not renamed
            living[version.path] = history
            history.append(version)
        return {**ended, **{path: ended.get(path, []) + history for path, history in living.items()}}

    def _changes(self) -> Iterator[tuple[_Version, str, str]]:
        """Yield each change of a page: the version that it made, git's letter for it, and the path before."""
        arguments = ["log", "--first-parent", "--reverse", "-m", "--raw", "--no-abbrev", "-M", "--format=commit %H %cI"]
        commit, time = "", datetime.min
        for line in _git(self._path, "-c", "core.quotePath=false", "-c", "diff.renameLimit=0", *arguments):
            if line.startswith(_COMMIT):
                commit, stamp = line.removeprefix(_COMMIT).split()
                time = datetime.fromisoformat(stamp)
            elif (change := _CHANGE.match(line)) and PurePosixPath(change["paths"]).suffix.lower() in SUFFIXES:
                *_, path = paths = change["paths"].split("\t")
                if change["mode"] in _FILE_MODES or change["status"] == "D":
                    yield _Version(commit, time, change["blob"], path), change["status"], paths[0]


class _Blobs:
    """The contents of a repository's files, by their hashes, from one process of git."""

    def __init__(self, repository: Path) -> None:
        self._process = subprocess.Popen(
            ["git", "-C", str(repository), "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> "_Blobs":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def read(self, blob: str) -> bytes:
        """Return the bytes of one file; none for one that the repository lacks."""
        stdin, stdout = _pipe(self._process.stdin), _pipe(self._process.stdout)
        stdin.write(f"{blob}\n".encode())
        stdin.flush()
        header = stdout.readline().split()
        if len(header) < 3:  # "<hash> missing"
            return b""
        data = stdout.read(int(header[2]))
        stdout.read(1)  # the line's end
        return data


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise UnreadablePage("git gave no answer")
    return stream


def _git(repository: Path, *arguments: str) -> Iterator[str]:
    process = subprocess.Popen(
        ["git", "-C", str(repository), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:
        for line in _pipe(process.stdout):
            yield line.decode("utf-8", "replace").rstrip("\n")
        message = _pipe(process.stderr).read().decode("utf-8", "replace").strip()
    if process.returncode:
        last = message.splitlines()[-1] if message else "it says nothing"
        raise UnreadablePage(f"git cannot read {repository}: {last}")
