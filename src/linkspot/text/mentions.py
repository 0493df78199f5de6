"""Mentions: where a text names an entity, word for word or in an inflected form."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, IntEnum

from linkspot.records import Entity
from linkspot.remembering import remembered
from linkspot.source_map import Span
from linkspot.text.affixes import outer_affixes
from linkspot.text.inflections import are_forms, is_derived, is_umlaut_plural, shared_beginning
from linkspot.text.noun_classes import other_numbers
from linkspot.text.scripts import UNSPACED
from linkspot.text.words import JOINERS, MARKS, bare, fold, normal_form, primary, strip_accents

# A word, one letter of a script without spaces, or one other sign; white space and dashes only separate.
_TOKEN = re.compile(rf"[{UNSPACED}][{MARKS}{JOINERS}]*|(?:(?![{UNSPACED}_])[\w{MARKS}{JOINERS}])+|[^\s\w\-‐-―−]")

MOST_MENTIONS = 10  # of one target that a model reads; the paper's choice

_SHORTEST_BEGINNING = 3
_BEGINNINGS = range(1, _SHORTEST_BEGINNING + 1)
_MOST_ANCHORS = 40
_LONGEST_ENDING = 3
_LOSS_OF_SINGLE_WORD = 1  # letters at its end that a name may lose
_LOSS_OF_WORD_AMONG_OTHERS = 2  # the words of a longer name vouch for one another
# Languages that add several endings to an unchanged word, and the shortest word that takes them. This follows their
# grammar; only Korean could be tested on real links.
_GLUING = dict.fromkeys(("az", "et", "eu", "fi", "hu", "ka", "kk", "ky", "mn", "tk", "tr", "tt", "uz"), 4) | {"ko": 2}
_LONGEST_GLUED_ENDING = 4
_WITHOUT_ENDINGS = frozenset({"vi", "zh", "th", "lo", "km", "my"})
# Particles and articles that Arabic and Hebrew write together with the next word; not tested on real links either.
_PREFIX = {"ar": re.compile("(?:[وفبكل]?ال|لل|[وفبكل])(?=.{3})"), "he": re.compile("[והבכלמש](?=.{3})")}
_PREFIXES_IN_A_ROW = {"he": 2}
_ARTICLE = {"ar": "ال"}
_LONGEST_ACRONYM_LIKE_A_WORD = 3  # "US" is not "us", "WHO" not "who"

_DISAMBIGUATOR = re.compile(r"\s+\([^()]+\)$|\s*（[^（）]+）$")
_PATH = re.compile(r"(?:[a-z]{2,3}(?:-\w+)?/|[^/\s][^/]*/[^/]+/)(?:[^/]*/)*([^/]+)")
_MEMBER = re.compile(r"(?P<owner>[\w.]+)\s?: .*?(?P<member>[\w.]+\(\)|\b[a-z]+[A-Z]\w*)")


class Exactness(IntEnum):
    """How a mention is written, compared with the name; higher is closer."""

    DERIVED = -1  # another word for who or what belongs to it
    PART = 0  # a part of the name, used in its place
    NEAR = 1  # accents or endings differ
    FOLDED = 2  # the same letters, in another case, width or style
    EXACT = 3


class Forms(Enum):
    """Which words count as other forms of a name."""

    POSSIBLE = "possible"  # any word that may be one: for what a model reads, and for what must not be a negative
    KNOWN = "known"  # only what the language's endings allow: for what an answer says and links
    DERIVED = (
        "derived"  # these and derived words (Australian of Australia): where the passage shows that the name is meant
    )


@dataclass(frozen=True, slots=True)
class Mention:
    """A range of a text that names an entity."""

    span: Span
    name: str
    exactness: Exactness


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    folded: str
    bare: str


@dataclass(frozen=True, slots=True)
class _Name:
    text: str
    tokens: tuple[_Token, ...]
    anchor: str  # letters that every mention of the name has, once folded and without accents


class MentionFinder:
    """Finds mentions of some names in one text after another.

    Whole words count; in scripts without spaces between words, any occurrence does. Of known forms, a mention leaves
    out what wikis leave outside of a link: the particles of Korean, the prefixes of Hebrew and Arabic.
    """

    def __init__(self, names: Iterable[str], language: str, forms: Forms = Forms.POSSIBLE) -> None:
        self._language = language
        self._forms = forms
        self._names: defaultdict[str, list[_Name]] = defaultdict(list)
        for text in dict.fromkeys(names):
            tokens = tuple(_without_article(token, language) for token in _tokens(text, language))
            if tokens:
                name = _Name(text, tokens, _anchor(tokens, language, forms))
                self._names[tokens[0].bare[:_SHORTEST_BEGINNING]].append(name)
        anchors = {name.anchor for names in self._names.values() for name in names}
        # Looking for many anchors takes longer than what they save.
        self._anchors = tuple(anchors) if len(anchors) <= _MOST_ANCHORS else ("",)

    def find(self, text: str) -> list[Mention]:
        """Return the mentions in the text's order; none overlaps another, and the longest name wins."""
        bare_text = bare(text, self._language)
        if not any(anchor in bare_text for anchor in self._anchors):
            return []
        tokens = list(_tokens(text, self._language))
        mentions: list[Mention] = []
        for index, token in enumerate(tokens):
            if mentions and token.start < mentions[-1].span.end:
                continue
            candidates = list(self._mentions_at(index, tokens, text))
            if candidates:
                mentions.append(max(candidates, key=lambda mention: (len(mention.span), mention.exactness)))
        return mentions

    def _mentions_at(self, index: int, tokens: list[_Token], text: str) -> Iterator[Mention]:
        forms = _forms(tokens[index].bare, primary(self._language))
        # A mention begins like the name, with as many letters as a form shares at least; a shorter name is all of it.
        for beginning in {form[:length] for form in forms for length in _BEGINNINGS}:
            for name in self._names.get(beginning, ()):
                window = tokens[index : index + len(name.tokens)]
                exactness = _compare(name, window, text, self._language, self._forms)
                if exactness is not None:
                    mention = Mention(Span(window[0].start, window[-1].end), name.text, exactness)
                    yield mention if self._forms is Forms.POSSIBLE else self._without_affixes(mention, name, text)

    def _without_affixes(self, mention: Mention, name: _Name, text: str) -> Mention:
        """Return the mention without affixes that stay outside of a link."""
        if mention.exactness is not Exactness.NEAR:
            return mention
        before, after = outer_affixes(mention.span.cut(text), name.text, self._language)
        if not before and not after:
            return mention
        span = Span(mention.span.start + before, mention.span.end - after)
        written = span.cut(text)
        if written == name.text:
            return replace(mention, span=span, exactness=Exactness.EXACT)
        is_folded = fold(written, self._language) == fold(name.text, self._language)
        return replace(mention, span=span, exactness=Exactness.FOLDED if is_folded else Exactness.NEAR)


