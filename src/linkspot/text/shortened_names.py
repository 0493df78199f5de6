"""Shortened names: which parts of a name a page may use in its place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from linkspot.text.scripts import has_spaceless, is_cased
from linkspot.text.words import JOINERS, MARKS, primary

_LETTERS = rf"(?:[^\W\d_]|[{MARKS}{JOINERS}])+"
#: A word of a name, hyphens and apostrophes included, as a pattern.
NAME_WORD = rf"{_LETTERS}(?:[-'’]{_LETTERS})*"
_WORD = re.compile(NAME_WORD)
_SHORTEST = 4  # letters of a word of a phrase
_SHORTEST_NAME = 3  # letters of a family name
_INITIALS = re.compile(r"(?:[^\W\d_]\. ?)+")
_SHORTEST_PHRASE = 2  # words of a part that is a phrase in lower case
_SHORTEST_UNCASED = 3
_WORDS_AROUND_OTHERS = 3  # words of a name that has one between its first and its last
_ARTICLE = {"ar": "ال"}  # a noun with its article can stand alone
_PARTICLES = frozenset({"der", "van", "von", "zu"})  # before a family name
_FAMILY_NAME_FIRST = frozenset({"hu", "uk"})
_FAMILY_NAME_BEFORE_COMMA = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)*), [^,]+")
_BEHIND_DOT = re.compile(r".+[·・]([^\W\d_]{2,})")  # a foreigner's family name, in scripts without spaces
# Languages that write compounds as one word: such a word says as much as two of another language.
_COMPOUNDING = frozenset({"da", "et", "fi", "hu", "is", "nb", "nl", "nn", "no", "sv"})
_SHORTEST_COMPOUND = 10
# The last noun of a Turkish name has an ending which it loses when it stands alone: İstanbul Boğazı, but Boğaz.
_POSSESSIVE = {"tr": re.compile("(?<=[^\\W\\d_]{4})s?[ıiuü]$"), "az": re.compile("(?<=[^\\W\\d_]{4})s?[ıiuü]$")}
# What a name says about its kind, in languages without spaces: 明治時代 is the era called 明治.
_KIND = re.compile("(?<=..)(?:時代|时代|王朝|県|县|省|市|州)$")


@dataclass(frozen=True, slots=True)
class NamePart:
    """A part of a name, and whether it is a single word, which must be written like a name."""

    text: str
    name: str
    is_word: bool = True


def shortened_names(name: str, language: str, lead: str) -> Iterator[NamePart]:
    """Yield the parts of a name that may stand for all of it; the lead shows how its words are used."""
    for word in dict.fromkeys(_family_names(name, language)):
        if _is_like_a_name(word, name, language, lead):
            yield NamePart(word, name)
    for phrase in _phrases(name, language):
        yield NamePart(phrase, name, is_word=False)


def _phrases(name: str, language: str) -> Iterator[str]:
    """Yield parts that say enough to need no introduction."""
    words = name.split()
    if len(words) >= _WORDS_AROUND_OTHERS:  # John Dunlop, of John Boyd Dunlop
        yield from (" ".join(words[:skipped] + words[skipped + 1 :]) for skipped in range(1, len(words) - 1))
    if has_spaceless(name) and _KIND.search(name):
        yield _KIND.sub("", name)
    if not all(is_cased(word[0]) and word[0].islower() for word in words[1:]):
        return
    if len(words) > _SHORTEST_PHRASE and all(len(word) >= _SHORTEST for word in words[-2:]):
        yield " ".join(words[-_SHORTEST_PHRASE:])
    elif len(words) == _SHORTEST_PHRASE and primary(language) in _COMPOUNDING and len(words[1]) >= _SHORTEST_COMPOUND:
        yield words[1]


def _family_names(name: str, language: str) -> Iterator[str]:
    """Yield the words of a name that may stand for all of it, as family names do."""
    turned = _FAMILY_NAME_BEFORE_COMMA.fullmatch(name) or _BEHIND_DOT.fullmatch(name)
    initials = _INITIALS.match(name)
    words, tongue = _WORD.findall(name), primary(language)
    if turned:
        yield turned[1]
    elif initials and _WORD.fullmatch(name, initials.end()):  # J. R. R. Tolkien
        yield words[-1]
    elif len(words) > 1 and " ".join(words) == name:
        if all(not word[0].islower() or word in _PARTICLES for word in words):  # not "Henry II of England"
            yield words[-1]
            if tongue in _POSSESSIVE:
                yield _POSSESSIVE[tongue].sub("", words[-1])
        if tongue in _FAMILY_NAME_FIRST:
            yield words[0]


def _is_like_a_name(word: str, name: str, language: str, lead: str) -> bool:
    if is_cased(word[0]):
        return len(word) >= _SHORTEST_NAME and word[0].isupper() and not word.isupper()
    article = _ARTICLE.get(primary(language), "")
    if article and word.startswith(article):
        return len(word) >= _SHORTEST and len(name.split()) == _SHORTEST_PHRASE  # later words describe one another
    # Scripts without capitals: the lead has the word, but only in the whole name.
    is_in_name_only = word in lead and word not in lead.replace(name, "")
    return is_in_name_only and (len(word) >= _SHORTEST_UNCASED or has_spaceless(word))
