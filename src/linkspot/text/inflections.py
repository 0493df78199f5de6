"""Inflections: whether two words are forms of one word, by the endings that each language's dictionary shows."""

import json
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from linkspot.remembering import remembered
from linkspot.text.linked_endings import Kinship, differing_endings, ending_pairs, is_enough
from linkspot.text.words import primary

# Languages whose tables other languages share; Norwegian's code names two languages, most pages are in Bokmål.
_TABLES = dict.fromkeys(("bs", "hr", "sh", "sr"), "hbs") | {"no": "nb", "simple": "en"}
_WITHOUT_ENDINGS = frozenset({"vi", "zh", "yue", "ja", "th", "lo", "km", "my", "bo"})
# Endings of languages without a dictionary. They stand behind an unchanged word of this many letters or more.
_ENDINGS = {
    "bn": (
        3,
        "র ের য়ের এর কে তে ে য় য়ে রা এরা েরা দের েদের টি টির টিতে টিকে টা টার গুলি গুলির গুলিতে গুলো গুলোর গুলোতে "
        "গুলোকে গুলিকে সমূহ সমূহের সমূহে দেরকে গণ সহ",
    ),
    "ko": (
        2,
        "은 는 이 가 을 를 의 에 에서 에게 와 과 로 으로 도 만 부터 까지 나 이나 들 들은 들이 들을 들의 에는 에서는 "
        "에서의 로는 으로는 라고 이라고 란 이란 라는 이라는 이다 인 보다 처럼",
    ),
}
# Particles that may stand behind any of these endings, too.
_PARTICLES = {"bn": ("ও", "ই")}
# Vowels that Bengali writes long or short in the same word (সিপাহী, সিপাহি); ীয় makes another word (জাতি, জাতীয়).
_LONG_VOWEL = {"bn": re.compile("ী(?!য়)|ূ")}
_SHORT_VOWELS = {"ী": "ি", "ূ": "ু"}
_SHORTEST_RESPELLED = 5
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
# Slavic languages in Latin letters: their own nouns have no plural in s, those of software that they borrow have one.
_WITH_ENGLISH_PLURALS = frozenset("bs cs hr pl sh sk sl".split())
_ENGLISH_PLURALS = ({"", "s"}, {"", "es"}, {"y", "ies"})
_UMLAUTS = frozenset((("a", "ä"), ("o", "ö"), ("u", "ü")))
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
    return _differ_by_endings(name, word, tongue, is_among_others)


def _differ_by_endings(name: str, word: str, tongue: str, is_among_others: bool) -> bool:
    table = _table(_TABLES.get(tongue, tongue))
    if table is None:
        return _has_known_ending(name, word, tongue)
    if tongue in _WITH_ENGLISH_PLURALS and _is_english_plural(name, word):
        return True
    return table.joins(name, word, is_among_others) or _is_linked(name, word, tongue, Kinship.FORM)


@remembered(entries=1 << 12, longest=96)
def is_derived(name: str, word: str, language: str) -> bool:
    """Return whether a word, folded and without accents, is derived from a name: Australia, Australian.

    Such a word names who or what belongs to the thing, but it may be another page's title.
    """
    return _is_linked(name, word, primary(language), Kinship.DERIVED)


def _is_linked(name: str, word: str, tongue: str, kinship: Kinship) -> bool:
    shared, pairs = shared_beginning(name, word), ending_pairs(kinship, tongue)
    endings = differing_endings(name, word, shared, kinship)
    is_inverse = kinship is Kinship.FORM and endings[::-1] in pairs  # a title in the plural has singular forms
    return is_enough(name, word, shared) and (endings in pairs or is_inverse)


def is_umlaut_plural(name: str, word: str, language: str) -> bool:
    """Return whether a folded word is a German plural (Städte) of a name: a vowel changes, and an e is added."""
    if primary(language) != "de" or len(word) != len(name) + 1 or not word.endswith("e"):
        return False
    changes = [pair for pair in zip(name, word, strict=False) if pair[0] != pair[1]]
    return len(changes) == 1 and changes[0] in _UMLAUTS


def _is_english_plural(name: str, word: str) -> bool:
    """Return whether the words are singular and plural of English, in a language whose own words do not end so."""
    shared, english = shared_beginning(name, word), _table("en")
    is_plural = {name[shared:], word[shared:]} in _ENGLISH_PLURALS
    return english is not None and is_plural and english.joins(name, word, False)


def _has_known_ending(name: str, word: str, tongue: str) -> bool:
    """Return whether two words of a language without a dictionary differ by what may be endings."""
    if min(len(name), len(word)) >= _SHORTEST_RESPELLED:
        name, word = _respelled(name, tongue), _respelled(word, tongue)
    shared = shared_beginning(name, word)
    if tongue in _ENDINGS:
        return shared >= _ENDINGS[tongue][0] and {name[shared:], word[shared:]} <= _endings(tongue)
    if tongue in _GLUING:
        return shared >= max(_SHORTEST_GLUED, len(name)) and len(word) - shared <= _LONGEST_GLUED_ENDING
    return shared >= max(_SHORTEST_ELSEWHERE, len(name)) and len(word) - shared <= _LONGEST_ENDING_ELSEWHERE


@cache
def _endings(tongue: str) -> frozenset[str]:
    """Return the endings of a language without a dictionary, as they are compared, with particles behind them."""
    endings, particles = ("", *_ENDINGS[tongue][1].split()), ("", *_PARTICLES.get(tongue, ()))
    written = {ending + particle for ending in endings for particle in particles}
    return frozenset(written | {_respelled(ending, tongue) for ending in written})


def _respelled(word: str, tongue: str) -> str:
    """Return a word with the vowels short that its language writes long or short."""
    long_vowel = _LONG_VOWEL.get(tongue)
    return long_vowel.sub(lambda vowel: _SHORT_VOWELS[vowel[0]], word) if long_vowel else word


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
