"""The corpus protocol and the table of kinds: what every way of keeping pages has in common."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, Protocol

from linkspot.corpora.layouts import Layout, layout_of
from linkspot.errors import UnknownCorpus, UnreadablePage, UnusableInput
from linkspot.records import Page, Revision


class Corpus(Protocol):
    """Pages with their revisions, read as a stream."""

    @property
    def rejects(self) -> Counter[str]:
        """How many records were set aside so far, by reason."""
        ...

    @property
    def layout(self) -> Layout | None:
        """How paths name the pages, or None for a wiki, whose links name titles."""
        ...

    @property
    def share(self) -> float:
        """How much of it has been read, from 0 to 1."""
        ...

    def revisions(self) -> Iterator[Revision]:
        """Yield every revision of every page, page by page, the oldest first."""
        ...


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """Where a corpus is and what its user says of it; all but the path can be left to be recognised.

    `pages` is the pattern of its pages' paths (`docs/{lang}/{slug}.md`), `link_base` what stands before a slug in its
    absolute links (`/docs/`).
    """

    path: Path
    kind: str = ""
    language: str = ""
    pages: str = ""
    link_base: str = ""

    @property
    def layout(self) -> Layout | None:
        """The layout that the user describes, or None where it is to be recognised."""
        if self.link_base and not self.pages:
            raise UnusableInput("a link base goes with a pattern of pages, for instance: --pages 'docs/{slug}.md'")
        return layout_of(self.pages, self.link_base) if self.pages else None

    @property
    def size(self) -> int:
        """How many bytes it has on disk; of a folder, how many files."""
        if not self.path.is_dir():
            return self.path.stat().st_size if self.path.exists() else 0
        return sum(1 for path in self.path.rglob("*") if path.is_file())

    def open(self) -> Corpus:
        """Return the corpus: of the kind that is named, else of the first kind that it looks like."""
        if not self.path.exists():
            raise UnreadablePage(f"{self.path} does not exist")
        if self.kind and self.kind not in KINDS:
            raise UnknownCorpus(f"no kind of corpus is called {self.kind!r}; there are: {', '.join(KINDS)}")
        found = self.kind or next((name for name, entry in KINDS.items() if entry.is_one(self.path)), "")
        if not found:
            described = "; ".join(f"{name}: {entry.description}" for name, entry in KINDS.items())
            raise UnknownCorpus(
                f"{self.path} is no corpus that linkspot knows ({described}); name its kind if it is one"
            )
        return KINDS[found].open(self)


class CorpusKind(NamedTuple):
    """A line of the table: what the kind is, how to recognise it by its path, and how to open it."""

    description: str
    is_one: Callable[[Path], bool]
    open: Callable[[CorpusSource], Corpus]


def _mediawiki_xml(source: CorpusSource) -> Corpus:
    from linkspot.corpora.mediawiki_xml import MediaWikiDump

    return MediaWikiDump(source.path, source.language)


def _enterprise_html(source: CorpusSource) -> Corpus:
    from linkspot.corpora.enterprise_html import EnterpriseDump

    return EnterpriseDump(source.path, source.language)


def _folder(source: CorpusSource) -> Corpus:
    from linkspot.corpora.folder import Folder

    return Folder(source.path, source.language, source.layout)


def _git_pages(source: CorpusSource) -> Corpus:
    from linkspot.corpora.git_pages import GitPages

    return GitPages(source.path, source.language, source.layout)


def _is_repository(path: Path) -> bool:
    return (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir())


def _ends_in(*endings: str) -> Callable[[Path], bool]:
    return lambda path: path.name.lower().endswith(endings)


_XML = tuple(f".xml{packed}" for packed in ("", ".bz2", ".gz", ".xz", ".lzma"))

# Entries hold functions, so that naming one kind never imports another's libraries. The first that fits is taken.
KINDS: dict[str, CorpusKind] = {
    "mediawiki-xml": CorpusKind("a MediaWiki export, with or without history", _ends_in(*_XML), _mediawiki_xml),
    "enterprise-html": CorpusKind(
        "a Wikimedia Enterprise HTML dump", _ends_in(".json.tar.gz", ".ndjson", ".ndjson.gz"), _enterprise_html
    ),
    "git": CorpusKind("a git repository of pages, each commit a revision", _is_repository, _git_pages),
    "folder": CorpusKind("a folder of HTML, wikitext or Markdown files", Path.is_dir, _folder),
}


def open_corpus(path: Path, kind: str = "", language: str = "") -> Corpus:
    """Return the corpus at a path, recognised by what it is unless its kind is named."""
    return CorpusSource(path, kind, language).open()


def time_of(text: str) -> datetime | None:
    """Return the time that a dump writes in the form of ISO 8601, or None where it is no time."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def current_pages(corpus: Corpus) -> Iterator[Page]:
    """Yield each page as its last revision has it."""
    return (revision.page for revision in last_revisions(corpus.revisions()))


def last_revisions(revisions: Iterable[Revision], until: datetime | None = None) -> Iterator[Revision]:
    """Yield each page's last revision, or the last that was there at a time."""
    for _, history in groupby(revisions, key=lambda revision: (revision.page.id, revision.page.title)):
        last = None
        for revision in history:
            if until is None or revision.time is None or revision.time <= until:
                last = revision
        if last is not None:
            yield last
