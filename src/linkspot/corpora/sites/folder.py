"""A folder of pages: every HTML, wikitext or Markdown file in it and below."""

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from linkspot.corpora.page_file import read_page
from linkspot.corpora.sites.generators import SiteFiles
from linkspot.corpora.sites.layouts import identity_of
from linkspot.corpora.sites.site import Site
from linkspot.errors import UnreadablePage
from linkspot.files import read_regular
from linkspot.limits import LIMITS
from linkspot.parsing.markup import endings
from linkspot.records import Revision

_OTHERS = "node_modules"  # the folder of other people's packages


class Folder(Site):
    """The pages of a folder, in the order of their paths; hidden files and folders are left out."""

    def revisions(self) -> Iterator[Revision]:
        """Yield each page once, identified by its path in the folder; a file that cannot be read is counted."""
        paths = self._pages
        self._check(paths)
        for number, (inside, path) in enumerate(paths.items(), start=1):
            self.share = number / len(paths)
            facts = self._path_facts(inside)
            if facts is None:
                continue
            try:
                page = read_page(path, language=facts.language)
            except UnreadablePage:
                self.rejects["a file that cannot be read"] += 1
                continue
            yield Revision(replace(page, id=identity_of(inside), entity=facts.slug), "", _time_of(path))

    def _files(self) -> SiteFiles:
        return SiteFiles(frozenset(self._paths), self._read)

    def _read(self, inside: str) -> str:
        try:
            data = read_regular(self._paths[inside], LIMITS.settings_bytes)
            return data.decode("utf-8", "replace")
        except OSError:
            return ""

    @cached_property
    def _paths(self) -> dict[str, Path]:
        """The paths of all files, by their paths inside of the folder, in their order."""
        paths = {}
        top = self._path.resolve()
        for folder, names, files in os.walk(self._path):
            names[:] = [name for name in names if name not in {_OTHERS, ".git"}]
            for path in (Path(folder, name) for name in files):
                fault = _fault_of(path, top)
                if not fault:
                    paths[path.relative_to(self._path).as_posix()] = path
                elif path.suffix.lower() in endings():
                    self.rejects[fault] += 1
        return dict(sorted(paths.items()))

    @cached_property
    def _pages(self) -> dict[str, Path]:
        return {
            inside: path
            for inside, path in self._paths.items()
            if path.suffix.lower() in endings() and not inside.startswith(".") and "/." not in inside
        }


def _fault_of(path: Path, top: Path) -> str:
    """Return why a file is set aside, or nothing; a link may lead to what nobody meant to publish."""
    try:
        str(path).encode()
        leads_out = path.is_symlink() and not path.resolve().is_relative_to(top)
    except UnicodeEncodeError:
        return "a file name that is not UTF-8"
    except (OSError, RuntimeError):  # links in a circle
        return "a file that cannot be read"
    return "a link that leads out of the folder" if leads_out else ""


def _time_of(path: Path) -> datetime | None:
    """Return when a file was changed, or None if its disk says a time that no calendar has."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return None
