"""The text nodes of a wiki's page in which the front ends of linkrecommendation count the words of a link.

They walk the rendered page, leave out headings, tables, bold, italics, quotations and everything that MediaWiki made
(links, templates, footnotes, pictures), and count in each of the other text nodes by itself. This finds the same nodes
in the page's wikitext. Where it cannot be sure, it says so.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from linkspot.parsing.wikitext.mask import mask
from linkspot.records import Article, Page, Section
from linkspot.source_map import Element, Span

_UNCOUNTED = re.compile(r"''|<(?:b|i|table|blockquote|h[1-6])(?=[\s/>])", re.IGNORECASE)
_HEADING = re.compile(r"^=.*=[ \t\r]*$", re.MULTILINE)
_AS_IT_IS = re.compile(
    r"<nowiki>[^<]*(?:<(?!/?nowiki>)[^<]*)*</nowiki>|\b(?:https?|ftp)://[^\s\[\]|<>]+", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class TextNode:
    """A piece of a section's text that is one text node; its characters match those of the markup one by one."""

    section: int
    start: int
    text: str
    source: int

    @property
    def end(self) -> int:
        """Where it ends in the section's text."""
        return self.start + len(self.text)


@dataclass(frozen=True)
class CountedText:
    """The text nodes of a page, in its order."""

    page: Page
    article: Article

    @cached_property
    def nodes(self) -> tuple[TextNode, ...]:
        """The text nodes in which words are counted."""
        return tuple(
            node for number, section in enumerate(self.article.sections) for node in self._nodes(number, section)
        )

    def node_around(self, section: int, start: int, end: int) -> TextNode | None:
        """Return the text node that has this range of a section's text, None if it lies in several or in none."""
        fitting = (node for node in self.nodes if node.section == section and node.start <= start and end <= node.end)
        return next(fitting, None)

    def match_index(self, words: str, source: int) -> int | None:
        """Return how many times the words occur before a place in the markup; None if that is not sure."""
        before = [
            node.source + start
            for node in self.nodes
            if node.source < source
            for start in occurrences(node.text, words)
            if node.source + start < source
        ]
        counted = set(before)
        for match in re.finditer(re.escape(words), self._visible[:source]):
            if match.start() not in counted and not _covers(self._uncounted, match.start(), match.end()):
                return None
        return len(before)

    def _nodes(self, number: int, section: Section) -> Iterator[TextNode]:
        elements = section.source_map.elements
        ranges = [(link.start, link.end) for link in section.links]
        closed = list(_merged([*ranges, *((one.start, one.end) for one in elements if self._leaves_out(one))]))
        inline = [*ranges, *((one.start, one.end) for one in elements)]
        borders = sorted({cut for one in inline for cut in one})
        for run in section.source_map.runs:
            if run.is_verbatim:
                inner = borders[bisect_right(borders, run.start) : bisect_left(borders, run.end)]
                for start, end in pairwise((run.start, *inner, run.end)):
                    if not _covers(closed, start, end):
                        yield TextNode(number, start, section.text[start:end], run.source_start + start - run.start)

    def _leaves_out(self, element: Element) -> bool:
        opening = self.page.text[element.outer_start : element.inner_start]
        return _UNCOUNTED.search(opening) is not None

    @cached_property
    def _visible(self) -> str:
        """The markup, equally long, without what is never counted: templates, tables, footnotes, pictures, comments."""
        return mask(self.page.text, self.article.language)

    @cached_property
    def _uncounted(self) -> list[tuple[int, int]]:
        """The ranges of the markup that are read as prose or headings, but not counted."""
        ranges = [match.span() for sign in (_HEADING, _AS_IT_IS) for match in sign.finditer(self.page.text)]
        for section in self.article.sections:
            ranges += [_range(link.source) for link in section.links]
            elements = section.source_map.elements
            ranges += [(one.outer_start, one.outer_end) for one in elements if self._leaves_out(one)]
        return list(_merged(ranges))


def occurrences(text: str, words: str) -> Iterator[int]:
    """Yield where the words begin in a text; none overlaps the one before."""
    start = text.find(words)
    while start >= 0:
        yield start
        start = text.find(words, start + len(words))


def _covers(ranges: list[tuple[int, int]], start: int, end: int) -> bool:
    """Return whether one of some sorted ranges, none of which overlaps another, holds all of this one."""
    number = bisect_right(ranges, start, key=lambda one: one[0]) - 1
    return number >= 0 and end <= ranges[number][1]


def _range(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _merged(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    last: tuple[int, int] | None = None
    for start, end in sorted(ranges):
        if last is not None and start <= last[1]:
            last = last[0], max(last[1], end)
            continue
        if last is not None:
            yield last
        last = start, end
    if last is not None:
        yield last
