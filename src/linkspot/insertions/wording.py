"""Wording: where the words of a link stood in the old version of an edited sentence."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkspot.insertions.matching import opcodes
from linkspot.insertions.readings import Reading
from linkspot.source_map import Span

_SAME_STEM = 0.6  # of the longer word


@dataclass(frozen=True, slots=True)
class Wording:
    """A link's words in the old sentence: what stood in their place, and where the same words stood."""

    counterpart: Span
    occurrences: tuple[Span, ...]


def wording_before(old: Reading, new: Reading, words: Span) -> Wording:
    """Return the old wording of what stands at these characters of a sentence's later version.

    Case and signs around words are ignored. Words that stood elsewhere in the sentence and still stand there do not
    count. A title that is shown as a path may be the plural of the words in the text, so its ending is ignored, too.
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
    old_starts = list(_occurrences(old_words, new_words[first:last], is_title))
    new_starts = list(_occurrences(new_words, new_words[first:last], is_title))
    if start not in old_starts and len(old_starts) < len(new_starts):
        old_starts = []
    length = last - first
    occurrences = tuple(Span(old_tokens[at].start, old_tokens[at + length - 1].end) for at in old_starts)
    if start < end:
        return Wording(Span(old_tokens[start].start, old_tokens[end - 1].end), occurrences)
    position = old_tokens[start].start if start < len(old_tokens) else len(old.text)
    return Wording(Span(position, position), occurrences)


def may_occur(old: Reading, new: Reading, words: Span) -> bool:
    """Return whether an old sentence has all words at these characters of a new one; if not, no need to compare."""
    if any(folder.overlaps(words.start, words.end) for folder in new.folders):
        return True  # the ending of a title is ignored
    tokens = [token.cut(new.text).casefold() for token in new.tokens_in(words)]
    return old.folded.issuperset([token for token in tokens if any(map(str.isalnum, token))] or tokens)


def _tokens(reading: Reading, has_words: bool) -> list[Span]:
    """Return the words of a sentence, with its signs if the link consists of signs only."""
    return [token for token in reading.tokens if not has_words or any(map(str.isalnum, token.cut(reading.text)))]


def _covered(tokens: Sequence[Span], words: Span) -> tuple[int, int]:
    """Return the range of tokens that share a character with the words: the first, and the one after the last."""
    first = bisect_right(tokens, words.start, key=lambda token: token.end)
    last = bisect_left(tokens, words.end, key=lambda token: token.start)
    return (first, last) if first < last else (0, 0)


def _occurrences(sentence: Sequence[str], words: Sequence[str], is_title: bool) -> Iterator[int]:
    for start in range(len(sentence) - len(words) + 1 if words else 0):
        if sentence[start] != words[0] and not is_title:
            continue
        run = sentence[start : start + len(words)]
        if run == words or (is_title and all(map(_is_same_stem, run, words))):
            yield start


def _is_same_stem(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    common = next((index for index, letter in enumerate(shorter) if letter != longer[index]), len(shorter))
    return common >= _SAME_STEM * len(longer)


def _counterpart(old: Sequence[str], new: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Return the range of old tokens that new[first:last] replaced; empty if they were inserted."""
    start = end = -1
    for tag, old_start, old_end, new_start, new_end in opcodes(old, new):
        if new_start >= last or new_end <= first:
            continue
        is_same = tag == "equal"
        if start < 0:
            start = old_start + (max(0, first - new_start) if is_same else 0)
        end = old_end - (max(0, new_end - last) if is_same else 0)
    return max(start, 0), max(start, end, 0)
