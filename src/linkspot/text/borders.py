"""Rules for the borders between sentences that sentencex gets wrong on real pages."""

import re
import unicodedata
from functools import cached_property
from itertools import pairwise

from linkspot.text.scripts import character_class, is_cased

# A rule looks at no more than this many characters on either side of a border, so that splitting stays linear.
_WINDOW = 40
_SHORT = 12
_PLAIN_ENDS = frozenset('0123456789)]%"')

_LETTER = re.compile(r"[^\W\d_]")
_LIST_NUMBER = re.compile(r"\s*[(\[]?\d{1,3}[.)\]।։።。．]+\s*")
_LIST_MARKER = re.compile(r"\s*\(?(?:\d{1,3}|[a-z]|[ivxlc]{1,5})[.)]{1,2}(?:\s|$)")
_LINE_END = re.compile(r"\n\s*$")
_UNFINISHED = re.compile(r"[\w,;:(+=/*-]\s*$")

# Commas and letters that sentencex takes for stops, and Armenian's exclamation mark, which is written within a word.
_NO_STOPS = frozenset("၊၏꧈᭞")
_MARK_IN_A_WORD = "՜"

_CONTINUES_AT_ONCE = frozenset("\"',;!?.、，；：")
_CONTINUES_AFTER_ASCII_STOP = frozenset(":/-—–")
_ASCII_STOP = re.compile(r"([^\W_]?)[.!?…]+[\"'”’»)\]]*$")
_WORD_BEFORE_STOP = re.compile(r"\b([^\W\d_]{2,}|\d{3,})[.!?]+[\"”’)]*$")
_WORD = re.compile(r"([^\W\d_]{2,}+|[AI])(?=[\s,.]|$)")
_ROMAN_NUMBER = re.compile(r"[IVXLC]{2,}")
_EAST_ASIAN = re.compile(f"[{character_class('han', 'hiragana', 'katakana', 'bopomofo')}\uac00-\ud7a3]")

# A plain word, not code: "forEach()", "aria-label" and "http:" do begin sentences.
_PLAIN_WORD = re.compile(r"[\s\"'“„«‘(\[—–-]*([^\W\d_]++)(?![(\d_:=/\[<{-]|\.\w)")
_FULL_STOP = re.compile(r"(\w*)(?<![.?!…])\.[\"'”’»)\]]*\s*$")
_LONGEST_ABBREVIATION = 5
_QUOTED_IN_JAPANESE = re.compile(r"[、をがはの]|と(?!ころ|はいえ|もあれ|りあえず)|って|など")

_SHORT_WORD = re.compile(r"(?:^|[\s.(\"'“„«])([^\W\d_][^\s.(\"'“„«]{0,5})\.\s*$")
_INITIAL = re.compile(r"[^\W\d_]\.(?:\s|$)")
_LAST_LATIN = "\u024f"
_NUMBER = re.compile(r"[\d~≈]")

# Scripts where a full stop marks abbreviations and no sentence; the second group in texts that have a danda.
_STOPLESS = re.compile(f"[{character_class('thai', 'lao', 'khmer', 'myanmar', 'tibetan')}]")
_DANDA_SCRIPTS = re.compile(r"[\u0900-\u0a7f\u0b00-\u0b7f]")
_LONGEST_DANDA_ABBREVIATION = 4

_BEFORE_A_NUMBER = frozenset({"approx", "бл", "прибл"})
# Abbreviations in Wikipedia that the lists of sentencex lack; for Vietnamese it uses its English list.
_ABBREVIATIONS = {
    "uk": frozenset("кн св пн пд півн півд зах сх акад проф ім гол пам дит".split()),
    "vi": frozenset("tp ts ths gs pgs bs ks nxb tx tt lm nsnd nsưt".split()),
}


