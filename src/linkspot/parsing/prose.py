"""Prose: every parser writes the text of a page into it, so that all of them make the same Article."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from linkspot.records import Article, Link, LinkKind, Page, Section, Sentence
from linkspot.source_map import Element, SourceMap, Span, TextRun
from linkspot.text import sentences

# White space as HTML collapses it; a no-break space is a character like any other.
_BLANKS = str.maketrans("\t\n\r\f", "    ")
_new_tuple = tuple.__new__  # a named tuple's own constructor is a Python function, too slow for every piece of text
_BLANK_RUN = re.compile(" +")
_PIECES = re.compile(r" +|[^ ]+(?: [^ ]+)*")


class Mark(NamedTuple):
    """A point in the prose, taken before an element's text and handed back after it."""

    block: int
    position: int


class Prose:
    """Collects the text of one page, section by section and block by block, with its places in the markup.

    A block is a paragraph or a list item; each is one line of its section's text. White space is collapsed here, once
    for all markups. Positions in the markup are characters of the page's text.
    """

    _parts: list[str]
    _runs: list[TextRun]
    _elements: list[Element]
    _links: list[tuple[int, int, str, LinkKind, Span]]
    _closed: list[tuple[int, int]]
    _block_ranges: list[tuple[int, int]]
    _length: int
    _block_start: int
    _after_blank: bool  # white space at the beginning of a block, or after other white space, is dropped

    def __init__(self, page: Page) -> None:
        self._page = page
        self._sections: list[Section] = []
        self._block = 0
        self._begin_section("", 1)

    def heading(self, title: str, level: int) -> None:
        """Close the section and begin the next one."""
        self._end_section()
        self._begin_section(" ".join(title.split()), level)

    def end_block(self) -> None:
        """End the paragraph or list item, if it has any text."""
        self._block += 1
        if self._after_blank and self._length > self._block_start:
            self._drop_blank()
        if self._length > self._block_start:
            self._block_ranges.append((self._block_start, self._length))
            self._parts.append("\n")
            self._length += 1
        self._block_start = self._length
        self._after_blank = True

    def write(self, text: str, start: int, end: int) -> None:
        """Add text that was read from markup[start:end], character by character if both are equally long."""
        if "\n" in text or "\t" in text or "\r" in text or "\f" in text:  # translating is slow, and most text has none
            text = text.translate(_BLANKS)
        if "  " in text:
            self._write_collapsed(text, start, end)
            return
        if self._after_blank and text[:1] == " ":
            start += len(text) == end - start
            text = text[1:]
        if text:
            begin = self._length
            self._length = length = begin + len(text)
            self._parts.append(text)
            self._runs.append(_new_tuple(TextRun, (begin, length, start, end)))
            self._after_blank = text[-1] == " "

    def skip(self, start: int, end: int) -> None:
        """Note markup that shows no prose (a footnote, a template) at this point."""
        self._elements.append(Element(self._length, self._length, start, start, end, end))

    def mark(self) -> Mark:
        """Return the point where the next text will stand."""
        return Mark(self._block, self._length)

    def element(self, mark: Mark, outer: Span, inner: Span) -> None:
        """Note inline markup around all text since the mark; markup that reaches over several blocks is not inline."""
        if mark.block == self._block:
            end = max(mark.position, self._length - self._after_blank)
            self._elements.append(Element(mark.position, end, outer.start, inner.start, inner.end, outer.end))

    def seal(self, mark: Mark, outer: Span) -> None:
        """Make all text since the mark one piece with the markup around it, such as code: no link may cut it."""
        if mark.block == self._block and mark.position < self._length:
            while self._runs and self._runs[-1].start >= mark.position:
                self._runs.pop()
            self._runs.append(TextRun(mark.position, self._length, outer.start, outer.end))

    def close(self, mark: Mark) -> None:
        """Allow no link in the text since the mark; unlike sealed text, it may be cut between sentences."""
        if mark.position < self._length:
            self._closed.append((mark.position, self._length))

    def link(self, mark: Mark, target: str, kind: LinkKind, outer: Span, inner: Span) -> None:
        """Note a link whose mention is all text since the mark."""
        self.element(mark, outer, inner)
        if mark.block == self._block:
            self._links.append((mark.position, self._length - self._after_blank, target, kind, outer))

    def article(self, title: str = "", identity: str = "") -> Article:
        """Return everything that was collected; the title and identity are the ones that the markup gives."""
        self._end_section()
        page = self._page
        return Article(
            page.title or title or page.id.rpartition("/")[2].replace("_", " "),
            page.language,
            tuple(self._sections),
            page.markup,
            identity or page.id,
        )

    def _begin_section(self, title: str, level: int) -> None:
        self._title, self._level = title, level
        self._parts, self._runs, self._elements, self._links = [], [], [], []
        self._closed, self._block_ranges = [], []
        self._length = self._block_start = 0
        self._after_blank = True

    def _write_collapsed(self, text: str, start: int, end: int) -> None:
        if len(text) != end - start:
            self.write(_BLANK_RUN.sub(" ", text), start, end)
            return
        for piece in _PIECES.finditer(text):
            words = piece.group()
            self.write(" " if words[0] == " " else words, start + piece.start(), start + piece.end())

    def _drop_blank(self) -> None:
        """Take back the white space at the end of the block."""
        self._length -= 1
        self._parts[-1] = self._parts[-1][:-1]
        run = self._runs.pop()
        if run.end - run.start > 1:
            self._runs.append(run._replace(end=run.end - 1, source_end=run.source_end_of(run.end - 1)))
        for index in range(len(self._elements) - 1, -1, -1):
            element = self._elements[index]
            if element.end <= self._length:
                break
            self._elements[index] = element._replace(start=min(element.start, self._length), end=self._length)

    def _end_section(self) -> None:
        self.end_block()
        text = "".join(self._parts).removesuffix("\n")
        elements = tuple(sorted(_from_first_word(text, element) for element in _behind_text(self._elements)))
        source_map = SourceMap(tuple(self._runs), elements, tuple(_joined(self._closed)))
        own, links = tuple(self._sentences(text, source_map)), tuple(self._finished_links(text))
        self._sections.append(Section(self._title, self._level, text, own, links, source_map))

    def _finished_links(self, text: str) -> Iterator[Link]:
        for start, end, target, kind, outer in self._links:
            begin = start + text.startswith(" ", start)
            if begin < end:
                yield Link(target, text[begin:end], begin, end, outer, kind)

    def _sentences(self, text: str, source_map: SourceMap) -> Iterator[Sentence]:
        # A full stop inside code or a macro does not end a sentence: the markup cannot be cut there.
        sealed = [(run.start, run.end) for run in self._runs if run.end - run.start > 1 and not run.is_verbatim]
        for block_start, block_end in self._block_ranges:
            spans = sentences.split(text[block_start:block_end], self._page.language)
            ranges = [(block_start + span.start, block_start + span.end) for span in spans]
            for start, end in _uncut(ranges, sealed) if sealed else ranges:
                yield Sentence(text[start:end], start, end, source_map.source_span(start, end))


