"""Removal spots: words that could have been the link, and what is cut from the page if they are."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from typing import TypeVar

from linkspot.examples.cuts import Cut, first_numbers
from linkspot.examples.seams import word_spans
from linkspot.records import Article, Section
from linkspot.source_map import Span

_T = TypeVar("_T")

_SHORTEST_SPAN, _LONGEST_SPAN = 2, 5


class Removal(StrEnum):
    """What is removed from a page, the mildest removal first."""

    NOTHING = "nothing"
    MENTION = "mention"
    SENTENCE = "sentence"
    SPAN = "span"


@dataclass(frozen=True, slots=True)
class RemovalSpot:
    """Words of a page and the sentence that holds them."""

    section: int
    sentence: int
    words: Span

    def cut(self, article: Article, removal: Removal, draw: Random) -> Cut | None:
        """Return what to cut here; nothing if that would leave nothing of the sentence or section."""
        count = len(article.sections[self.section].sentences)
        cut = Cut(self.section, self.sentence, self.sentence)
        if removal is Removal.MENTION:
            cut = replace(cut, words=self.words)
        elif removal is Removal.SPAN:
            longest = min(_LONGEST_SPAN, count - 1)
            if longest < _SHORTEST_SPAN:
                return None
            length = draw.randint(_SHORTEST_SPAN, longest)
            first = draw.randint(max(0, self.sentence - length + 1), min(self.sentence, count - length))
            cut = Cut(self.section, first, first + length - 1)
        return cut if cut.is_possible(article) else None

    def possible_cut(self, article: Article, wanted: Removal, draw: Random) -> tuple[Removal, Cut | None]:
        """Return the wanted removal or the next milder one that is possible here, and its cut."""
        removals = list(Removal)
        for removal in reversed(removals[1 : removals.index(wanted) + 1]):
            cut = self.cut(article, removal, draw)
            if cut is not None:
                return removal, cut
        return Removal.NOTHING, None


def words_in(section: Section, sentence: int, length: int, draw: Random) -> Span:
    """Return words of a sentence that could have been a link: one of its links, or a run of so many words."""
    own = section.sentences[sentence]
    links = [link for link in section.links_in(own.start, own.end) if own.start <= link.start and link.end <= own.end]
    if links:
        link = draw.choice(links)
        return Span(link.start, link.end)
    words = word_spans(section.text, own.start, own.end)
    if not words:
        return Span(own.start, own.end)
    first = draw.randrange(max(1, len(words) - length + 1))
    return Span(words[first].start, words[min(first + length, len(words)) - 1].end)


def random_spots(article: Article, length: int, draw: Random, most: int) -> Iterator[RemovalSpot]:
    """Yield spots drawn at random from a page: at most so many links, then as many runs of `length` words.

    The right spot was a link, too. So right and wrong spots look alike, in any language.
    """
    links = [(index, link) for index, section in enumerate(article.sections) for link in section.links]
    for index, link in _some(links, draw, most):
        sentence = _sentence_at(article.sections[index], link.start, link.end)
        if sentence is not None:
            yield RemovalSpot(index, sentence, Span(link.start, link.end))
    starts = first_numbers(article)
    for number in _some(range(len(article.sentences)), draw, most):
        index, sentence_there = article.sentences[number]
        words = word_spans(article.sections[index].text, sentence_there.start, sentence_there.end)
        if len(words) >= length:
            first = draw.randrange(len(words) - length + 1)
            run = Span(words[first].start, words[first + length - 1].end)
            yield RemovalSpot(index, number - starts[index], run)


def _some(everything: Sequence[_T], draw: Random, most: int) -> list[_T]:
    return draw.sample(everything, min(len(everything), most))


def _sentence_at(section: Section, start: int, end: int) -> int | None:
    """Return the index of the sentence that holds the whole range; nothing if no sentence does."""
    index = bisect_right(section.sentences, start, key=lambda sentence: sentence.start) - 1
    return index if index >= 0 and end <= section.sentences[index].end else None
