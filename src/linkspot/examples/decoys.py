"""Decoys: other places of a page where the same is removed as at the right place, so that nothing marks the answer."""

from collections.abc import Iterator
from random import Random

from linkspot.examples.cuts import Cut, first_numbers
from linkspot.examples.linked_example import LinkedExample
from linkspot.examples.removal_spots import Removal, RemovalSpot, random_spots, words_in
from linkspot.records import Article

_MOST_FOR_DECOYS = 4  # where decoys are few, they take at most one sentence in four
_TRIES = 8  # spots to try for each of few decoys
_KEPT = 2  # sentences between two removals: each of them stands at one seam


def some_decoys(linked: LinkedExample, removal: Removal, right: Cut, draw: Random, most: int) -> tuple[Cut, ...]:
    """Return the cuts that would be made if other words were the target, at a few places; most of the page stays.

    No two cuts touch the same sentence.
    """
    article = linked.article
    if not most:
        return ()
    sentences_cut = right.last - right.first + 1
    wanted = min(most, max(1, len(article.sentences) // (_MOST_FOR_DECOYS * sentences_cut)))
    taken = right.touches(article)
    cuts: list[Cut] = []
    for spot in random_spots(article, linked.word_count, draw, _TRIES * wanted):
        cut = spot.cut(article, removal, draw) if len(cuts) < wanted else None
        if cut is not None and taken.isdisjoint(touched := cut.touches(article)):
            taken |= touched
            cuts.append(cut)
    return tuple(cuts)


def all_decoys(
    linked: LinkedExample, removal: Removal, right: Cut, naming: frozenset[int], draw: Random
) -> tuple[Cut, ...]:
    """Return cuts after which every other place looks like the right one, as far as they fit.

    Where a mention is removed, every other sentence loses words, too. Where sentences are removed, as many are removed
    after every two that stay. What names the target (`naming`) stays: nobody knows whether it is wrong.
    """
    article = linked.article
    spots = _each_sentence(linked, right, draw) if removal is Removal.MENTION else _each_seam(article, right, draw)
    starts = first_numbers(article)
    return tuple(
        cut
        for cut in spots
        if naming.isdisjoint(range(starts[cut.section] + cut.first, starts[cut.section] + cut.last + 1))
    )


def _each_sentence(linked: LinkedExample, right: Cut, draw: Random) -> Iterator[Cut]:
    """Yield the removal of words from every sentence but the right one."""
    for index, section in enumerate(linked.article.sections):
        for sentence in range(len(section.sentences)):
            if (index, sentence) == (right.section, right.first):
                continue
            words = words_in(section, sentence, linked.word_count, draw)
            cut = RemovalSpot(index, sentence, words).cut(linked.article, Removal.MENTION, draw)
            if cut is not None:
                yield cut


def _each_seam(article: Article, right: Cut, draw: Random) -> Iterator[Cut]:
    """Yield removals of as many sentences as at the right place, so that every sentence that stays is beside one."""
    length = right.last - right.first + 1
    for index, section in enumerate(article.sections):
        count = len(section.sentences)
        own = min(length, count - 1)
        if own < 1:
            continue
        one = right.first if index == right.section else draw.randrange(count - own + 1)
        for first, last in _runs(count, own, one % (own + _KEPT)):
            cut = Cut(index, first, last)
            if cut != right:
                yield cut


def _runs(count: int, length: int, phase: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last of runs of `length` sentences that begin at the phase, with two between two runs.

    Of what is left before the first run and behind the last one, all but the sentence beside it is a run, too.
    """
    firsts = range(phase, count - length + 1, length + _KEPT)
    if not firsts:
        return
    if phase > 1:
        yield 0, phase - 2
    for first in firsts:
        yield first, first + length - 1
    rest = firsts[-1] + length
    if count - rest > 1:
        yield rest + 1, count - 1
