"""Seams: how the text around a cut is joined, so that it reads like any other text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from linkspot.records import Sentence
from linkspot.source_map import Span
from linkspot.text.scripts import UNSPACED, character_class, is_cased, is_spaceless
from linkspot.text.words import JOINERS, MARKS

_LETTER = rf"(?:(?![{UNSPACED}])[\w{MARKS}{JOINERS}])"
# In scripts without spaces, a run of kana is a word, and so is any other single letter with its marks and, in Thai and
# Lao, with the vowel that is written before it.
_WORD = re.compile(
    rf"{_LETTER}+(?:['’]{_LETTER}+)*"
    rf"|[{character_class('katakana')}]+|[{character_class('hiragana')}]+"
    rf"|[เ-ไເ-ໄ]?[{UNSPACED}][{MARKS}{JOINERS}ะาำະາຳ]*"
)
_SIGN_OF_WORD = re.compile(rf"[\w{MARKS}{JOINERS}]")
_APOSTROPHES = "'’"
_BRACKETS = dict(zip("([{「『（《〈【¿¡", ")]}」』）》〉】?!", strict=True))
_QUOTES = frozenset("\"'“”„«»‘’‹›")  # which of them opens depends on the language and is read from the text beside it
_SEPARATORS = frozenset(",;:-–—、，；：،؛･・")
_CONNECTORS = frozenset("-‐‑/–—")
_ENDS = frozenset(".!?。．！？؟।॥…") | frozenset(_BRACKETS.values()) | _SEPARATORS
_DASHES = frozenset("-–—")


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A range of a text and the text that replaces it."""

    start: int
    end: int
    text: str = ""


def word_spans(text: str, start: int, end: int) -> list[Span]:
    """Return where the words of text[start:end] stand, in any script."""
    return [Span(*match.span()) for match in _WORD.finditer(text, start, end)]


def whole_words(text: str, sentence: Sentence, words: Span) -> Span:
    """Return the words, extended to the borders of the first and last word: with endings and elided articles."""
    start, end = words.start, words.end
    while start > sentence.start and _is_inside_word(text, start):
        start -= 1
    while end < sentence.end and _is_inside_word(text, end):
        end += 1
    return Span(start, end)


def _is_inside_word(text: str, position: int) -> bool:
    """Return whether no word can end just before this character."""
    before, behind = text[position - 1], text[position]
    if behind in MARKS or behind in JOINERS:
        return True
    if behind in _APOSTROPHES:
        return _is_spaced_letter(before) and _is_spaced_letter(text[position + 1 : position + 2])
    if before in _APOSTROPHES:
        return _is_spaced_letter(text[position - 2 : position - 1]) and _is_spaced_letter(behind)
    return _is_spaced_letter(before) and _is_spaced_letter(behind)


def _is_spaced_letter(character: str) -> bool:
    return bool(character) and _SIGN_OF_WORD.match(character) is not None and not is_spaceless(character)


def words_out(text: str, sentence: Sentence, words: Span) -> list[TextEdit]:
    """Return the edits that remove words from a sentence and repair it; none if no word would be left.

    Brackets and quotes around these words alone are removed, too, as are a separator or hyphen that joined them to
    other words, and a space. A sentence that did not begin with a lower-case letter still does not.
    """
    cut = _with_punctuation(text, sentence, whole_words(text, sentence, words))
    start, end = _with_spaces(text, sentence, cut)
    rest = text[sentence.start : start] + text[end : sentence.end]
    if _WORD.search(rest) is None:
        return []
    edits = [TextEdit(start, end)]
    if start == sentence.start and not text[start].islower():
        edits += _capital(text[end], end)
    return edits


def _capital(letter: str, position: int) -> Iterator[TextEdit]:
    capital = letter.title()  # not `upper`: a letter such as ǆ is two in one
    if capital != letter and len(capital) == 1 and is_cased(letter):
        yield TextEdit(position, position + 1, capital)


def _with_punctuation(text: str, sentence: Sentence, cut: Span) -> Span:
    """Extend the cut to the signs that make no sense without the words."""
    while True:
        sides = _Sides.of(text, sentence, cut)
        left, right = sides.left, sides.right
        if sides.are_pair:
            cut = Span(sides.left_at, sides.right_at + 1)
        elif right in _ENDS and (not left or sides.is_left_opening):
            cut = Span(cut.start, sides.right_at + 1)
        elif (left in _SEPARATORS and (not right or right in _ENDS)) or (sides.left_touches and left in _CONNECTORS):
            cut = Span(sides.left_at, cut.end)
        elif sides.right_touches and right in _CONNECTORS and not (sides.left_touches and left):
            cut = Span(cut.start, sides.right_at + 1)
        else:
            return cut


def _with_spaces(text: str, sentence: Sentence, cut: Span) -> tuple[int, int]:
    """Extend the cut to the spaces on one of its sides, or on both if no space belongs there."""
    sides = _Sides.of(text, sentence, cut)
    if not sides.left or sides.is_left_opening:
        return sides.left_at + 1, sides.right_at
    if not sides.right:
        return sides.left_at + 1, sentence.end
    return (sides.left_at + 1 if not sides.right_touches or sides.is_right_closing else cut.start), cut.end


@dataclass(frozen=True, slots=True)
class _Sides:
    """The signs next to a cut in its sentence, not counting spaces, and where they stand; empty at its ends."""

    left: str
    right: str
    left_at: int
    right_at: int
    left_touches: bool
    right_touches: bool
    before_left: str
    behind_right: str

    @classmethod
    def of(cls, text: str, sentence: Sentence, cut: Span) -> "_Sides":
        before, behind = text[sentence.start : cut.start], text[cut.end : sentence.end]
        left_at = sentence.start + len(before.rstrip()) - 1
        right_at = sentence.end - len(behind.lstrip())
        left, right = before.rstrip()[-1:], behind.lstrip()[:1]
        return cls(
            left,
            right,
            left_at,
            right_at,
            left_touches=left_at + 1 == cut.start,
            right_touches=right_at == cut.end,
            before_left=before.rstrip()[-2:-1],
            behind_right=behind.lstrip()[1:2],
        )

    @property
    def are_pair(self) -> bool:
        are_quotes = self.left in _QUOTES and self.right in _QUOTES and self.left_touches and self.right_touches
        return are_quotes or (bool(self.left) and _BRACKETS.get(self.left) == self.right)

    @property
    def is_left_opening(self) -> bool:
        stands_free = not self.before_left or self.before_left.isspace() or self.before_left in _BRACKETS
        return self.left in _BRACKETS or (self.left in _QUOTES and self.left_touches and stands_free)

    @property
    def is_right_closing(self) -> bool:
        if self.right in _QUOTES:
            return not self.behind_right.isalnum()
        return self.right in _ENDS and self.right not in _DASHES


def sentences_out(text: str, sentences: tuple[Sentence, ...], first: int, last: int) -> TextEdit:
    """Return the edit that removes neighbouring sentences; a line break beside them is kept."""
    if first == 0:
        return TextEdit(sentences[0].start, sentences[last + 1].start)
    if last == len(sentences) - 1:
        return TextEdit(sentences[first - 1].end, sentences[last].end)
    before = text[sentences[first - 1].end : sentences[first].start]
    behind = text[sentences[last].end : sentences[last + 1].start]
    gap = max(before, behind, key=lambda gap: ("\n" in gap, len(gap)))
    return TextEdit(sentences[first - 1].end, sentences[last + 1].start, gap)
