"""A git repository, read by git's own plumbing: its files, the changes that made them, and their contents."""

import shlex
import subprocess
import tempfile
import weakref
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from threading import Timer
from typing import IO, NamedTuple

from linkspot.corpora.sites.git import FILES_ONLY, pipe_of, start_git
from linkspot.corpora.sites.special_files import special_file
from linkspot.errors import MissingExtra, UnreadablePage, without_password
from linkspot.limits import LIMITS
from linkspot.parsing.markup import endings
from linkspot.scratch import remove_scratch, scratch_folder

_BUNDLES = (b"# v2 git bundle", b"# v3 git bundle")
_USUAL_BRANCHES = ("main", "master")
_CHUNK = 1 << 16
_COMMIT = "commit "
_HEADER = 3  # words before an object: its name, type and size
_LOG = ("log", "--first-parent", "--reverse", "-m", "--raw", "--no-abbrev", "-z", "--relative")
_NO_PROGRAMS = ("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-mailmap")
_FOREIGN = b"dubious ownership"  # git's words for a repository that belongs to another user
_SECONDS_FOR_A_QUICK_ANSWER = 30.0  # a pipe in place of its settings would keep git waiting for ever


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
        # Git would follow a file that only names the folder of a repository.
        if path.is_file() and not _is_bundle(path):
            raise UnreadablePage(f"{path} is not a git bundle; name a bundle, or a folder that git keeps pages in")
        self._given_path = path

    @cached_property
    def tip(self) -> str:
        """The last commit of the current branch, or of the usual or only one where there is no current one."""
        commit = self._quick_answer("rev-parse", "--quiet", "--verify", "HEAD^{commit}")
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
        fields = self._fields("ls-tree", "-r", "-z", "--end-of-options", self.tip)
        entries = (field.split("\t", 1) for field in fields)
        return {path: facts.split()[2] for facts, path in entries}

    def changes(self, exact_renames: bool = False) -> Iterator[Change]:
        """Yield the changes of all files along the first parents, the oldest first.

        A file that is moved and edited in one commit counts as renamed, for which git compares contents. Where contents
        are missing it can only follow exact renames.
        """
        renames = "-M100%" if exact_renames else "-M"
        fields = self._fields(*_LOG, *_NO_PROGRAMS, renames, f"--format={_COMMIT}%H %cI", "--end-of-options", self.tip)
        commit = time = ""
        for field in fields:
            if field.startswith(_COMMIT):
                commit, _, time = field.removeprefix(_COMMIT).partition(" ")
            elif field:
                # :100644 100644 old-blob new-blob R093, then the path, or the old path and the new one
                _, mode, _, blob, status = field.lstrip("\n:").split()
                old_path = next(fields)
                path = next(fields) if status[0] in "RC" else old_path
                yield Change(commit, time, status[0], mode, blob, old_path, path)

    def contents(self) -> "Contents":
        """Return the contents of its files, to be read while in use as a context."""
        start = partial(self._start, "cat-file", "--batch", stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return Contents(start, self._present if self.is_partial else None)

    @cached_property
    def is_partial(self) -> bool:
        """Whether it is a partial clone, which lacks objects on purpose."""
        pattern = r"^(extensions\.partialclone|remote\..*\.promisor)$"
        return bool(self._quick_answer("config", "--get-regexp", pattern))

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
            self._refuse_special_files()
            return self._given_path
        folder = scratch_folder()
        weakref.finalize(self, remove_scratch, folder)
        bundle, copy = str(self._given_path.resolve()), str(folder / "bundle.git")
        # Git unpacks a bundle by its protocol for files; the copy's settings are git's own.
        options = ("--quiet", "--bare", "--template=", "--no-recurse-submodules")
        with start_git("clone", *options, "--", bundle, copy, protocols=FILES_ONLY) as cloning:
            _, message = cloning.communicate()
        self._check(cloning.returncode, message)
        return folder / "bundle.git"

    def _refuse_special_files(self) -> None:
        """Refuse a repository in which git would open a pipe or a device: it would wait, or read, for ever."""
        folders, top = (
            self._answer_of(start_git("-C", str(self._given_path), "rev-parse", *words)).decode(
                "utf-8", "surrogateescape"
            )
            for words in (("--absolute-git-dir", "--git-common-dir"), ("--show-toplevel",))
        )
        # Attributes are also looked up in the folders above; a bare repository has no work tree.
        special = special_file(
            Path(top.removesuffix("\n") or self._given_path), [self._given_path / name for name in folders.splitlines()]
        )
        if special is not None:
            raise UnreadablePage(f"{special} is a pipe or a device, and git would wait for it; remove it")

    def _start(
        self, *arguments: str, stdin: int = subprocess.DEVNULL, stderr: int | IO[bytes] = subprocess.PIPE
    ) -> subprocess.Popen[bytes]:
        return start_git("-C", str(self._path), *arguments, stdin=stdin, stderr=stderr)

    def _quick_answer(self, *arguments: str) -> bytes:
        """Return what git writes, nothing if it fails; it looks at settings and names only."""
        return self._answer_of(self._start(*arguments))

    def _answer_of(self, started: subprocess.Popen[bytes]) -> bytes:
        with started as process:
            try:
                answer, message = process.communicate(timeout=_SECONDS_FOR_A_QUICK_ANSWER)
            except subprocess.TimeoutExpired as error:
                process.kill()
                raise UnreadablePage(
                    f"git reads {self._given_path} without an answer; look for pipes among its files"
                ) from error
        if _FOREIGN in message:
            self._check(process.returncode, message)
        return answer

    def _fields(self, *arguments: str) -> Iterator[str]:
        """Yield what git writes, cut at its zero bytes."""
        with tempfile.TemporaryFile() as messages:  # a pipe that nobody reads meanwhile would fill up and stop git
            with self._start(*arguments, stderr=messages) as process:
                rest = b""
                while chunk := pipe_of(process.stdout).read(_CHUNK):
                    *fields, rest = (rest + chunk).split(b"\0")
                    yield from (field.decode("utf-8", "replace") for field in fields)
            messages.seek(0)
            self._check(process.returncode, messages.read(_CHUNK))

    def _check(self, code: int, message: bytes) -> None:
        if code and _FOREIGN in message:
            folder = self._given_path.resolve()
            raise UnreadablePage(
                f"{self._given_path} belongs to another user, and git refuses to read it; "
                f"if you trust it, run: git config --global --add safe.directory {shlex.quote(str(folder))}"
            )
        if code:
            words = " ".join(message.decode("utf-8", "replace").split()) or "it gives no reason"
            raise UnreadablePage(f"git cannot read {self._given_path}: {without_password(words)}")


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

    def read(self, blob: str, limit: int = LIMITS.page_bytes) -> bytes | None:
        """Return the bytes of one file, None if the repository lacks them or they are damaged.

        Of a file that is larger than the limit, one byte more than the limit is returned.
        """
        if self._present is not None and blob not in self._present:
            return None
        stdin, stdout = pipe_of(self._process.stdin), pipe_of(self._process.stdout)
        stdin.write(f"{blob}\n".encode())
        stdin.flush()
        header = stdout.readline().split()
        if not header:  # git ends at an object that is damaged
            self._process.communicate()
            self._process = self._start()
        if len(header) < _HEADER:  # "<name> missing"
            return None
        size = int(header[2])
        data = stdout.read(min(size, limit + 1))
        rest = size - len(data) + 1  # and the line's end
        while rest > 0 and (chunk := stdout.read(min(rest, _CHUNK))):
            rest -= len(chunk)
        return data


def is_repository(path: Path) -> bool:
    """Return whether it is a repository, a bundle, or a folder of a work tree in which git keeps pages."""
    if path.is_file():
        return _is_bundle(path)
    if (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir()):
        return True
    return path.is_dir() and any((folder / ".git").exists() for folder in path.resolve().parents) and _has_pages(path)


def _is_bundle(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_BUNDLES[0])) in _BUNDLES


def _has_pages(path: Path) -> bool:
    try:
        with start_git("-C", str(path), "ls-files", "-z", "--", *(f"*{ending}" for ending in endings())) as process:
            limit = Timer(_SECONDS_FOR_A_QUICK_ANSWER, process.kill)  # its index may be a pipe
            limit.start()
            has_pages = bool(pipe_of(process.stdout).read(1))
            limit.cancel()
            return has_pages
    except MissingExtra:
        return False
