"""Dynamic context removal: existing links made to look like pages that lack the mention, its sentence or more."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from math import isclose
from random import Random
from typing import TypeVar

from linkspot.errors import UnusableInput
from linkspot.examples.cuts import Cut, CutArticle, first_numbers
from linkspot.examples.linked_example import LinkedExample
from linkspot.examples.seams import word_spans
from linkspot.records import Article, Example, Section
from linkspot.source_map import Span
from linkspot.text.mentions import MentionFinder

_T = TypeVar("_T")

_SHORTEST_SPAN, _LONGEST_SPAN = 2, 5
_MOST_FOR_DECOYS = 4  # decoys take at most one sentence in four
_TRIES = 8  # spots to try for each decoy


class Removal(StrEnum):
    """What is removed from a page, the mildest removal first."""

    NOTHING = "nothing"
    MENTION = "mention"
    SENTENCE = "sentence"
    SPAN = "span"


@dataclass(frozen=True, slots=True)
class ContextRemoval:
    """The share of each removal, and at how many other places of the page (`decoys`) the same removal is made.

    The defaults are the paper's. Without `treat_negatives`, only the right place is changed.
    """

    nothing: float = 0.4
    mention: float = 0.2
    sentence: float = 0.3
    span: float = 0.1
    decoys: int = 3
    treat_negatives: bool = True

    def __post_init__(self) -> None:
        shares = [share for _, share in self.shares]
        if min(shares) < 0 or not isclose(sum(shares), 1, abs_tol=1e-6):
            raise UnusableInput(f"the shares of context removal are {shares}; expected numbers from 0 that add up to 1")
        if self.decoys < 0:
            raise UnusableInput(f"the decoys of context removal are {self.decoys}; expected 0 or more")

    @property
    def shares(self) -> tuple[tuple[Removal, float], ...]:
        """Each removal with its share, the mildest first."""
        return tuple(zip(Removal, (self.nothing, self.mention, self.sentence, self.span), strict=True))

    def draw(self, draw: Random) -> Removal:
        """Draw a removal by the shares."""
        return draw.choices(list(Removal), [share for _, share in self.shares])[0]


@dataclass(frozen=True, slots=True)
class Problem:
    """An example to learn from.

    `decoys` are wrong candidates at places that were changed like the right one. `ignored` are candidates whose
    sentence holds a known mention of the target, so that nobody knows whether they are wrong. A negative target is made
    up: no editor linked it in this page.
    """

    example: Example
    decoys: tuple[int, ...] = ()
    ignored: frozenset[int] = frozenset()
    removal: Removal = Removal.NOTHING
    is_negative_target: bool = False

    def __post_init__(self) -> None:
        gold, decoys, count = set(self.example.gold), set(self.decoys), len(self.example.article.sentences)
        if gold & decoys or gold & self.ignored or decoys & self.ignored:
            raise ValueError("a candidate can only be one of these: right, a decoy, ignored")
        if not all(0 <= number < count for number in decoys | self.ignored):
            raise ValueError(f"the page has {count} candidates; decoys are {self.decoys}, ignored are {self.ignored}")


def remove_context(linked: LinkedExample, draw: Random, settings: ContextRemoval | None = None) -> Problem:
    """Draw what to remove and return the problem that is left; a removal that leaves nothing becomes a milder one."""
    settings = settings or ContextRemoval()
    removal, cut = _possible_cut(linked, settings.draw(draw), draw)
    if cut is None:
        return without_removal(linked)
    decoys = tuple(_decoys(linked, removal, cut, draw, settings.decoys)) if settings.treat_negatives else ()
    page = CutArticle(linked.article, (cut, *decoys))
    example = Example(linked.entity, page.after, page.seam(cut))
    return _problem(example, linked.finder, chain.from_iterable(map(page.seam, decoys)), removal)


def without_removal(linked: LinkedExample) -> Problem:
    """Return the problem with nothing removed: the words are there and only need the link."""
    return _problem(Example(linked.entity, linked.article, (linked.sentence,)), linked.finder)


def _problem(
    example: Example, finder: MentionFinder, decoys: Iterable[int] = (), removal: Removal = Removal.NOTHING
) -> Problem:
    sentences = enumerate(example.article.sentences)
    naming = frozenset(number for number, (_, sentence) in sentences if finder.find(sentence.text))
    ignored = naming - set(example.gold)
    return Problem(example, tuple(sorted(set(decoys) - ignored)), ignored, removal)


@dataclass(frozen=True, slots=True)
class _Spot:
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


def _possible_cut(linked: LinkedExample, wanted: Removal, draw: Random) -> tuple[Removal, Cut | None]:
    """Return the wanted removal or the next milder one that is possible, and its cut."""
    section, _ = linked.article.sentences[linked.sentence]
    spot = _Spot(section, linked.sentence - first_numbers(linked.article)[section], linked.mention)
    removals = list(Removal)
    for removal in reversed(removals[1 : removals.index(wanted) + 1]):
        cut = spot.cut(linked.article, removal, draw)
        if cut is not None:
            return removal, cut
    return Removal.NOTHING, None


def _decoys(linked: LinkedExample, removal: Removal, right: Cut, draw: Random, most: int) -> Iterator[Cut]:
    """Yield the cuts that would be made if other words were the target; no two cuts touch the same sentence."""
    article = linked.article
    sentences_cut = right.last - right.first + 1
    wanted = min(most, max(1, len(article.sentences) // (_MOST_FOR_DECOYS * sentences_cut)))
    taken = right.touches(article)
    for spot in _spots(linked, draw, _TRIES * wanted):
        cut = spot.cut(article, removal, draw) if wanted else None
        if cut is not None and taken.isdisjoint(touched := cut.touches(article)):
            taken |= touched
            wanted -= 1
            yield cut


def _spots(linked: LinkedExample, draw: Random, most: int) -> Iterator[_Spot]:
    """Yield other words that could be the target, drawn at random: links, then runs as long as the mention.

    The right spot was a link, too. So right and wrong spots look alike, in any language.
    """
    article = linked.article
    links = [(index, link) for index, section in enumerate(article.sections) for link in section.links]
    for index, link in _some(links, draw, most):
        sentence = _sentence_at(article.sections[index], link.start, link.end)
        if sentence is not None:
            yield _Spot(index, sentence, Span(link.start, link.end))
    length = max(1, len(word_spans(linked.section.text, linked.mention.start, linked.mention.end)))
    starts = first_numbers(article)
    for number in _some(range(len(article.sentences)), draw, most):
        index, sentence_there = article.sentences[number]
        words = word_spans(article.sections[index].text, sentence_there.start, sentence_there.end)
        if len(words) >= length:
            first = draw.randrange(len(words) - length + 1)
            run = Span(words[first].start, words[first + length - 1].end)
            yield _Spot(index, number - starts[index], run)


def _some(everything: Sequence[_T], draw: Random, most: int) -> list[_T]:
    return draw.sample(everything, min(len(everything), most))


def _sentence_at(section: Section, start: int, end: int) -> int | None:
    """Return the index of the sentence that holds the whole range; nothing if no sentence does."""
    index = bisect_right(section.sentences, start, key=lambda sentence: sentence.start) - 1
    return index if index >= 0 and end <= section.sentences[index].end else None
