"""MediaWiki's XML exports: pages-articles (one revision a page) and pages-meta-history (all of them)."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from linkspot.corpora.corpus import time_of
from linkspot.corpora.packed import Packed
from linkspot.errors import UnreadablePage
from linkspot.records import Markup, Page, Revision

_CHUNK = 1 << 16
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_TAGS = ("{*}mediawiki", "{*}page", "{*}revision")
_ARTICLES = "0"  # the namespace


class MediaWikiDump:
    """An export, read revision by revision in bounded memory, however long one page's history is."""

    def __init__(self, path: Path, language: str = "") -> None:
        self.rejects: Counter[str] = Counter()
        self.layout = None  # its links name titles
        self.share = 0.0
        self._path = path
        self._language = language

    def revisions(self) -> Iterator[Revision]:
        """Yield the revisions of the articles; what is no article or has no text is counted and set aside."""
        language, is_in_page = self._language, False
        for event, element in self._events():
            name = _name(element)
            if event == "start":
                language = language or element.get(_LANGUAGE, "")
                is_in_page = is_in_page or name == "page"
            elif name == "revision":
                revision = self._revision(element, language)
                element.clear()  # however long a page's history is
                if revision is not None:
                    yield revision
            elif name == "page":
                is_in_page = False
                _forget(element)
        if is_in_page:
            self.rejects["the last page is cut off"] += 1

    def _events(self) -> Iterator[tuple[str, etree._Element]]:
        """Yield where pages and revisions begin and end; a fault in the XML is passed over, and counted."""
        stream = Packed(self._path, self.rejects)
        parser = etree.XMLPullParser(("start", "end"), tag=_TAGS, recover=True, huge_tree=True, resolve_entities=False)
        is_export = False
        try:
            while chunk := stream.read(_CHUNK):
                parser.feed(chunk)
                self.share = stream.share
                for event, element in parser.read_events():
                    is_export = True
                    yield event, element
        finally:
            stream.close()
        if not is_export:
            raise UnreadablePage(f"{self._path} is no MediaWiki export: it holds neither pages nor revisions")
        faults = [fault for fault in parser.feed_error_log if fault.type != etree.ErrorTypes.ERR_DOCUMENT_END]
        self.rejects.update("a fault in the XML" for _ in faults)

    def _revision(self, element: etree._Element, language: str) -> Revision | None:
        facts = _parts(element.getparent())
        parts = _parts(element)
        text = parts.get("text")
        if _content(facts, "ns") not in {_ARTICLES, ""}:
            self.rejects["not an article"] += 1
        elif text is None or text.get("deleted") is not None:
            self.rejects["a revision without text"] += 1
        elif _content(parts, "model") not in {"wikitext", ""}:
            self.rejects["not wikitext"] += 1
        else:
            redirect = facts["redirect"].get("title", "") if "redirect" in facts else ""
            title, page_id = _content(facts, "title"), _content(facts, "id")
            page = Page(title, text.text or "", Markup.WIKITEXT, language, page_id, title, redirect)
            return Revision(page, _content(parts, "id"), time_of(_content(parts, "timestamp")))
        return None


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


def _forget(page: etree._Element) -> None:
    """Free the page and all before it, which the tree would otherwise keep to the end."""
    page.clear()
    parent = page.getparent()
    while parent is not None and page.getprevious() is not None:
        del parent[0]
