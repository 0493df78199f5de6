"""A git repository, read by git's own plumbing: its files, the changes that made them, and their contents."""

import os
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import IO, NamedTuple

from linkspot.errors import MissingExtra, UnreadablePage
from linkspot.parsing.markup import endings

_BUNDLES = (b"# v2 git bundle", b"# v3 git bundle")
_USUAL_BRANCHES = ("main", "master")
_CHUNK = 1 << 16
_COMMIT = "commit "
_HEADER = 3  # words before an object: its name, type and size
_LOG = ("log", "--first-parent", "--reverse", "-m", "--raw", "--no-abbrev", "-z", "--relative")
# A user's own git settings must not change the output.
_SETTINGS = ("-c", "diff.renameLimit=0", "-c", "log.showRoot=true", "-c", "log.showSignature=false")
# Set where git itself runs linkspot, as in a hook: they would lead to another repository.
_MISLEADING = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"})


class Change(NamedTuple):
    """What one commit did to one file: git's letter for it, its new mode and content, its path before and now."""

    commit: str
    time: str
    status: str
    mode: str
    blob: str
    old_path: str
    path: str


class Repository:
    """A repository with or without a work tree, a folder in a work tree, or a bundle, unpacked while in use.

    For a folder in a work tree, only the files below it count, and their paths begin there.
    """

    def __init__(self, path: Path) -> None:
        self._given_path = path

    @cached_property
    def tip(self) -> str:
        """The last commit of the current branch, or of the usual or only one where there is no current one."""
        with self._start("rev-parse", "--quiet", "--verify", "HEAD^{commit}") as process:
            commit, _ = process.communicate()
        if commit:
            return commit.decode().strip()
        fields = self._fields("for-each-ref", "--format=%(refname:short)%00%(objectname)%00", "refs/heads")
        branches = {name.strip(): next(fields) for name in fields}
        for name in (*_USUAL_BRANCHES, *(branches if len(branches) == 1 else ())):
            if name in branches:
                return branches[name]
        advice = f"there are: {', '.join(branches)}; check one out" if branches else "commit its pages first"
        raise UnreadablePage(f"{self._given_path} has no commit on its current branch; {advice}")

    @cached_property
    def files(self) -> dict[str, str]:
        """The paths of the files in the last commit, with the names of their contents."""
        fields = self._fields("ls-tree", "-r", "-z", self.tip)
        entries = (field.split("\t", 1) for field in fields)
        return {path: facts.split()[2] for facts, path in entries}

    def changes(self, exact_renames: bool = False) -> Iterator[Change]:
        """Yield the changes of all files along the first parents, the oldest first.

        A file that is moved and edited in one commit counts as renamed, for which git compares contents. Where contents
        are missing it can only follow exact renames.
        """
        renames = "-M100%" if exact_renames else "-M"
        fields = self._fields(*_LOG, renames, f"--format={_COMMIT}%H %cI", self.tip)
        commit = time = ""
        for field in fields:
            if field.startswith(_COMMIT):
                commit, time = field.removeprefix(_COMMIT).split()
            elif field:
                # :100644 100644 old-blob new-blob R093, then the path, or the old path and the new one
                _, mode, _, blob, status = field.lstrip("\n:").split()
                old_path = next(fields)
                path = next(fields) if status[0] in "RC" else old_path
                yield Change(commit, time, status[0], mode, blob, old_path, path)

    def contents(self) -> "Contents":
        """Return the contents of its files, to be read while in use as a context."""
        start = partial(self._start, "cat-file", "--batch", stdin=subprocess.PIPE)
        return Contents(start, self._present if self.is_partial else None)

    @cached_property
    def is_partial(self) -> bool:
        """Whether it is a partial clone, which lacks objects on purpose."""
        pattern = r"^(extensions\.partialclone|remote\..*\.promisor)$"
        with self._start("config", "--get-regexp", pattern) as process:
            settings, _ = process.communicate()
        return bool(settings)

    @cached_property
    def _present(self) -> frozenset[str]:
        """The names of all objects that are there; asking a partial clone for another would make git fetch it."""
        check = ("cat-file", "--batch-all-objects", "--batch-check=%(objectname)", "--unordered")
        with self._start(*check) as process:
            names, _ = process.communicate()
        return frozenset(names.decode().split())

    @cached_property
    def _path(self) -> Path:
        if not self._given_path.is_file():
            return self._given_path
        folder = Path(tempfile.mkdtemp(prefix="linkspot-bundle-"))
        weakref.finalize(self, _remove, folder, os.getpid())
        with _git("clone", "--quiet", "--bare", str(self._given_path.resolve()), str(folder / "bundle.git")) as cloning:
            _, message = cloning.communicate()
        self._check(cloning.returncode, message)
        return folder / "bundle.git"

    def _start(self, *arguments: str, stdin: int | None = None) -> subprocess.Popen[bytes]:
        return _git("-C", str(self._path), *arguments, stdin=stdin)

    def _fields(self, *arguments: str) -> Iterator[str]:
        """Yield what git writes, cut at its zero bytes."""
        with self._start(*arguments) as process:
            rest = b""
            while chunk := _pipe(process.stdout).read(_CHUNK):
                *fields, rest = (rest + chunk).split(b"\0")
                yield from (field.decode("utf-8", "replace") for field in fields)
            message = _pipe(process.stderr).read()
        self._check(process.returncode, message)

    def _check(self, code: int, message: bytes) -> None:
        if code:
            words = " ".join(message.decode("utf-8", "replace").split()) or "it gives no reason"
            raise UnreadablePage(f"git cannot read {self._given_path}: {words}")


