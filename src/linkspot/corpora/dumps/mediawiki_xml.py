"""MediaWiki's XML exports: pages-articles (one revision a page) and pages-meta-history (all of them)."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

from lxml import etree

from linkspot.corpora.corpus import CorpusSource, time_of
from linkspot.corpora.dumps.packed import Packed
from linkspot.corpora.wiki_languages import language_of_wiki
from linkspot.errors import UnreadablePage
from linkspot.limits import LIMITS
from linkspot.records import Markup, Page, Revision

_CHUNK = 1 << 16
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_TAGS = ("{*}mediawiki", "{*}siteinfo", "{*}page", "{*}revision")
_ARTICLES = "0"  # the namespace
_ROOT, _PAGE, _END = b"<mediawiki>", b"<page>", b"</mediawiki>"
_END_WITHIN = 1000  # in the last bytes of a complete export


class MediaWikiDump:
    """An export, read revision by revision in bounded memory, however long one page's history is."""

    def __init__(self, path: Path, language: str = "") -> None:
        self.rejects: Counter[str] = Counter()
        self.layout = None  # its links name titles
        self.share = 0.0
        self._path = path
        self._site = _read_site(path)
        self._language = language or self._site.language
        self.capitalises = self._site.capitalises

    @classmethod
    def of(cls, source: CorpusSource) -> Self:
        """Return the export at a source."""
        return cls(source.path, source.language)

    def revisions(self) -> Iterator[Revision]:
        """Yield the revisions of the articles; anything else, or one without text, is counted and set aside."""
        is_in_page = False
        for event, element in self._events():
            name = _name(element)
            if event == "start":
                is_in_page = is_in_page or name == "page"
            elif name == "revision":
                revision = self._revision(element)
                _forget_revision(element)  # however long a page's history is
                if revision is not None:
                    yield revision
            elif name == "page":
                is_in_page = False
                _forget(element)
        if is_in_page:
            self.rejects["the last page is cut off"] += 1

    def _events(self) -> Iterator[tuple[str, etree._Element]]:
        """Yield where pages and revisions begin and end; a fault in the XML is skipped and counted."""
        stream = Packed(self._path, self.rejects)
        parser, silent, end = _parser(), 0, b""
        try:
            chunk = stream.read(_CHUNK)
            while chunk:
                parser.feed(chunk)
                end = (end + chunk)[-_END_WITHIN:]
                self.share = stream.share
                silent += len(chunk)
                for event, element in parser.read_events():
                    silent = silent if _is_nested(event, element) else 0
                    yield event, element
                if silent > LIMITS.element_bytes:
                    self.rejects["a page that is too large"] += 1
                    parser, silent = _parser(), 0
                    chunk = _next_page(stream)
                else:
                    chunk = stream.read(_CHUNK)
        finally:
            stream.close()
        if _END in end:
            # After a lone & the parser waits for its semicolon, until it is closed if need be.
            with suppress(etree.XMLSyntaxError):
                parser.close()
            yield from parser.read_events()
        faults = [fault for fault in parser.feed_error_log if fault.type != etree.ErrorTypes.ERR_DOCUMENT_END]
        self.rejects.update("a fault in the XML" for _ in faults)

    def _revision(self, element: etree._Element) -> Revision | None:
        facts = _parts(element.getparent())
        parts = _parts(element)
        text, title = parts.get("text"), _content(facts, "title")
        if _content(facts, "ns") not in {_ARTICLES, ""}:
            self.rejects["not an article"] += 1
        elif title.partition(":")[0].casefold() in self._site.namespaces:
            self.rejects["a title in the wrong namespace" if "ns" in facts else "not an article"] += 1
        elif text is None or text.get("deleted") is not None:
            self.rejects["a revision without text"] += 1
        elif _content(parts, "model") not in {"wikitext", ""}:
            self.rejects["not wikitext"] += 1
        else:
            redirect = facts["redirect"].get("title", "") if "redirect" in facts else ""
            page_id = _content(facts, "id")
            page = Page(title, text.text or "", Markup.WIKITEXT, self._language, page_id, redirect=redirect)
            return Revision(page, _content(parts, "id"), time_of(_content(parts, "timestamp")))
        return None


class _SiteInfo(NamedTuple):
    """What an export says of its wiki before the pages; names of namespaces are in lower case."""

    language: str = ""
    capitalises: bool = True
    namespaces: frozenset[str] = frozenset()


def _read_site(path: Path) -> _SiteInfo:
    """Return what the export says of its wiki; any other file is refused."""
    stream = Packed(path, Counter())
    parser = _parser()
    site, size = None, 0
    try:
        while size <= LIMITS.element_bytes and (chunk := stream.read(_CHUNK)):
            size += len(chunk)
            parser.feed(chunk)
            for event, element in parser.read_events():
                site = site or _SiteInfo(element.get(_LANGUAGE, ""))
                if (event, _name(element)) == ("end", "siteinfo"):
                    return _site_info(element, site.language)
                if _name(element) == "page":
                    return site
    finally:
        stream.close()
    if site is None:
        raise UnreadablePage(f"{path} is not a MediaWiki export: it has neither pages nor revisions; name a dump")
    return site


def _site_info(element: etree._Element, language: str) -> _SiteInfo:
    parts = _parts(element)
    namespaces = [name for name in parts.get("namespaces", ()) if name.get("key") != _ARTICLES]
    names = frozenset(name.text.casefold() for name in namespaces if name.text)
    language = language_of_wiki(_content(parts, "dbname"), language)
    return _SiteInfo(language, _content(parts, "case") != "case-sensitive", names)


def _parser() -> etree.XMLPullParser:
    return etree.XMLPullParser(("start", "end"), tag=_TAGS, recover=True, huge_tree=True, resolve_entities=False)


def _is_nested(event: str, element: etree._Element) -> bool:
    """Return whether a page or a revision begins inside of another one, which no export has."""
    return event == "start" and any(_name(outer) == _name(element) for outer in element.iterancestors())


def _next_page(stream: Packed) -> bytes:
    """Skip a stream up to the next page, and return its beginning for a new parser; nothing if there is none."""
    rest = b""
    while chunk := stream.read(_CHUNK):
        rest += chunk
        start = rest.find(_PAGE)
        if start >= 0:
            return _ROOT + rest[start:]
        rest = rest[-len(_PAGE) :]
    return b""


def _parts(element: etree._Element | None) -> dict[str, etree._Element]:
    """Return the element's children before any revision, by name; a page's facts come before its history."""
    parts: dict[str, etree._Element] = {}
    for part in element if element is not None else ():
        name = _name(part)
        if name == "revision":
            break
        parts[name] = part
    return parts


def _content(parts: dict[str, etree._Element], name: str) -> str:
    return (parts[name].text or "") if name in parts else ""


def _name(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _forget_revision(revision: etree._Element) -> None:
    """Free the memory of a revision and of those before it; what the page says of itself stays."""
    revision.clear()
    page, before = revision.getparent(), revision.getprevious()
    if page is not None and before is not None and _name(before) == "revision":
        page.remove(before)


def _forget(page: etree._Element) -> None:
    """Free the memory of the page and of everything before it in the tree."""
    page.clear()
    parent = page.getparent()
    while parent is not None and page.getprevious() is not None:
        del parent[0]
