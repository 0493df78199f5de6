"""Wording: where in an edited sentence the words of a link stood before, if they did."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkspot.insertions.matching import opcodes
from linkspot.insertions.readings import Reading
from linkspot.source_map import Span

_SAME_STEM = 0.6  # of the longer word


@dataclass(frozen=True, slots=True)
class Wording:
    """The words in the sentence as it was: what stood in their place, and where the same words stood, if they did."""

    place: Span
    occurrences: tuple[Span, ...]


def wording_before(old: Reading, new: Reading, words: Span) -> Wording:
    """Return how a sentence worded what stands at these characters of its later version.

    Case and signs around words do not count. Words that stood elsewhere in the sentence, and still do, are others. A
    title that stands for itself may be the plural of the words in the text: there, other endings do not count either.
    """
    if old.text == new.text:
        return Wording(words, (words,))
    has_words = any(map(str.isalnum, words.cut(new.text)))
    old_tokens, new_tokens = _tokens(old, has_words), _tokens(new, has_words)
    old_words = [token.cut(old.text).casefold() for token in old_tokens]
    new_words = [token.cut(new.text).casefold() for token in new_tokens]
    first, last = _covered(new_tokens, words)
    is_title = any(folder.overlaps(words.start, words.end) for folder in new.folders)
    start, end = _counterpart(old_words, new_words, first, last)
    found = list(_occurrences(old_words, new_words[first:last], is_title))
    left = list(_occurrences(new_words, new_words[first:last], is_title))
    if start not in found and len(found) < len(left):
        found = []
    length = last - first
    occurrences = tuple(Span(old_tokens[at].start, old_tokens[at + length - 1].end) for at in found)
    if start < end:
        return Wording(Span(old_tokens[start].start, old_tokens[end - 1].end), occurrences)
    position = old_tokens[start].start if start < len(old_tokens) else len(old.text)
    return Wording(Span(position, position), occurrences)


def _tokens(reading: Reading, has_words: bool) -> list[Span]:
    """Return the words of a sentence, or its signs as well where the link shows nothing but signs."""
    return [token for token in reading.tokens if not has_words or any(map(str.isalnum, token.cut(reading.text)))]


def _covered(tokens: Sequence[Span], words: Span) -> tuple[int, int]:
    """Return the first token that shares a character with the words, and the one behind the last."""
    covered = [index for index, token in enumerate(tokens) if token.overlaps(words.start, words.end)]
    return (covered[0], covered[-1] + 1) if covered else (0, 0)


def _occurrences(sentence: Sequence[str], words: Sequence[str], is_title: bool) -> Iterator[int]:
    for start in range(len(sentence) - len(words) + 1 if words else 0):
        there = sentence[start : start + len(words)]
        if there == words or (is_title and all(map(_is_same_stem, there, words))):
            yield start


def _is_same_stem(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    common = next((index for index, letter in enumerate(shorter) if letter != longer[index]), len(shorter))
    return common >= _SAME_STEM * len(longer)


def _counterpart(old: Sequence[str], new: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Return the range of old tokens in whose place new[first:last] stand; empty where these were inserted."""
    start = end = -1
    for tag, old_start, old_end, new_start, new_end in opcodes(old, new):
        if new_start >= last or new_end <= first:
            continue
        is_same = tag == "equal"
        if start < 0:
            start = old_start + (max(0, first - new_start) if is_same else 0)
        end = old_end - (max(0, new_end - last) if is_same else 0)
    return max(start, 0), max(start, end, 0)
