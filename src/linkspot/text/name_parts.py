"""Parts of names that a page uses in place of the whole name: Tolstoy for Leo Tolstoy."""

import re
from collections.abc import Sequence

from linkspot.source_map import Span
from linkspot.text.content_words import content_words
from linkspot.text.mentions import Exactness, Forms, Mention, MentionFinder
from linkspot.text.shortened_names import NAME_WORD, NamePart, shortened_names
from linkspot.text.words import primary

_WORD = re.compile(NAME_WORD)
_WORDS_BEFORE = re.compile(rf"((?:{NAME_WORD} )*)({NAME_WORD}) $")
_WORD_AFTER = re.compile(rf" (?:(?:of|de|del|di|da|do|du|des|von|van) )?({NAME_WORD})")  # Kingdom of Rwanda
_NEAR = 60  # characters in which the neighbouring words must fit
# German writes every noun with a capital. Behind an article it is a noun, not a first name: "der Tierarzt Dunlop",
# "der böhmische Reformator Hus".
_NOUN = {"de": re.compile(r"\b(?:d(?:er|ie|as|en|em|es)|eine?[nmrs]?) (?:[a-zäöüß]+e[nmrs]? )?$", re.IGNORECASE)}
# Titles of persons that are written with a capital before a family name.
_TITLES = {
    "en": frozenset(
        "Admiral Baron Bishop Captain Cardinal Chancellor Colonel Count Countess Doctor Dr Duke Emperor Empress "
        "General Governor Judge King Lady Lieutenant Lord Major Minister Mr Mrs Ms Pope President Prince Princess "
        "Professor Queen Saint Senator Sir Sultan Tsar".split()
    ),
    "de": frozenset(
        "Bischof Doktor Dr Frau Freiherr Fürst General Graf Gräfin Herr Herzog Kaiser Kanzler Kardinal König Königin "
        "Minister Papst Präsident Prinz Prinzessin Professor Sultan Zar".split()
    ),
}


class PartFinder:
    """Finds parts of some names in a page's sentences.

    A single word, written like a name, counts if the page and the lead use it for nothing else: never in lower case,
    never beside another name. Without a lead, which shows whether any such thing is called so, it counts only behind
    the whole name. Of a phrase such as "Atlantic slave trade" the last two words count. A part inside the page's own
    title, where the page names itself, does not count.
    """

    def __init__(
        self, names: Sequence[str], sentences: Sequence[str], lead: str, language: str, page_title: str = ""
    ) -> None:
        self._language = language
        candidates = [part for name in names for part in shortened_names(name, language, lead)]
        self._page_title = MentionFinder([page_title] if candidates and page_title else (), language)
        texts = (*sentences, lead) if candidates else ()
        words = (part for text in texts for word in _WORD.findall(text) for part in (word, *word.split("-")))
        self._common = {word for word in words if word[:1].islower()}
        self._parts = {part.text: part for part in candidates if self._is_own(part, texts)}
        self._finder = MentionFinder(self._parts, language, Forms.KNOWN)
        whole = MentionFinder(names if self._parts else (), language, Forms.KNOWN)
        self._first = next((number for number, text in enumerate(sentences) if whole.find(text)), len(sentences))
        self._names_it = self._first < len(sentences)
        self._has_lead = bool(lead)

    def used_in(self, sentences: Sequence[str]) -> tuple[str, ...]:
        """Return the parts that stand for the name in a page that never has the whole name."""
        if self._names_it or not self._parts:
            return ()
        mentions = (mention for number, text in enumerate(sentences) for mention in self._found(number, text))
        return tuple(dict.fromkeys(mention.name for mention in mentions))

    def find(self, number: int, text: str) -> list[Mention]:
        """Return the parts in the sentence of this number that stand for the name."""
        return [
            Mention(mention.span, self._parts[mention.name].name, Exactness.PART)
            for mention in self._found(number, text)
        ]

    def _found(self, number: int, text: str) -> list[Mention]:
        is_introduced = number > self._first or (self._has_lead and not self._names_it)
        return [
            mention
            for mention in self._finder.find(text)
            if not self._parts[mention.name].is_word or (is_introduced and self._is_name_alone(mention, text))
            if not self._is_in_page_title(mention.span, text)
        ]

    def _is_name_alone(self, mention: Mention, text: str) -> bool:
        is_capital = mention.span.cut(text)[0].isupper()
        return is_capital == mention.name[0].isupper() and not self._is_beside_name(text, mention.span)

    def _is_in_page_title(self, span: Span, text: str) -> bool:
        titles = (title.span for title in self._page_title.find(text))
        return any(title.start <= span.start and span.end <= title.end for title in titles)

    def _is_own(self, part: NamePart, texts: Sequence[str]) -> bool:
        """Return whether these texts use the words for nothing but the name."""
        if not part.is_word:
            return True
        finder, name_words = MentionFinder([part.text], self._language), set(_WORD.findall(part.name))
        for text in texts:
            for mention in finder.find(text):
                written = mention.span.cut(text)
                beside = self._neighbours(text, mention.span) - name_words
                if written[0].islower() or any(word[0].isupper() for word in beside):
                    return False
        return True

    def _is_beside_name(self, text: str, span: Span) -> bool:
        return any(word[0].isupper() for word in self._neighbours(text, span))

    def _neighbours(self, text: str, span: Span) -> set[str]:
        """Return the words right before and after a range; not a first word whose capital says nothing."""
        before = _WORDS_BEFORE.search(text, max(0, span.start - _NEAR), span.start)
        after = _WORD_AFTER.match(text, span.end, span.end + _NEAR)
        neighbours = {after[1]} if after else set()
        if before and not self._is_plain_noun(before[2], before[1], is_first=not text[: before.start()].strip()):
            neighbours.add(before[2])
        return neighbours

    def _is_plain_noun(self, word: str, before: str, *, is_first: bool) -> bool:
        """Return whether the capital of a word before a name says nothing about who is meant."""
        tongue = primary(self._language)
        if word in _TITLES.get(tongue, ()):
            return True
        if before:
            return tongue in _NOUN and bool(_NOUN[tongue].search(before))
        return is_first and (word.lower() in self._common or not content_words(word, self._language))
