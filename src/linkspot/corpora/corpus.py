"""The corpus protocol and the table of kinds: what every way of keeping pages has in common."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, Protocol

from linkspot.corpora.sites.layouts import Layout, layout_of
from linkspot.corpora.sites.repository import is_repository
from linkspot.errors import UnknownCorpus, UnreadablePage
from linkspot.limits import LIMITS
from linkspot.parsing.markup import endings
from linkspot.plugins import plug_ins, resolved
from linkspot.records import Page, Revision

GROUP = "linkspot.corpora"  # of the entry points by which other packages add kinds of corpora


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
    def capitalises(self) -> bool:
        """Whether the first letter of a title is always a capital, however a link spells it."""
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
    """Where a corpus is and what its user says of it; everything but the path can be recognised.

    `language` is for pages that do not say their own. `pages` is the pattern of its pages' paths
    (`docs/{lang}/{slug}.md`), `link_base` what stands before a slug in its absolute links (`/docs/`).
    """

    path: Path
    kind: str = ""
    language: str = ""
    pages: str = ""
    link_base: str = ""

    @property
    def layout(self) -> Layout | None:
        """The layout that the user describes, None if it is to be recognised."""
        return layout_of(self.pages, self.link_base) if self.pages else None

    @property
    def size(self) -> int:
        """How many bytes a file has, or how many files a folder has."""
        if not self.path.is_dir():
            return self.path.stat().st_size if self.path.exists() else 0
        return sum(1 for path in self.path.rglob("*") if path.is_file())

    def open(self) -> Corpus:
        """Return the corpus: of the kind that is named, else of the first kind that matches."""
        if not self.path.exists():
            raise UnreadablePage(f"{self.path} does not exist; name a corpus that does")
        if not (self.path.is_file() or self.path.is_dir()):
            raise UnreadablePage(f"{self.path} is a pipe or a device; save it as a file first, and name that")
        if self.kind and self.kind not in kinds():
            raise UnknownCorpus(f"no kind of corpus is called {self.kind!r}; there are: {', '.join(kinds())}")
        kind = self.kind or _kind_of(self.path)
        if not kind:
            descriptions = "; ".join(f"{name}: {entry.description}" for name, entry in kinds().items())
            raise UnknownCorpus(
                f"{self.path} is not a corpus that linkspot recognises ({descriptions}); if it is one, name its --kind"
            )
        return kinds()[kind].open(self)


class CorpusKind(NamedTuple):
    """A line of the table: what the kind is, how to recognise it by its path, and the class that reads it.

    The class is named like `package.module:Class`, so that naming one kind never imports another's libraries. It has a
    class method `of(source)` that returns the corpus.
    """

    description: str
    is_one: Callable[[Path], bool]
    reader: str

    def open(self, source: CorpusSource) -> Corpus:
        """Return the corpus at a source that is of this kind."""
        corpus: Corpus = resolved(self.reader).of(source)
        return corpus


def _ends_in(pattern: str) -> Callable[[Path], bool]:
    expression = re.compile(pattern, re.IGNORECASE)
    return lambda path: path.is_file() and expression.search(path.name) is not None


# Large wikis are dumped in parts: pages-meta-history1.xml-p1p873.bz2
_XML = r"\.xml(?:-p\d+p\d+)?(?:\.(?:bz2|gz|xz|lzma|7z))?$"

_PACKED = re.compile(r"\.(bz2|gz|xz|lzma|7z)$", re.IGNORECASE)

# The first kind that fits a path is taken; entry points add further ones.
KINDS: dict[str, CorpusKind] = {
    "mediawiki-xml": CorpusKind(
        "a MediaWiki export, with or without history",
        _ends_in(_XML),
        "linkspot.corpora.dumps.mediawiki_xml:MediaWikiDump",
    ),
    "enterprise-html": CorpusKind(
        "a Wikimedia Enterprise HTML dump",
        _ends_in(r"\.json\.tar\.gz$|\.ndjson(?:\.gz)?$"),
        "linkspot.corpora.dumps.enterprise_html:EnterpriseDump",
    ),
    "zim": CorpusKind(
        "a ZIM archive of HTML pages", _ends_in(r"\.zim(?:aa)?$"), "linkspot.corpora.dumps.zim:ZimArchive"
    ),
    "git": CorpusKind(
        "a git repository or bundle of pages, each commit a revision",
        is_repository,
        "linkspot.corpora.sites.git_pages:GitPages",
    ),
    "folder": CorpusKind(
        "a folder of HTML, wikitext or Markdown files", Path.is_dir, "linkspot.corpora.sites.folder:Folder"
    ),
}


def kinds() -> dict[str, CorpusKind]:
    """Return all kinds of corpora by their names; those of plug-ins come first, as any folder is a `folder`."""
    return {**{name: plug_in.load() for name, plug_in in plug_ins(GROUP).items()}, **KINDS}


def sources(path: Path, kind: str = "", language: str = "", pages: str = "", link_base: str = "") -> list[CorpusSource]:
    """Return the corpora at a path: one, or all dumps of a folder that holds dumps and no pages.

    If dumps differ only in how they are packed, one of them is taken.
    """
    paths = [path]
    if path.is_dir() and not _is_corpus(path, kind):
        paths = _dumps_in(path) or paths
    return [CorpusSource(dump, kind, language, pages, link_base) for dump in paths]


def _is_corpus(folder: Path, kind: str) -> bool:
    """Return whether a folder is a corpus itself; a plain one, whose kind is not named, may hold dumps."""
    return kinds()[kind].is_one(folder) if kind in kinds() else _kind_of(folder) != "folder"


def _dumps_in(folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file() and "/." not in path.relative_to(folder).as_posix()]
    if any(path.suffix.lower() in endings() for path in files):
        return []
    dumps = [path for path in files if path.parent == folder and _kind_of(path)]
    dumps_once = {_PACKED.sub("", path.name): path for path in sorted(dumps, key=_in_preference)}
    return sorted(dumps_once.values(), key=_in_order)


def _in_preference(path: Path) -> int:
    """Return a key that sorts the packing that is read fastest last; 7z needs a library that may not be installed."""
    packing = _PACKED.search(path.name)
    return ("7z", "bz2", "lzma", "xz", "gz").index(packing[1].lower()) if packing else 9


def _in_order(path: Path) -> list[tuple[int, str]]:
    """Return a key that sorts part 2 before part 10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", path.name)]


