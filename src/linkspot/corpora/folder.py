"""A folder of pages: every HTML, wikitext or Markdown file in it and below."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from linkspot.corpora.files import SUFFIXES, read_page
from linkspot.corpora.layouts import Layout, identity_of, recognised
from linkspot.errors import UnreadablePage
from linkspot.records import Revision


class Folder:
    """The pages of a folder, in the order of their paths; hidden files and folders are none."""

    def __init__(self, path: Path, language: str = "", layout: Layout | None = None) -> None:
        self.rejects: Counter[str] = Counter()
        self._path = path
        self._language = language
        self._layout = layout

    def revisions(self) -> Iterator[Revision]:
        """Yield each page once, identified by its path in the folder; a file that cannot be read is counted."""
        paths = {
            path.relative_to(self._path).as_posix(): path for path in sorted(self._path.rglob("*")) if _is_page(path)
        }
        pages = [inside for inside in paths if not _is_hidden(inside)]
        layout = self._layout or recognised({entry.name for entry in self._path.iterdir()}, pages)
        for inside in pages:
            place = layout.place(inside)
            if place is None:
                self.rejects["a file outside of the layout"] += 1
                continue
            try:
                page = read_page(paths[inside], language=self._language or place.language)
            except UnreadablePage:
                self.rejects["a file that cannot be read"] += 1
                continue
            time = datetime.fromtimestamp(paths[inside].stat().st_mtime, UTC)
            yield Revision(replace(page, id=identity_of(inside), entity=place.slug), "", time)


def _is_page(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES and path.is_file()


def _is_hidden(inside: str) -> bool:
    return inside.startswith(".") or "/." in inside
