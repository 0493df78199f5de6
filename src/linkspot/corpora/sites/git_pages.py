"""A git repository of pages: each commit that touches a page makes a revision of it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from linkspot.corpora.corpus import time_of
from linkspot.corpora.page_file import decode
from linkspot.corpora.sites.generators import SiteFiles
from linkspot.corpora.sites.layouts import Layout, PathFacts, identity_of
from linkspot.corpora.sites.repository import Change, Repository
from linkspot.corpora.sites.site import Site
from linkspot.errors import UnreadablePage
from linkspot.limits import LIMITS
from linkspot.parsing.markup import endings, markup_of
from linkspot.records import Page, Revision

_DELETED = ""  # instead of the blob of a file that is deleted
_FILE_MODES = frozenset({"100644", "100755"})


class _FileVersion(NamedTuple):
    commit: str
    time: datetime | None
    blob: str
    path: str


class GitPages(Site):
    """The pages of a repository's current branch, each with its history along the first parents, through renames."""

    def __init__(self, path: Path, language: str = "", layout: Layout | None = None, link_base: str = "") -> None:
        super().__init__(path, language, layout, link_base)
        self._repository = Repository(path)
        if path.is_dir():
            _ = self._repository.tip  # a fault is reported now, not after hours of work; a bundle is unpacked later

    def revisions(self) -> Iterator[Revision]:
        """Yield the versions of the pages that exist today or existed once, in the order of their last paths."""
        histories = self._histories
        self._check(histories)
        touched = Counter(version.commit for history in histories.values() for version in history)
        with self._repository.contents() as contents:
            for number, path in enumerate(sorted(histories), start=1):
                self.share = number / len(histories)
                facts = self._path_facts(path)
                if facts is None:
                    continue
                for version in histories[path]:
                    if version.time is None:
                        self.rejects["a commit whose date cannot be read"] += 1
                        continue
                    is_deletion = version.blob == _DELETED
                    data = b"" if is_deletion else contents.read(version.blob)
                    if data is None:
                        self.rejects["a file whose content is missing"] += 1
                        continue
                    page = self._page(version, data, path, facts, is_deletion)
                    if page is not None:
                        yield Revision(page, version.commit, version.time, touched[version.commit], is_deletion)

    def _page(
        self, version: _FileVersion, data: bytes, last_path: str, facts: PathFacts, is_deletion: bool
    ) -> Page | None:
        """Return the page as one commit left it; it is identified by its last path, whatever it was called then."""
        markup = markup_of(version.path)
        if len(data) > LIMITS.page_bytes:
            self.rejects["a file that is too large"] += 1
            return None
        try:
            text = "" if is_deletion else decode(data, version.path, markup)
        except UnreadablePage:
            self.rejects["a file that cannot be read"] += 1
            return None
        return Page("", text, markup, facts.language, identity_of(last_path), facts.slug)

    def _files(self) -> SiteFiles:
        return SiteFiles(frozenset(self._repository.files), self._read)

    def _read(self, path: str) -> str:
        with self._repository.contents() as contents:
            return (contents.read(self._repository.files[path], LIMITS.settings_bytes) or b"").decode(
                "utf-8", "replace"
            )

    @cached_property
    def _histories(self) -> dict[str, list[_FileVersion]]:
        """For each last path its versions, the oldest first; a file that is deleted ends there."""
        try:
            return _histories(self._repository.changes(exact_renames=self._repository.is_partial))
        except UnreadablePage:  # git compares contents to find renames, and some are missing
            return _histories(self._repository.changes(exact_renames=True))


def _histories(changes: Iterable[Change]) -> dict[str, list[_FileVersion]]:
    living: dict[str, list[_FileVersion]] = {}
    ended: dict[str, list[_FileVersion]] = {}
    for change in changes:
        path = change.path
        history = living.pop(change.old_path, [])  # the same path, if the page was not renamed
        if change.mode in _FILE_MODES and PurePosixPath(path).suffix.lower() in endings():
            history.append(_FileVersion(change.commit, time_of(change.time), change.blob, path))
            living[path] = history
        elif history:
            end = _FileVersion(change.commit, time_of(change.time), _DELETED, change.old_path)
            ended[change.old_path] = [*ended.get(change.old_path, []), *history, end]
    return {**ended, **{path: ended.get(path, []) + history for path, history in living.items()}}
