"""A folder of pages: every HTML, wikitext or Markdown file in it and below."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from linkspot.corpora.files import SUFFIXES, read_page
from linkspot.errors import UnreadablePage
from linkspot.records import Revision


class Folder:
    """The pages of a folder, in the order of their paths; hidden files and folders are none."""

    def __init__(self, path: Path, language: str = "") -> None:
        self.rejects: Counter[str] = Counter()
        self._path = path
        self._language = language

    def revisions(self) -> Iterator[Revision]:
        """Yield each page once, identified by its path in the folder; a file that cannot be read is counted."""
        for path in sorted(self._path.rglob("*")):
            inside = path.relative_to(self._path)
            is_hidden = any(part.startswith(".") for part in inside.parts)
            if is_hidden or path.suffix.lower() not in SUFFIXES or not path.is_file():
                continue
            try:
                page = read_page(path, language=self._language)
            except UnreadablePage:
                self.rejects["a file that cannot be read"] += 1
                continue
            time = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            yield Revision(replace(page, id=inside.with_suffix("").as_posix()), "", time)
