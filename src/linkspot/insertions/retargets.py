"""Retargets: words that linked elsewhere before, or that replaced words that did."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator

from linkspot.insertions.edit import Edit
from linkspot.insertions.readings import Reading
from linkspot.insertions.versions import PlacedLink
from linkspot.insertions.wording import Wording
from linkspot.ranges import SortedRanges
from linkspot.records import Link
from linkspot.source_map import Span

_SHORTEST = 3  # letters of a word that carries meaning


def led_elsewhere(edit: Edit, link: PlacedLink, origin: int, wording: Wording) -> bool:
    """Return whether an old sentence lost a link at or right beside the link's words, or one that shared a word.

    A translator who replaces a foreign page by one in the reader's language changes words and target, or drops a link
    that stood in brackets behind the words.
    """
    old, new = edit.before.readings[origin], edit.after.readings[link.number]
    near = _Nearest([wording.counterpart, *wording.occurrences])
    own_words = set(_words(new, edit.after.words_of(link)))
    return any(
        own_words.intersection(_words(old, lost)) or any(_is_beside(old, lost, span) for span in near.to(lost))
        for lost in _lost_links(edit, origin, link.number)
    )


class _Nearest:
    """Some spans of a sentence, asked for those that are nearest to another."""

    def __init__(self, spans: list[Span]) -> None:
        self._by_start = sorted(spans, key=lambda span: span.start)
        self._by_end = sorted(spans, key=lambda span: span.end)
        self._sorted = SortedRanges(spans)

    def to(self, other: Span) -> list[Span]:
        """Return the spans that are nearest on both sides, or one that overlaps."""
        behind = bisect_left(self._by_start, other.end, key=lambda span: span.start)
        before = bisect_right(self._by_end, other.start, key=lambda span: span.end)
        within = self._sorted.overlapping(other.start, other.end)
        return [*within[:1], *self._by_start[behind : behind + 1], *self._by_end[max(0, before - 1) : before]]


def _lost_links(edit: Edit, origin: int, number: int) -> Iterator[Span]:
    """Yield where in the old sentence links stood that the new sentence lost; a link with other words is not lost."""
    _, sentence = edit.before.article.sentences[origin]
    old, new = edit.before.links_of(origin), edit.after.links_of(number)
    # If a page had several links, those with the same words are matched first.
    same = Counter(map(_words_and_destination, new)) & Counter(map(_words_and_destination, old))
    left = Counter(map(_destination, new))
    for (_, destination), count in same.items():
        left[destination] -= count
    for link in old:
        if same[_words_and_destination(link)]:
            same[_words_and_destination(link)] -= 1
        elif left[_destination(link)]:
            left[_destination(link)] -= 1
        else:
            start = max(link.start, sentence.start) - sentence.start
            yield Span(start, min(link.end, sentence.end) - sentence.start)


def _destination(link: Link) -> tuple[str, str]:
    return link.kind, link.target


def _words_and_destination(link: Link) -> tuple[str, tuple[str, str]]:
    return link.mention, _destination(link)


def _words(reading: Reading, span: Span) -> Iterator[str]:
    for token in reading.tokens_in(span):
        if len(token) >= _SHORTEST or token.cut(reading.text).isdigit():
            yield token.cut(reading.text).casefold()


def _is_beside(reading: Reading, first: Span, second: Span) -> bool:
    """Return whether two spans of a sentence touch, or have at most one word between them."""
    start, end = min(first.end, second.end), max(first.start, second.start)
    return reading.words_between(start, end) <= 1
