"""The text nodes of a wiki's page in which the front ends of linkrecommendation count the words of a link.

They walk the rendered page, leave out headings, tables, bold, italics, quotations and everything that MediaWiki made
(links, templates, footnotes, pictures), and count in each of the other text nodes by itself. This finds the same nodes
in the page's wikitext. Where it cannot be sure, it says so.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from linkspot.parsing.wikitext.mask import mask
from linkspot.records import Article, Page, Section
from linkspot.source_map import Element, Span

_UNCOUNTED = re.compile(r"''|<(?:b|i|table|blockquote|h[1-6])(?=[\s/>])", re.IGNORECASE)
_HEADING = re.compile(r"^=.*=[ \t\r]*$", re.MULTILINE)


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
            if match.start() not in counted and not self._is_uncounted(match.start(), match.end()):
                return None
        return len(before)

    def _nodes(self, number: int, section: Section) -> Iterator[TextNode]:
        closed = [(link.start, link.end) for link in section.links]
        closed += [(one.start, one.end) for one in section.source_map.elements if self._leaves_out(one)]
        borders = {border for one in section.source_map.elements for border in (one.start, one.end)}
        for run in section.source_map.runs:
            if not run.is_verbatim:
                continue
            cuts = sorted({run.start, run.end, *(cut for cut in borders if run.start < cut < run.end)})
            cuts = sorted({*cuts, *(cut for pair in closed for cut in pair if run.start < cut < run.end)})
            for start, end in pairwise(cuts):
                if not any(first < end and start < last for first, last in closed):
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
        ranges = [match.span() for match in _HEADING.finditer(self.page.text)]
        for section in self.article.sections:
            ranges += [_range(link.source) for link in section.links]
            elements = section.source_map.elements
            ranges += [(one.outer_start, one.outer_end) for one in elements if self._leaves_out(one)]
        return sorted(_merged(ranges))

    def _is_uncounted(self, start: int, end: int) -> bool:
        number = bisect_right(self._uncounted, (start, len(self.page.text))) - 1
        return number >= 0 and self._uncounted[number][0] <= start and end <= self._uncounted[number][1]


def occurrences(text: str, words: str) -> Iterator[int]:
    """Yield where the words begin in a text; none overlaps the one before."""
    start = text.find(words)
    while start >= 0:
        yield start
        start = text.find(words, start + len(words))


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
