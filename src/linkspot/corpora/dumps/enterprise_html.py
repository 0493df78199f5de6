"""Wikimedia Enterprise HTML dumps: `*.json.tar.gz` with files of one article a line, or a file of such lines."""

import json
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Self, cast

from linkspot.corpora.corpus import CorpusSource, time_of
from linkspot.corpora.dumps.packed import CUT_OFF, Packed
from linkspot.corpora.wiki_languages import language_of_wiki
from linkspot.limits import LIMITS
from linkspot.records import Markup, Page, Revision

_TAR_ENDINGS = (".tar.gz", ".tgz", ".tar")


class EnterpriseDump:
    """A dump, read as a stream: it is never unpacked to disk."""

    def __init__(self, path: Path, language: str = "") -> None:
        self.rejects: Counter[str] = Counter()
        self.layout = None  # its links name titles
        self.capitalises = True
        self.share = 0.0
        self._path = path
        self._language = language

    @classmethod
    def of(cls, source: CorpusSource) -> Self:
        """Return the dump at a source."""
        return cls(source.path, source.language)

    def revisions(self) -> Iterator[Revision]:
        """Yield the articles; any other line, or an article without HTML, is counted and set aside."""
        for line in self._lines():
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):  # UnicodeDecodeError is the first, too; the second is for deep nesting
                self.rejects["a line that is no JSON"] += 1
                continue
            revision = self._revision(record)
            if revision is not None:
                yield revision

    def _lines(self) -> Iterator[bytes]:
        packed = Packed(self._path, self.rejects)
        is_tar = self._path.name.lower().endswith(_TAR_ENDINGS)
        try:
            files = self._members(packed) if is_tar else [packed.buffered()]
            for file in files:
                for line in self._lines_of(file):
                    self.share = packed.share
                    yield line
        except tarfile.TarError:
            self.rejects[CUT_OFF] += 1
        finally:
            packed.close()

    def _members(self, packed: Packed) -> Iterator[IO[bytes]]:
        with tarfile.open(fileobj=cast(IO[bytes], packed), mode="r|") as tar:
            for member in tar:
                # A sparse file says how large it is, and has next to nothing in it.
                file = tar.extractfile(member) if member.isreg() and not member.issparse() else None
                if file is not None:
                    yield file
                elif not member.isdir():
                    self.rejects["a member of the archive that is not an ordinary file"] += 1

    def _lines_of(self, file: IO[bytes]) -> Iterator[bytes]:
        """Yield the lines of a file; of one that is too long, nothing is kept in memory."""
        is_rest = False
        while line := file.readline(LIMITS.line_bytes):
            is_whole = line.endswith(b"\n") or len(line) < LIMITS.line_bytes
            if is_whole and not is_rest:
                yield line
            elif not is_rest:
                self.rejects["a line that is too long"] += 1
            is_rest = not is_whole

    def _revision(self, record: object) -> Revision | None:
        title, html = _at(record, "name"), _at(record, "article_body", "html")
        if not isinstance(title, str) or not title:
            self.rejects["a line that is no article"] += 1
        elif _at(record, "namespace", "identifier") not in (0, None):
            self.rejects["not an article"] += 1
        elif not isinstance(html, str) or not html:
            self.rejects["an article without HTML"] += 1
        else:
            time = time_of(_text(_at(record, "date_modified")))
            return Revision(self._page(record, title, html), _text(_at(record, "version", "identifier")), time)
        return None

    def _page(self, record: object, title: str, html: str) -> Page:
        redirects = _at(record, "redirects")
        return Page(
            title,
            html,
            Markup.HTML,
            self._language or _language(record),
            id=_text(_at(record, "identifier")),
            entity=_text(_at(record, "main_entity", "identifier")),
            redirects=tuple(_text(_at(item, "name")) for item in redirects) if isinstance(redirects, list) else (),
        )


def _language(record: object) -> str:
    wiki, said = _at(record, "is_part_of", "identifier"), _at(record, "in_language", "identifier")
    return language_of_wiki(_text(wiki), _text(said))


def _at(record: object, *keys: str) -> object:
    for key in keys:
        record = record.get(key) if isinstance(record, dict) else None
    return record


def _text(value: object) -> str:
    return str(value) if isinstance(value, str | int | float) else ""
