"""Where a section's text comes from in the page's markup: the map that turns a place into an edit."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Span:
    """A range of characters, its end not included."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span runs forward from 0 or later; this one runs from {self.start} to {self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def cut(self, text: str) -> str:
        """Return the characters of the text that the span covers."""
        return text[self.start : self.end]

    def replace(self, text: str, replacement: str) -> str:
        """Return the text with this range, and nothing else, replaced."""
        return text[: self.start] + replacement + text[self.end :]

    def overlaps(self, start: int, end: int) -> bool:
        """Return whether the two ranges share at least one character."""
        return self.start < end and start < self.end


class TextRun(NamedTuple):
    """A piece of a section's text and the piece of markup that it was read from.

    If both are equally long, their characters match one by one. Otherwise (an HTML entity, a macro) they match only as
    a whole.
    """

    start: int
    end: int
    source_start: int
    source_end: int

    @property
    def is_verbatim(self) -> bool:
        """Whether characters match one by one."""
        return self.end - self.start == self.source_end - self.source_start

    def source_start_of(self, position: int) -> int:
        """Return where the character at this position of the text begins in the markup."""
        return self.source_start + (position - self.start if self.is_verbatim else 0)

    def source_end_of(self, position: int) -> int:
        """Return where the character before this position of the text ends in the markup."""
        return self.source_end - (self.end - position if self.is_verbatim else 0)


class Element(NamedTuple):
    """Inline markup around the text at start:end, from its first delimiter (outer) to its content (inner) and back.

    An element without text (a footnote, a comment, a template) has start == end.
    """

    start: int
    end: int
    outer_start: int
    inner_start: int
    inner_end: int
    outer_end: int


@dataclass(frozen=True)
class SourceMap:
    """The runs and the inline elements of one section, and the ranges that no link can be put into.

    All are in the order of the text.
    """

    runs: tuple[TextRun, ...] = ()
    elements: tuple[Element, ...] = ()
    closed: tuple[tuple[int, int], ...] = ()

    def source_span(self, start: int, end: int, *, with_notes: bool = True) -> Span:
        """Return the markup that text[start:end] was read from, with the delimiters of the elements that it covers.

        A footnote or template right after the range belongs to it, one right before it does not. Without notes, neither
        does.
        """
        if not start < end:
            raise ValueError(f"the range {start}:{end} has no text, so it is nowhere in the markup")
        first_run, last_run = self._run_at(start), self._run_at(end - 1)
        source_start, source_end = first_run.source_start_of(start), last_run.source_end_of(end)
        for index in range(bisect_left(self._element_starts, start), len(self.elements)):
            first, last, outer_start, _, _, outer_end = self.elements[index]
            if first > end:
                break
            is_note = first == last
            if last <= end and (not is_note or (with_notes and start < first)):  # covered entirely
                source_start = outer_start if outer_start < source_start else source_start
                source_end = outer_end if outer_end > source_end else source_end
        return Span(source_start, source_end)

    def is_balanced(self, start: int, end: int) -> bool:
        """Return whether a link can go around text[start:end]: it cuts no element and wraps no hidden markup."""
        last_closed = bisect_left(self.closed, (end, end)) - 1
        if last_closed >= 0 and self.closed[last_closed][1] > start:
            return False
        inside = []
        for index in range(bisect_left(self._element_starts, start), bisect_left(self._element_starts, end)):
            element = self.elements[index]
            is_hidden = element.start == element.end
            if start < element.start and (is_hidden or end < element.end):
                return False
            if not is_hidden and element.end <= end:
                inside.append(element)
        if self._ends_one_within(start, end):
            return False
        seams = {element.outer_start: element.inner_start for element in inside}
        seams |= {element.inner_end: element.outer_end for element in inside}
        runs = self.runs[self._first_run_behind(start) : bisect_left(self._run_starts, end)]
        is_cut = any(not run.is_verbatim and (run.start < start or end < run.end) for run in runs)
        return not is_cut and all(_leads_to(seams, a.source_end, b.source_start) for a, b in pairwise(runs))

    def first_paragraph(self, text: str) -> Span:
        """Return the range of the first line of a text that no inline element holds from its start to its end.

        Before the first paragraph of a page, such lines are notes in italics: "For other uses, see …". If all lines are
        held so, it is the first one.
        """
        start = 0
        while start < len(text):
            line_end = text.find("\n", start)
            end = line_end if line_end >= 0 else len(text)
            if not self._is_wrapped(start, end):
                return Span(start, end)
            start = end + 1
        first_end = text.find("\n")
        return Span(0, first_end if first_end >= 0 else len(text))

    def _is_wrapped(self, start: int, end: int) -> bool:
        """Return whether one element holds this text, except perhaps for a full stop behind it."""
        for index in range(bisect_left(self._element_starts, start), len(self.elements)):
            element = self.elements[index]
            if element.start > start:
                return False
            if element.end >= end - 1 > start:
                return True
        return False

    @cached_property
    def _run_starts(self) -> list[int]:
        return [run.start for run in self.runs]

    @cached_property
    def _element_starts(self) -> list[int]:
        return [element.start for element in self.elements]

    @cached_property
    def _ends_and_starts(self) -> list[tuple[int, int]]:
        return sorted((element.end, element.start) for element in self.elements)

    def _ends_one_within(self, start: int, end: int) -> bool:
        """Return whether an element that begins before the range ends inside of it."""
        index = bisect_left(self._ends_and_starts, (start + 1, 0))
        while index < len(self._ends_and_starts) and self._ends_and_starts[index][0] < end:
            if self._ends_and_starts[index][1] < start:
                return True
            index += 1
        return False

    def _first_run_behind(self, start: int) -> int:
        """Return the index of the first run that ends behind this position."""
        index = max(0, bisect_right(self._run_starts, start) - 1)
        return index + (index < len(self.runs) and self.runs[index].end <= start)

    def _run_at(self, position: int) -> TextRun:
        index = bisect_right(self._run_starts, position) - 1
        if index < 0 or self.runs[index].end <= position:
            raise ValueError(f"character {position} was not read from the page's markup")
        return self.runs[index]


def _leads_to(seams: dict[int, int], position: int, goal: int) -> bool:
    while position < goal and position in seams:
        position = seams[position]
    return position == goal