class Contents:
    """The contents of files, by their names in git, from one process; a context that ends it.

    `present` are the names of the objects that are there, if it is known that some are missing.
    """

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]], present: frozenset[str] | None = None) -> None:
        self._start = start
        self._present = present
        self._process = start()

    def __enter__(self) -> "Contents":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def read(self, blob: str) -> bytes | None:
        """Return the bytes of one file, None if the repository lacks them or they are damaged."""
        if self._present is not None and blob not in self._present:
            return None
        stdin, stdout = _pipe(self._process.stdin), _pipe(self._process.stdout)
        stdin.write(f"{blob}\n".encode())
        stdin.flush()
        header = stdout.readline().split()
        if not header:  # git ends at an object that is damaged
            self._process.communicate()
            self._process = self._start()
        if len(header) < _HEADER:  # "<name> missing"
            return None
        data = stdout.read(int(header[2]))
        stdout.read(1)  # the line's end
        return data


def is_repository(path: Path) -> bool:
    """Return whether it is a repository, a bundle, or a folder of a work tree in which git keeps pages."""
    if path.is_file():
        with path.open("rb") as file:
            return file.read(len(_BUNDLES[0])) in _BUNDLES
    if (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir()):
        return True
    return path.is_dir() and any((folder / ".git").exists() for folder in path.resolve().parents) and _has_pages(path)


def _has_pages(path: Path) -> bool:
    try:
        with _git("-C", str(path), "ls-files", "-z", "--", *(f"*{ending}" for ending in endings())) as process:
            return bool(_pipe(process.stdout).read(1))
    except MissingExtra:
        return False


def _git(*arguments: str, stdin: int | None = None) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in _MISLEADING}
    environment["GIT_NO_LAZY_FETCH"] = "1"  # reading a partial clone must not go to the network
    command = ["git", *_SETTINGS, *arguments]
    try:
        return subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    except FileNotFoundError as error:
        raise MissingExtra(
            "git is not installed, which reads histories; install it, or read the folder as it is now: --kind folder"
        ) from error


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise UnreadablePage("git gave no answer")
    return stream


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:  # and not a copy of the process that made it
        shutil.rmtree(folder, ignore_errors=True)