class Borders:
    """Judges the proposed ends of a text's sentences, which come in order; the last is the end of the text."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._abbreviations = _ABBREVIATIONS.get(language, frozenset())

    @cached_property
    def _has_danda(self) -> bool:
        return "।" in self._text

    @cached_property
    def _last_letter(self) -> int:
        return next((i for i in range(len(self._text) - 1, -1, -1) if _LETTER.match(self._text, i)), -1)

    def sentence_ends(self, ends: list[int]) -> list[int]:
        """Return the proposed ends at which a sentence really ends; a few are moved to before a quotation mark."""
        text, has_no_list = self._text, not self._abbreviations
        kept: list[int] = []
        start = previous = 0
        has_letter = False
        for cut, following in pairwise(ends):
            # Most borders in Latin prose are of the form "word. Word": they need no further check.
            is_plain = "A" <= text[cut] <= "Z" and text[cut - 1] == " " and cut - start > _SHORT and has_no_list
            if not is_plain or not (text[cut - 3].islower() or self._is_plain_end(start, cut)):
                has_letter = has_letter or _LETTER.search(text, previous, cut) is not None
                previous = cut
                if not has_letter or self._is_remainder(cut, following) or not self._is_border(start, cut):
                    continue
                cut = self._before_opening_quote(cut)
            kept.append(cut)
            start = previous = cut
            has_letter = False
        kept.append(ends[-1])
        return kept

    def _is_plain_end(self, start: int, cut: int) -> bool:
        return self._text[cut - 3] in _PLAIN_ENDS and _LETTER.search(self._text, start, cut) is not None

    def _is_remainder(self, cut: int, following: int) -> bool:
        # A piece without letters is not a sentence. A number and the dots of "...and" begin the next sentence, anything
        # else ends the last.
        if _LETTER.search(self._text, cut, following):
            return False
        if following > self._last_letter:
            return True
        is_glued_to_next = not self._text[following - 1].isspace() and not self._text[following].isspace()
        return not is_glued_to_next and not _LIST_NUMBER.fullmatch(self._text, cut, following)

    def _is_border(self, start: int, cut: int) -> bool:
        left = self._text[max(start, cut - _WINDOW) : cut]
        right = self._text[cut : cut + _WINDOW]
        if left.rstrip()[-1] in _NO_STOPS or left[-1] == _MARK_IN_A_WORD:
            return False
        if _LIST_MARKER.match(right):
            is_item = _LINE_END.search(left) or _LIST_MARKER.match(self._text, start)
            return is_item is not None or not _UNFINISHED.search(left)
        if not left[-1].isspace() and not right[0].isspace():
            return _may_be_glued(left, right)
        return not (self._is_abbreviated(left, right.lstrip()) or _continues_in_lower_case(left, right))

    def _is_abbreviated(self, left: str, right: str) -> bool:
        short_word = _SHORT_WORD.search(left[-_SHORT:]) if left.rstrip()[-1] == "." else None
        if not short_word:
            return False
        word = short_word[1]
        if _is_initial(word, left, right):
            return True
        if word.lower() in self._abbreviations or (word.lower() in _BEFORE_A_NUMBER and _NUMBER.match(right)):
            return True
        is_danda_abbreviation = self._has_danda and _DANDA_SCRIPTS.match(word) is not None
        return _STOPLESS.match(word) is not None or (is_danda_abbreviation and len(word) <= _LONGEST_DANDA_ABBREVIATION)

    def _before_opening_quote(self, cut: int) -> int:
        # In `end. "|Start"` the quotation mark opens what follows.
        is_glued = self._text[cut - 1] in "\"'“„«" and not self._text[cut].isspace()
        is_opening = is_glued and self._text[cut - 2].isspace()
        return cut - 1 if is_opening else cut


def _is_initial(word: str, left: str, right: str) -> bool:
    """Return whether a capital and a full stop are part of a name; sentencex knows Latin initials within a sentence."""
    if len(word) != 1 or not word.isupper():
        return False
    return word > _LAST_LATIN or left.strip() == f"{word}." or _INITIAL.match(right) is not None


def _may_be_glued(left: str, right: str) -> bool:
    """Return whether a sentence may begin without white space before it: not in `Node.JS`, `3.14`, `"No!", he said`."""
    first = right[0]
    if first in _CONTINUES_AT_ONCE or unicodedata.category(first) in {"Pe", "Pf"}:
        return False
    if left[-1] in "」』”" and _QUOTED_IN_JAPANESE.match(right):
        return False
    stop = _ASCII_STOP.search(left)
    if not stop or not first.isalnum():
        return not stop or first not in _CONTINUES_AFTER_ASCII_STOP
    if stop[1].isalpha() and not is_cased(stop[1]):
        return _EAST_ASIAN.match(stop[1]) is not None
    # Between "children.In response", where a space was forgotten, and "System.IO" or "tabs.Tab" the case decides.
    before, after = _WORD_BEFORE_STOP.search(left), _WORD.match(right)
    if not before or not after or not (after[1].istitle() or _ROMAN_NUMBER.fullmatch(after[1])):
        return False
    return before[1].isdigit() or (before[1].islower() and after[1].lower() not in before[1])


def _continues_in_lower_case(left: str, right: str) -> bool:
    word = _PLAIN_WORD.match(right)
    if not word or not word[1].islower():
        return False
    letters = _LETTER.findall(left)
    if letters and not is_cased(letters[-1]):
        return False  # in Korean or Japanese a Latin word in lower case begins a sentence as any other word does
    full_stop = _FULL_STOP.search(left)  # behind a long word it ends a sentence, and the next lacks its capital
    return full_stop is None or 0 < len(full_stop[1]) <= _LONGEST_ABBREVIATION
