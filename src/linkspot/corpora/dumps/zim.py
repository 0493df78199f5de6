"""ZIM archives: the HTML pages in them, and the redirects between their paths."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.languages import tag_of
from linkspot.corpora.page_file import decode
from linkspot.corpora.sites.layouts import Layout, LinkStyle
from linkspot.errors import UnreadablePage
from linkspot.extras import Extra, require
from linkspot.limits import LIMITS
from linkspot.records import Markup, Page, Revision

# In an archive, links are paths from one page to another, whatever titles the pages have.
_LAYOUT = Layout(
    "zim",
    ("{page}", "{slug}"),
    languages=frozenset(),
    links=LinkStyle("/", keeps_case=True),
    slug_is_identity=False,  # most archives hold a wiki, whose paths are its titles
)
# RuntimeError is libzim's, for a part of the file that is damaged; ValueError is for a name that is not UTF-8.
_FAULTS = (UnreadablePage, RuntimeError, ValueError, LookupError)
_FIRST_PART = "aa"  # what the name of an archive in several files ends in


class ZimArchive:
    """The pages of an archive, in the order of their paths; a redirect is a page without text."""

    capitalises = True

    def __init__(self, path: Path, language: str = "") -> None:
        self.rejects: Counter[str] = Counter()
        self.layout = _LAYOUT
        self.share = 0.0
        self._archive = _open(path)
        self._language = language or _language_of(self._archive)

    @classmethod
    def of(cls, source: CorpusSource) -> Self:
        """Return the archive at a source."""
        return cls(source.path, source.language)

    def revisions(self) -> Iterator[Revision]:
        """Yield each HTML page and each redirect; a page that cannot be read is counted."""
        count = self._archive.entry_count
        for number in range(count):
            self.share = (number + 1) / count
            try:
                page = self._page(self._archive._get_entry_by_id(number))
            except _FAULTS:
                self.rejects["a page that cannot be read"] += 1
                continue
            if page is not None:
                yield Revision(page, "", None)

    def _page(self, entry: Any) -> Page | None:
        item = entry.get_item()  # of the page that it leads to, if it is a redirect
        if not item.mimetype.startswith("text/html"):
            return None
        facts = _LAYOUT.read_path(entry.path)
        slug = facts.slug if facts else entry.path
        if entry.is_redirect:
            target = f"/{entry.get_redirect_entry().path}"
            return Page(entry.title, "", Markup.HTML, self._language, entry.path, slug, redirect=target)
        if item.size > LIMITS.page_bytes:
            raise UnreadablePage(f"{entry.path} has {item.size:,} bytes")
        text = decode(bytes(item.content), entry.path, Markup.HTML)
        return Page(entry.title, text, Markup.HTML, self._language, entry.path, slug)


def _open(path: Path) -> Any:
    require(Extra.ZIM, f"reading {path}")
    from libzim.reader import Archive

    try:
        return Archive(path.with_name(path.name.removesuffix(_FIRST_PART)))
    except RuntimeError as error:
        raise UnreadablePage(f"{path} is not a complete ZIM archive ({error}); fetch it again") from error


def _language_of(archive: Any) -> str:
    """Return the language that the archive names; nothing if it names several: then each page has to say its own."""
    try:
        language = archive.get_metadata("Language").decode() if "Language" in archive.metadata_keys else ""
    except _FAULTS:
        return ""
    return "" if "," in language else tag_of(language)
