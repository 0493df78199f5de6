"""Ranges of a text, sorted, so that those in one place are found without a look at all of them."""

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from typing import Generic, Protocol, TypeVar


class TextRange(Protocol):
    """Anything that covers the characters from start to end."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends."""
        ...


Range = TypeVar("Range", bound=TextRange)


class SortedRanges(Generic[Range]):
    """Ranges in the order of their beginnings."""

    def __init__(self, ranges: Iterable[Range]) -> None:
        self._ranges = sorted(ranges, key=lambda one: one.start)
        self._starts = [one.start for one in self._ranges]
        # The last end among each range and those before it: where it is not behind a place, none of them is.
        self._ends = list(accumulate((one.end for one in self._ranges), max))
        self._wider = _wider([one.end for one in self._ranges])

    def overlapping(self, start: int, end: int) -> list[Range]:
        """Return the ranges that share a character with this one, in their order."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        reaching = []
        index = first - 1
        while index >= 0 and self._ends[index] > start:
            if self._ranges[index].end > start:
                reaching.append(self._ranges[index])
                index -= 1
            else:
                index = self._wider[index]
        return reaching[::-1] + [one for one in self._ranges[first:last] if start < one.end]


def _wider(ends: list[int]) -> list[int]:
    """Return for each range the number of the last one before it that ends behind it, or −1."""
    wider, open_ranges = [], list[int]()
    for number, end in enumerate(ends):
        while open_ranges and ends[open_ranges[-1]] <= end:
            open_ranges.pop()
        wider.append(open_ranges[-1] if open_ranges else -1)
        open_ranges.append(number)
    return wider
