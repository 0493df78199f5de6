"""A folder of pages: every HTML, wikitext or Markdown file in it and below."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from linkspot.corpora.files import SUFFIXES, read_page
from linkspot.corpora.layouts import Layout, identity_of, recognised
from linkspot.errors import UnreadablePage
from linkspot.records import Revision


class Folder:
    """The pages of a folder, in the order of their paths; hidden files and folders are none."""

    def __init__(self, path: Path, language: str = "", layout: Layout | None = None) -> None:
        self.rejects: Counter[str] = Counter()
        self.share = 0.0
        self._path = path
        self._language = language
        self._told_layout = layout

    @cached_property
    def layout(self) -> Layout:
        """The layout that was told, else the one that the folder is recognised to have."""
        return self._told_layout or recognised({entry.name for entry in self._path.iterdir()}, self._paths)

    @cached_property
    def _paths(self) -> dict[str, Path]:
        """The pages' paths, by their paths inside of the folder."""
        pages = (path for path in sorted(self._path.rglob("*")) if _is_page(path))
        inside = {path.relative_to(self._path).as_posix(): path for path in pages}
        return {name: path for name, path in inside.items() if not _is_hidden(name)}

    def revisions(self) -> Iterator[Revision]:
        """Yield each page once, identified by its path in the folder; a file that cannot be read is counted."""
        for number, (inside, path) in enumerate(self._paths.items(), start=1):
            self.share = number / len(self._paths)
            place = self.layout.place(inside)
            if place is None:
                self.rejects["a file outside of the layout"] += 1
                continue
            try:
                page = read_page(path, language=self._language or place.language)
            except UnreadablePage:
                self.rejects["a file that cannot be read"] += 1
                continue
            time = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            yield Revision(replace(page, id=identity_of(inside), entity=place.slug), "", time)


def _is_page(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES and path.is_file()


def _is_hidden(inside: str) -> bool:
    return inside.startswith(".") or "/." in inside
