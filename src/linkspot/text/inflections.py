"""Inflections: whether two words are forms of one word, by the endings that each language's dictionary shows."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from linkspot.remembering import remembered
from linkspot.text.words import primary

# Languages whose tables other languages share; Norwegian's code names two languages, most pages are in Bokmål.
_TABLES = dict.fromkeys(("bs", "hr", "sh", "sr"), "hbs") | {"no": "nb", "simple": "en"}
_WITHOUT_ENDINGS = frozenset({"vi", "zh", "yue", "ja", "th", "lo", "km", "my", "bo"})
# Endings of languages without a dictionary. They stand behind an unchanged word of this many letters or more.
_ENDINGS = {
    "bn": (
        3,
        "র ের য়ের এর কে তে ে য় য়ে রা এরা েরা দের েদের টি টির টিতে টিকে টা টার গুলি গুলির গুলিতে গুলো গুলোর গুলোতে "
        "গুলোকে সমূহ সমূহের সমূহে ও ই সহ",
    ),
    "ko": (
        2,
        "은 는 이 가 을 를 의 에 에서 에게 와 과 로 으로 도 만 부터 까지 나 이나 들 들은 들이 들을 들의 에는 에서는 "
        "에서의 로는 으로는 라고 이라고 란 이란 라는 이라는 이다 인 보다 처럼",
    ),
}
# Languages without a dictionary that put several endings behind an unchanged word, which follows from their grammar.
_GLUING = frozenset({"az", "eu", "kk", "ky", "mn", "tk", "tt", "uz"})
# Languages whose words take endings but lose none, so that a title, which has none, is never longer than its forms.
_BARE_TITLES = _GLUING | {"et", "fi", "hu", "ka", "ko", "tr"}
_SHORTEST_GLUED, _LONGEST_GLUED_ENDING = 4, 4
_SHORTEST_ELSEWHERE, _LONGEST_ENDING_ELSEWHERE = 5, 2
_SHORTEST_BEGINNING = 3
_ANY_LETTER = "*"  # every letter that a rule does not name
_NOT_IN_LATIN = frozenset("ar be bg bn el fa he hi hy ka kk ko ky mk ml mn mr ne ru ta te uk ur".split())
# In German, nouns with these endings take an s only as the first part of a compound.
_PART_OF_COMPOUND = {"de": re.compile("(?:ung|heit|keit|schaft|itat)s$")}
_LATIN_LETTERS = {"љ": "lj", "њ": "nj", "џ": "dz"} | dict(
    zip("абвгдђежзијклмнопрстћуфхцчш", "abvgddezzijklmnoprstcufhccs", strict=True)
)
_IN_LATIN = str.maketrans(_LATIN_LETTERS)


@dataclass(frozen=True, slots=True)
class _Table:
    """Pairs of endings -> the last letter of the shared beginning -> how long that must be; and different words."""

    rules: dict[tuple[str, str], dict[str, int]]
    different: frozenset[tuple[str, str]]

    def joins(self, name: str, word: str, is_among_others: bool) -> bool:
        """Return whether two words differ by endings that are safe behind what they share."""
        shared = shared_beginning(name, word)
        one, other = sorted((name[shared:], word[shared:]))
        letters = self.rules.get((one, other))
        if letters is None or shared < _SHORTEST_BEGINNING:
            return False
        shortest = letters.get(name[shared - 1], letters.get(_ANY_LETTER, 0))
        is_safe = is_among_others or 0 < shortest <= shared
        return is_safe and (min(name, word), max(name, word)) not in self.different


@remembered(entries=1 << 12, longest=96)
def are_forms(name: str, word: str, language: str, is_among_others: bool = False) -> bool:
    """Return whether two words, folded and without accents, are equal or forms of one word.

    If other words stand beside both and are equal or forms of one another, too, fewer shared letters are enough.
    """
    if name == word:
        return True
    tongue = primary(language)
    if tongue in _WITHOUT_ENDINGS or any(letter.isdigit() for letter in name + word):
        return False
    if tongue in _NOT_IN_LATIN and name.isascii() and word.isascii():
        tongue = "en"  # names of software and the like keep their English plural
    if tongue == "sr":
        name, word = name.translate(_IN_LATIN), word.translate(_IN_LATIN)
    if tongue in _PART_OF_COMPOUND and any(map(_PART_OF_COMPOUND[tongue].search, (name, word))):
        return False
    if tongue in _BARE_TITLES and name.startswith(word):
        return False
    table = _table(_TABLES.get(tongue, tongue))
    return _has_known_ending(name, word, tongue) if table is None else table.joins(name, word, is_among_others)


def _has_known_ending(name: str, word: str, tongue: str) -> bool:
    """Return whether two words of a language without a dictionary differ by what may be endings."""
    shared = shared_beginning(name, word)
    endings = {name[shared:], word[shared:]}
    if tongue in _ENDINGS:
        shortest, known = _ENDINGS[tongue]
        return shared >= shortest and endings <= {"", *known.split()}
    if tongue in _GLUING:
        return shared >= max(_SHORTEST_GLUED, len(name)) and len(word) - shared <= _LONGEST_GLUED_ENDING
    return shared >= max(_SHORTEST_ELSEWHERE, len(name)) and len(word) - shared <= _LONGEST_ENDING_ELSEWHERE


def shared_beginning(one: str, other: str) -> int:
    """Return how many letters two words have in common at their beginning."""
    length = min(len(one), len(other))
    return next((index for index in range(length) if one[index] != other[index]), length)


@lru_cache
def _table(language: str) -> _Table | None:
    """Return the table of a language that bench/make_endings.py wrote, if there is one."""
    file = files("linkspot.text").joinpath("endings", f"{language}.json")
    if not language.isalpha() or not file.is_file():
        return None
    table = json.loads(file.read_text(encoding="utf-8"))
    rules = {}
    for endings, letters in table["rules"].items():
        one, _, other = endings.partition("|")
        rules[one, other] = {letter: int(group[0]) for group in letters.split(" ") for letter in group[1:]}
    different = frozenset((one, other) for one, other in map(str.split, table["different"]))
    return _Table(rules, different)