def _joined(ranges: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the ranges in order, with those that touch or overlap as one."""
    start, end = -1, -1
    for first, last in sorted(ranges):
        if first > end:
            if end > start:
                yield start, end
            start = first
        end = max(end, last)
    if end > start:
        yield start, end


def _behind_text(elements: list[Element]) -> Iterator[Element]:
    """Yield the elements, without hidden markup at the start of another one: it is not part of the text before it."""
    openings: dict[int, int] = {}
    for element in elements:
        if element.start < element.end:
            openings[element.start] = min(element.outer_start, openings.get(element.start, element.outer_start))
    for element in elements:
        opening = openings.get(element.start)
        if element.start < element.end or opening is None or element.outer_start < opening:
            yield element


def _uncut(ranges: list[tuple[int, int]], sealed: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join neighbouring ranges whose border is inside of a sealed range, which must not be cut."""
    joined: list[tuple[int, int]] = []
    for start, end in ranges:
        last = bisect_left(sealed, (start, 0)) - 1  # the last sealed range that begins before this one
        if joined and last >= 0 and sealed[last][1] > start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _from_first_word(text: str, element: Element) -> Element:
    is_blank_first = element.start < element.end and text.startswith(" ", element.start)
    return element._replace(start=element.start + 1) if is_blank_first else element
