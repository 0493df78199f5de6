"""The corpus protocol and the table of kinds: what every way of keeping pages has in common."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from linkspot.errors import UnknownCorpus, UnreadablePage
from linkspot.records import Page, Revision


class Corpus(Protocol):
    """Pages with their revisions, read as a stream."""

    @property
    def rejects(self) -> Counter[str]:
        """How many records were set aside so far, by reason."""
        ...

    def revisions(self) -> Iterator[Revision]:
        """Yield every revision of every page, page by page, the oldest first."""
        ...


class CorpusKind(NamedTuple):
    """A line of the table: what the kind is, how to recognise it by its path, and how to open it."""

    description: str
    is_one: Callable[[Path], bool]
    open: Callable[[Path, str], Corpus]


def _mediawiki_xml(path: Path, language: str) -> Corpus:
    from linkspot.corpora.mediawiki_xml import MediaWikiDump

    return MediaWikiDump(path, language)


def _enterprise_html(path: Path, language: str) -> Corpus:
    from linkspot.corpora.enterprise_html import EnterpriseDump

    return EnterpriseDump(path, language)


def _folder(path: Path, language: str) -> Corpus:
    from linkspot.corpora.folder import Folder

    return Folder(path, language)


def _git_pages(path: Path, language: str) -> Corpus:
    from linkspot.corpora.git_pages import GitPages

    return GitPages(path, language)


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
    """Return the corpus at a path: of the kind that is named, else of the first kind that it looks like."""
    if not path.exists():
        raise UnreadablePage(f"{path} does not exist")
    if kind and kind not in KINDS:
        raise UnknownCorpus(f"no kind of corpus is called {kind!r}; there are: {', '.join(KINDS)}")
    found = kind or next((name for name, entry in KINDS.items() if entry.is_one(path)), "")
    if not found:
        described = "; ".join(f"{name}: {entry.description}" for name, entry in KINDS.items())
        raise UnknownCorpus(f"{path} is no corpus that linkspot knows ({described}); name its kind if it is one")
    return KINDS[found].open(path, language)


def time_of(text: str) -> datetime | None:
    """Return the time that a dump writes in the form of ISO 8601, or None where it is no time."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def current_pages(corpus: Corpus) -> Iterator[Page]:
    """Yield each page as its last revision has it."""
    last: Page | None = None
    for revision in corpus.revisions():
        page = revision.page
        if last is not None and (last.id, last.title) != (page.id, page.title):
            yield last
        last = page
    if last is not None:
        yield last
