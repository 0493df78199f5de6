"""Matching: what two sequences have in common in the same order, in a time that is short for any text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

# Pairs of equal items. difflib's time grows with their number and with the length: for a text that repeats two words
# over and over, it takes a second for 500 words and seven minutes for 4,000.
_MOST_PAIRS = 20_000

Opcode = tuple[str, int, int, int, int]


def opcodes(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """Return difflib's opcodes from the old to the new sequence; if items repeat very often, only the ends match."""
    first = _common_prefix(old, new)
    last = _common_prefix(old[first:][::-1], new[first:][::-1])
    old_last, new_last = len(old) - last, len(new) - last
    middle = list(_middle(old[first:old_last], new[first:new_last], first))
    steps = [("equal", 0, first, 0, first), *middle, ("equal", old_last, len(old), new_last, len(new))]
    return [step for step in steps if step[1] < step[2] or step[3] < step[4]]


def pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the indices of equal items, in the order of both."""
    for tag, old_start, old_end, new_start, new_end in opcodes(old, new):
        if tag == "equal":
            yield from zip(range(old_start, old_end), range(new_start, new_end), strict=True)


def in_common(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many items two sequences have in common in the same order."""
    return sum(end - start for tag, start, end, _, _ in opcodes(old, new) if tag == "equal")


def similarity(first: Sequence[str], second: Sequence[str], least: float = 0.0) -> float:
    """Return the share of items that two sequences have in common in the same order (0 to 1); 0 if below `least`."""
    length = len(first) + len(second)
    # Two cheap upper bounds come first: most pairs of sentences have little in common.
    if 2 * min(len(first), len(second)) < least * length:
        return 0.0
    if 2 * (Counter(first) & Counter(second)).total() < least * length:
        return 0.0
    share = 2 * in_common(first, second) / length if length else 1.0
    return share if share >= least else 0.0


def _common_prefix(first: Sequence[str], second: Sequence[str]) -> int:
    for index, (item, other_item) in enumerate(zip(first, second, strict=False)):
        if item != other_item:
            return index
    return min(len(first), len(second))


def _middle(old: Sequence[str], new: Sequence[str], offset: int) -> Iterator[Opcode]:
    counts = Counter(new)
    if sum(counts[item] for item in old) > _MOST_PAIRS:
        yield "replace", offset, offset + len(old), offset, offset + len(new)
        return
    for tag, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield tag, old_start + offset, old_end + offset, new_start + offset, new_end + offset