def known_names(entity: Entity, language: str) -> tuple[str, ...]:
    """Return the names to look for: title and mentions, without a part that only sets the title apart from others."""
    names = []
    for name in entity.names:
        spaced = " ".join(name.replace("_", " ").split())
        names += [spaced, _DISAMBIGUATOR.sub("", spaced)]
        if path := _PATH.fullmatch(spaced):
            names.append(_DISAMBIGUATOR.sub("", path[1]))
        if member := _MEMBER.match(spaced):
            names += [member["member"], f"{member['owner']}.{member['member'].removesuffix('()')}"]
    return tuple(dict.fromkeys(name for name in names if name and any(_tokens(name, language))))


def shared_name(title: str) -> str:
    """Return the name that a title shares with others, as its bracket says: Lime of "Lime (fruit)"; else nothing."""
    spaced = " ".join(title.replace("_", " ").split())
    name = _DISAMBIGUATOR.sub("", spaced)
    return name if name != spaced else ""


def _tokens(text: str, language: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        folded, bare = _spellings(match[0], language)
        if folded:
            yield _Token(match.start(), match.end(), folded, bare)


@remembered(entries=1 << 12, longest=64)
def _spellings(word: str, language: str) -> tuple[str, str]:
    folded = fold(word, language)
    return folded, strip_accents(folded, language)


def _without_article(token: _Token, language: str) -> _Token:
    return replace(token, bare=token.bare.removeprefix(_ARTICLE.get(primary(language), "")) or token.bare)


def _anchor(tokens: tuple[_Token, ...], language: str, forms: Forms) -> str:
    longest = max((token.bare for token in tokens), key=len)
    if primary(language) == "sw":  # its words change at their beginning
        return longest[-_SHORTEST_BEGINNING:]
    if forms is not Forms.POSSIBLE:
        return longest[:_SHORTEST_BEGINNING]
    if primary(language) in _WITHOUT_ENDINGS:
        return longest
    longest_loss = _LOSS_OF_SINGLE_WORD if len(tokens) == 1 else _LOSS_OF_WORD_AMONG_OTHERS
    return longest[: max(_SHORTEST_BEGINNING, len(longest) - longest_loss)]


def _compare(
    name: _Name, window: list[_Token], text: str, language: str, forms: Forms = Forms.POSSIBLE
) -> Exactness | None:
    if len(window) < len(name.tokens):
        return None
    written = text[window[0].start : window[-1].end]
    if written == name.text or normal_form("NFC", written) == normal_form("NFC", name.text):
        return Exactness.EXACT
    if _is_acronym(name.text) and not written.isupper():
        return None
    pairs = list(zip(name.tokens, window, strict=True))
    if all(own.folded == other.folded for own, other in pairs):
        return Exactness.FOLDED
    if forms is not Forms.POSSIBLE:
        if _is_part_of_compound(text, window[-1].end) or (name.text.isupper() and not written[:2].isupper()):
            return None  # German "Entwicklungs-" is no form of "Entwicklung", and "aid" none of "AIDS"
        is_near = all(_is_known_form(own, other, len(pairs) > 1, language, forms) for own, other in pairs)
    else:
        is_near = all(_is_form(own.bare, other.bare, len(pairs) == 1, primary(language)) for own, other in pairs)
    return Exactness.NEAR if is_near else None


def _is_part_of_compound(text: str, end: int) -> bool:
    return text[end : end + 1] == "-" and text[end + 1 : end + 2].isalpha()


def _is_acronym(name: str) -> bool:
    return len(name) <= _LONGEST_ACRONYM_LIKE_A_WORD and len(name) > 1 and name.isupper()


def _forms(word: str, tongue: str) -> tuple[str, ...]:
    """Return a word as it stands and without what is written together with it or marks its noun class."""
    if tongue == "sw":
        return (word, *other_numbers(word))
    forms = [word]
    for _ in range(_PREFIXES_IN_A_ROW.get(tongue, 1) if tongue in _PREFIX else 0):
        prefix = _PREFIX[tongue].match(forms[-1])
        if prefix is None:
            break
        forms.append(forms[-1][prefix.end() :])
    return tuple(forms)


def _is_known_form(name: _Token, word: _Token, is_among_others: bool, language: str, allowed: Forms) -> bool:
    forms = _forms(word.bare, primary(language))
    if any(are_forms(name.bare, form, language, is_among_others) for form in forms):
        return True
    if allowed is Forms.DERIVED and is_derived(name.bare, word.bare, language):
        return True
    return is_umlaut_plural(name.folded, word.folded, language)


@remembered(entries=1 << 12, longest=96)
def _is_form(name: str, word: str, is_single: bool, tongue: str) -> bool:
    """Return whether a word is the name or an inflected form of it: the same beginning, and another short ending.

    The bounds were chosen on existing links (mention against title) of Wikipedia (en, uk, bn) and OpenTTD, the same
    links that these figures count. Where both are one word and differ, the rule
    accepts 62 % (en), 72 % (uk), 66 % (bn) of the links; of all pairs of a title and a mention that it accepts, 78 %,
    66 % and 48 % are linked (many of the others are plurals with a page of their own). Where both have the same number
    of words, more than one: 39 %, 69 %, 66 % of the links, and 87 %, 85 %, 84 % of the pairs. Snowball's stems accept
    49 % of single words in English, with 82 % of the pairs linked; in de, es, fr and ru they do about as well.
    """
    forms = _forms(word, tongue)
    if name in forms:
        return True
    if tongue in _WITHOUT_ENDINGS or any(letter.isdigit() for letter in name + word):
        return False
    return any(_has_other_ending(name, form, is_single, tongue) for form in forms)


def _has_other_ending(name: str, word: str, is_single: bool, tongue: str) -> bool:
    shared = shared_beginning(name, word)
    lost, added = len(name) - shared, len(word) - shared
    if not lost and len(name) >= _GLUING.get(tongue, len(name) + 1):
        return added <= _LONGEST_GLUED_ENDING
    if shared < _SHORTEST_BEGINNING or added > _LONGEST_ENDING:
        return False
    return (
        (lost <= _LOSS_OF_SINGLE_WORD and shared >= lost + added + 2)
        if is_single
        else lost <= _LOSS_OF_WORD_AMONG_OTHERS
    )
