"""Matching: what two sequences have in common in the same order, in a time that is short for any text."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

# Pairs of equal items. difflib's time grows with their number and with the length: for a text that repeats two words
# over and over, it takes a second for 500 words and seven minutes for 4,000.
_MOST_PAIRS = 20_000
# Items of both sequences. Between items that alternate with others, difflib's time grows with the square of the length.
_LONGEST = 2_000

Opcode = tuple[str, int, int, int, int]


def opcodes(old: Sequence[str], new: Sequence[str]) -> list[Opcode]:
    """Return difflib's opcodes from the old to the new sequence; if items repeat very often, only the ends match."""
    first = _common_prefix(old, new)
    last = _common_prefix(old[first:][::-1], new[first:][::-1])
    old_last, new_last = len(old) - last, len(new) - last
    middle = _middle(old[first:old_last], new[first:new_last], first, first)
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


def _middle(old: Sequence[str], new: Sequence[str], old_at: int, new_at: int) -> Iterator[Opcode]:
    """Yield the opcodes of two sequences that begin at these places; of long ones, unique items are matched first."""
    if len(old) + len(new) <= _LONGEST:
        yield from _short(old, new, old_at, new_at)
        return
    old_start = new_start = 0
    for old_index, new_index in [*_unique_pairs(old, new), (len(old), len(new))]:
        before = old[old_start:old_index], new[new_start:new_index]
        at = old_at + old_start, new_at + new_start
        is_short = len(before[0]) + len(before[1]) <= _LONGEST
        yield from _short(*before, *at) if is_short else [_replaced(*before, *at)]
        old_start, new_start = old_index + 1, new_index + 1
        if old_index < len(old):
            yield "equal", old_at + old_index, old_at + old_start, new_at + new_index, new_at + new_start


def _short(old: Sequence[str], new: Sequence[str], old_at: int, new_at: int) -> Iterator[Opcode]:
    counts = Counter(new)
    if sum(counts[item] for item in old) > _MOST_PAIRS:
        yield _replaced(old, new, old_at, new_at)
        return
    for tag, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield tag, old_start + old_at, old_end + old_at, new_start + new_at, new_end + new_at


def _replaced(old: Sequence[str], new: Sequence[str], old_at: int, new_at: int) -> Opcode:
    return "replace", old_at, old_at + len(old), new_at, new_at + len(new)


def _unique_pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return where items stand that both sequences have once: as many as possible, in the order of both."""
    old_counts, new_counts = Counter(old), Counter(new)
    places = {item: index for index, item in enumerate(new) if new_counts[item] == 1 == old_counts[item]}
    equal = [(index, places[item]) for index, item in enumerate(old) if item in places]
    ends: list[int] = []  # for each length of a row, the place in `equal` of its best last pair
    previous: dict[int, int] = {}
    for number, (_, new_index) in enumerate(equal):
        length = bisect_left(ends, new_index, key=lambda end: equal[end][1])
        previous[number] = ends[length - 1] if length else -1
        ends[length : length + 1] = [number]
    row = []
    last = ends[-1] if ends else -1
    while last >= 0:
        row.append(equal[last])
        last = previous[last]
    return row[::-1]
