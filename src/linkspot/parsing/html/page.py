"""HTML → article: Parsoid's HTML, the classic output of MediaWiki, and plain documents."""

import re
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from linkspot.parsing.character_references import resolved
from linkspot.parsing.html.nesting import check_nesting
from linkspot.parsing.html.source import BLOCK_TAGS, HtmlSource, opens_inline, tag_name
from linkspot.parsing.html.table_text import moved_texts
from linkspot.parsing.namespaces import namespace_of
from linkspot.parsing.prose import Mark, Prose
from linkspot.records import Article, LinkKind, Page
from linkspot.remembering import remembered
from linkspot.source_map import Span

# Text that is never a place for a link, nor part of a sentence.
_EXCLUDED = ", ".join(
    [
        "table, figure, figcaption, caption, pre, blockquote, math, svg, map, audio, video, object, canvas, dialog",
        "title, plaintext",  # where a tag is text
        "head, nav, footer, body > header, aside, form, button, select, fieldset, [hidden], [style*='display:none']",
        "[role=note], [role=navigation], [role=banner], [role=contentinfo], [role=complementary], [role=search]",
        ".hatnote, .dablink, .rellink, .navbox, .vertical-navbox, .sidebar, .infobox, .metadata, .ambox, .toc, #toc",
        ".mw-editsection, .editsection, .reflist, .references, .mw-references-wrap, .reference, .mw-empty-elt",
        ".noprint, .gallery, .thumb, .thumbcaption, .catlinks, #catlinks, .printfooter, .shortdescription",
        ".sistersitebox, .NavFrame, .mwe-math-element, .mw-jump-link, #siteSub, #contentSub, #jump-to-nav",
        "#footer, #column-one",
        # Parsoid: what a template or an extension made is not written in this page.
        "[about^='#mwt'], [typeof~='mw:Transclusion'], [typeof*='mw:Extension'], [typeof*='mw:File']",
        "[typeof*='mw:Image'], [typeof*='mw:Video'], [typeof*='mw:Audio'], [typeof*='mw:Placeholder']",
        "[typeof*='mw:Param']",
    ]
)
# The elements that hold the page's own text; a document without any of them is read from its body.
_CONTENT = ["main, [role=main], #bodyContent, #mw-content-text, .mw-parser-output", "article"]
_WIKI_CONTENT = "section[data-mw-section-id], .mw-parser-output"

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_PARAGRAPHS = frozenset({"p", "li", "dd", "dt"})
_CODE = frozenset({"code", "kbd", "samp", "tt", "var"})
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);?")
_SCHEME = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//|(?:mailto|javascript|tel|data|news|irc):", re.IGNORECASE)
_LANGUAGE = re.compile(r"<(?:html|body)\b[^<>]*?\s(?:xml:)?lang\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)


class _Surroundings(NamedTuple):
    """What the tree says about a piece of text."""

    level: int = 0  # of the heading that it is in
    is_paragraph: bool = False
    anchor: LexborNode | None = None


def parse(page: Page) -> Article:
    """Return the article of an HTML page.

    Loose text, outside of paragraphs and lists, is prose in a wiki's content, and in a document that has no other.
    """
    source = HtmlSource(page.text)
    check_nesting(source)
    document = LexborHTMLParser(source.skeleton())
    texts = _read_tree(document, source)
    is_wiki = document.css_first(_WIKI_CONTENT) is not None
    if is_wiki or not any(surroundings.is_paragraph for surroundings in texts.values()):
        texts = {number: s._replace(is_paragraph=not s.level) for number, s in texts.items()}
    return _HtmlReader(page, source, texts).article(_title(document, source))


def declared_language(text: str) -> str:
    """Return the language that the page's html or body tag names, or nothing."""
    match = _LANGUAGE.search(text)
    return match[1].lower() if match else ""


def _read_tree(document: LexborHTMLParser, source: HtmlSource) -> dict[int, _Surroundings]:
    """Return the surroundings of every piece of text that is prose or a heading."""
    root = document.body
    if root is None:
        return {}
    known: dict[int, _Surroundings | None] = {node.mem_id: None for node in root.css(_EXCLUDED)}
    for selector in _CONTENT:
        matches = root.css(selector)
        if matches and (selector != "article" or len(matches) == 1):
            root = matches[0]
            break
    texts: dict[int, _Surroundings] = {}
    for node in root.traverse(include_text=True):
        parent = node.parent if node.is_text_node else None
        if parent is None:
            continue
        surroundings = known[parent.mem_id] if parent.mem_id in known else _surroundings(parent, known)
        if surroundings is not None:
            for number in source.numbers_in(node.text_content or ""):
                texts[number] = surroundings
    return texts


def _surroundings(node: LexborNode, known: dict[int, _Surroundings | None]) -> _Surroundings | None:
    """Look up the tree from the node; None means excluded.

    The surroundings of each node on the way are kept, so that deep nesting costs time only once.
    """
    path = []
    above: LexborNode | None = node
    while above is not None and above.mem_id not in known:
        path.append(above)
        above = above.parent
    surroundings = known[above.mem_id] if above is not None else _Surroundings()
    for below in reversed(path):
        tag = below.tag or ""
        if surroundings is None:
            pass
        elif tag == "a":
            surroundings = surroundings._replace(anchor=below)
        elif tag in BLOCK_TAGS:
            level = _HEADINGS.get(tag, 0)
            is_paragraph = not level and (tag in _PARAGRAPHS or surroundings.is_paragraph)
            surroundings = _Surroundings(level, is_paragraph, surroundings.anchor)
        known[below.mem_id] = surroundings
    return surroundings


def _title(document: LexborHTMLParser, source: HtmlSource) -> str:
    """Return the text of the first h1, else of the title element."""
    for selector in ("h1", "title"):
        node = document.css_first(selector)
        words = _words(source, source.numbers_in(node.text()) if node else [])
        if words:
            return words
    return ""


def _words(source: HtmlSource, numbers: list[int]) -> str:
    """Return the text of these pieces, with the white space between them."""
    if not numbers:
        return ""
    wanted = set(numbers)
    between = range(numbers[0], numbers[-1] + 1, 2)
    pieces = ((number, source.pieces[number]) for number in between)
    text = "".join(resolved(piece) for number, piece in pieces if number in wanted or piece.isspace())
    return " ".join(text.split())


@remembered(entries=1024, longest=64)
def _character(entity: str) -> str:
    return resolved(entity)


class _Opened(NamedTuple):
    """An inline element whose end has not come yet."""

    name: str
    number: int
    mark: Mark


class _HtmlReader:
    """Goes through the source from start to end and writes the prose that was found in the tree."""

    def __init__(self, page: Page, source: HtmlSource, texts: dict[int, _Surroundings]) -> None:
        self._page = page
        self._source = source
        self._texts = texts
        self._moved = moved_texts(source)
        self._prose = Prose(page)
        self._is_titled = False

    def article(self, title: str) -> Article:
        """Read the page block by block."""
        for block, numbers in self._source.blocks_with(self._texts):
            surroundings = [self._texts[number] for number in numbers]
            if any(s.is_paragraph for s in surroundings):
                self._paragraph(block)
            elif level := max(s.level for s in surroundings):
                self._heading(numbers, level)
        return self._prose.article(title)

    def _heading(self, numbers: list[int], level: int) -> None:
        words = _words(self._source, numbers)
        if level == 1 and not self._is_titled and self._page.title in {"", words}:
            self._is_titled = True  # the first h1 is the page's own title, unless the corpus gives another
            return
        self._prose.heading(words, level)

    def _paragraph(self, block: range) -> None:
        pieces, starts, prose = self._source.pieces, self._source.starts, self._prose
        opened: list[_Opened] = []
        anchor: LexborNode | None = None
        for number in block:
            piece = pieces[number]
            if number % 2 == 0:
                surroundings = self._texts.get(number)
                if surroundings is not None and surroundings.is_paragraph:
                    anchor = surroundings.anchor
                    mark = prose.mark()
                    if "&" in piece:
                        self._write_resolved(piece, starts[number])
                    else:
                        prose.write(piece, starts[number], starts[number + 1])
                    # A link inside of an anchor would nest two, even if that one leads nowhere.
                    if anchor is not None or number in self._moved:
                        prose.close(mark)
                elif piece.isspace():
                    prose.write(piece, starts[number], starts[number + 1])
            elif piece.startswith("</"):
                self._close(opened, number, anchor)
            elif opens_inline(piece):
                self._open(opened, number)
            elif not piece.startswith("<!"):
                prose.skip(starts[number], starts[number + 1])
        prose.end_block()

    def _write_resolved(self, text: str, start: int) -> None:
        """Write the text with its character references resolved, each in its own place."""
        position = 0
        for entity in _ENTITY.finditer(text):
            character = _character(entity.group())
            if character == entity.group():
                continue
            self._prose.write(text[position : entity.start()], start + position, start + entity.start())
            self._prose.write(character, start + entity.start(), start + entity.end())
            position = entity.end()
        self._prose.write(text[position:], start + position, start + len(text))

    def _open(self, opened: list[_Opened], number: int) -> None:
        name = tag_name(self._source.pieces[number])
        if name == "a":  # an anchor ends the one before it: they do not nest
            opened[:] = [element for element in opened if element.name != name]
        opened.append(_Opened(name, number, self._prose.mark()))

    def _close(self, opened: list[_Opened], number: int, anchor: LexborNode | None) -> None:
        name = tag_name(self._source.pieces[number])
        if not opened or opened[-1].name != name:
            # An end tag inside another element: the range it closes cannot be edited as one, so it is ignored.
            opened[:] = [element for element in opened if element.name != name]
            return
        begin, starts = opened.pop(), self._source.starts
        outer = Span(starts[begin.number], starts[number + 1])
        inner = Span(starts[begin.number + 1], starts[number])
        target = (anchor.attributes.get("href") or "").strip() if anchor is not None and name == "a" else ""
        if anchor is not None and target:
            self._prose.link(begin.mark, target, _link_kind(target, anchor, self._page.language), outer, inner)
        elif name in _CODE:
            self._prose.seal(begin.mark, outer)
        else:
            self._prose.element(begin.mark, outer, inner)


def _link_kind(target: str, anchor: LexborNode, language: str) -> LinkKind:
    rel = anchor.attributes.get("rel") or ""
    classes = (anchor.attributes.get("class") or "").split()
    if "mw:WikiLink/Interwiki" in rel or "extiw" in classes:
        return LinkKind.INTERWIKI
    if "mw:ExtLink" in rel or "external" in classes or _SCHEME.match(target):
        return LinkKind.EXTERNAL
    name = target.removeprefix("./").rpartition("/wiki/")[2]
    return LinkKind.NAMESPACE if namespace_of(name, language) else LinkKind.PAGE