def _kind_of(path: Path) -> str:
    return next((name for name, kind in kinds().items() if kind.is_one(path)), "")


def open_corpus(path: Path, kind: str = "", language: str = "") -> Corpus:
    """Return the corpus at a path; its kind is recognised unless it is named."""
    return CorpusSource(path, kind, language).open()


def time_of(text: str) -> datetime | None:
    """Return the time in a dump, in the form of ISO 8601, or None if it is not a time; without a zone it is in UTC."""
    try:
        time = datetime.fromisoformat(text)
        time = time if time.tzinfo else time.replace(tzinfo=UTC)
        return time if time.astimezone(UTC) else None
    except (ValueError, OverflowError):  # the second for a zone that leads out of the calendar
        return None


def revisions_of(corpus: Corpus) -> Iterator[Revision]:
    """Yield the revisions of a corpus that can be worked with; any other is counted and set aside."""
    for revision in corpus.revisions():
        fault = _fault_of(revision)
        if fault:
            corpus.rejects[fault] += 1
        else:
            yield revision


def _fault_of(revision: Revision) -> str:
    """Return why a revision is set aside, or nothing."""
    page = revision.page
    names = (page.title, page.id, page.entity, page.language, page.redirect, *page.redirects, revision.id)
    if any(len(name) > LIMITS.title_characters for name in names):
        return "a title that is too long"
    if len(page.text) > LIMITS.page_bytes:
        return "a page that is too large"
    if not all(map(_is_unicode, (page.text, *names))):
        return "a page with half a character (a lone surrogate)"
    return ""


def _is_unicode(text: str) -> bool:
    """Return whether a text has no half characters (lone surrogates), which no table can hold."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def current_pages(corpus: Corpus) -> Iterator[Page]:
    """Yield each page as it is in its last revision."""
    return (revision.page for revision in last_revisions(revisions_of(corpus)))


def last_revisions(revisions: Iterable[Revision], until: datetime | None = None) -> Iterator[Revision]:
    """Yield each page's last revision, or the last that was there at a time, unless it is deleted by then."""
    for _, history in groupby(revisions, key=lambda revision: (revision.page.id, revision.page.title)):
        last = None
        for revision in history:
            if until is None or revision.time is None or revision.time <= until:
                last = revision
        if last is not None and not last.is_deletion:
            yield last
