"""Matching: what two sequences have in common in the same order, in a time that no text can make long."""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

# Pairs of equal items. The library's time grows with their number and with the length: on text in which someone wrote
# two words over and over it takes a second for 500 words, and seven minutes for 4,000.
_MOST_PAIRS = 20_000

Opcode = tuple[str, int, int, int, int]


def opcodes(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """Return how the new sequence is made of the old one, as difflib does; of much repetition only the ends count."""
    first = _ends_alike(old, new)
    last = _ends_alike(old[first:][::-1], new[first:][::-1])
    old_last, new_last = len(old) - last, len(new) - last
    middle = list(_middle(old[first:old_last], new[first:new_last], first))
    found = [("equal", 0, first, 0, first), *middle, ("equal", old_last, len(old), new_last, len(new))]
    return [opcode for opcode in found if opcode[1] < opcode[2] or opcode[3] < opcode[4]]


def pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the indices of equal items, in the order of both."""
    for tag, old_start, old_end, new_start, new_end in opcodes(old, new):
        if tag == "equal":
            yield from zip(range(old_start, old_end), range(new_start, new_end), strict=True)


def in_common(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many items the two have in common in the same order."""
    return sum(end - start for tag, start, end, _, _ in opcodes(old, new) if tag == "equal")


def likeness(one: Sequence[str], other: Sequence[str], least: float = 0.0) -> float:
    """Return the share of items that the two have in common in the same order, from 0 to 1; 0 below the least."""
    length = len(one) + len(other)
    if 2 * min(len(one), len(other)) < least * length:
        return 0.0
    if 2 * (Counter(one) & Counter(other)).total() < least * length:
        return 0.0
    share = 2 * in_common(one, other) / length if length else 1.0
    return share if share >= least else 0.0


def _ends_alike(one: Sequence[str], other: Sequence[str]) -> int:
    for index, (item, other_item) in enumerate(zip(one, other, strict=False)):
        if item != other_item:
            return index
    return min(len(one), len(other))


def _middle(old: Sequence[str], new: Sequence[str], offset: int) -> Iterator[Opcode]:
    counts = Counter(new)
    if sum(counts[item] for item in old) > _MOST_PAIRS:
        yield "replace", offset, offset + len(old), offset, offset + len(new)
        return
    for tag, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield tag, old_start + offset, old_end + offset, new_start + offset, new_end + offset
