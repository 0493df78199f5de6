"""Alignment: which sentence of a page's earlier version each sentence of the later one comes from."""

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from linkspot.insertions.matching import in_common, pairs, similarity
from linkspot.insertions.readings import Reading
from linkspot.text.words import words

# At least so similar, two sentences are one that was edited. For 8,840 changed sentences in 9,000 revisions of the
# OpenTTD wiki (de, fr, en), the similarity to the nearest old sentence in the same gap has two peaks: 37 % are below .2
# (other sentences), 46 % above .6 (edited ones); values between .3 and .5 are the rarest.
_SIMILAR = 0.4
# Sentences in different parts of the page must be more similar.
_SIMILAR_ELSEWHERE = 0.6
# Where new sentences replaced old ones, less is enough to pair the first with the first, and the last with the last.
_REWORDED = 0.25
_NEARLY_EQUAL = 0.8
# If this share of a new sentence's words stands in an old sentence, in the same order, it was split off from that one.
_PART = 0.7
_SHORTEST_PART = 3  # words
_MOST_PAIRS = 10_000  # of sentences to compare; a page with more changes than that was rewritten, not edited
_MOST_WORDS = 4_000_000  # in all these pairs; sentences have some 20 words


@dataclass(frozen=True)
class Alignment:
    """For each sentence of the later version, the number of the sentence that it was before, or None if it is new.

    If an old sentence was split, all its parts have the same origin. `reworded` maps new sentences to the old ones that
    they replaced: they share some words, but too few to call them the same sentence.
    """

    origins: tuple[int | None, ...]
    reworded: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def loose(self) -> "Alignment":
        """The alignment in which reworded sentences have origins, too."""
        return Alignment(tuple(self.reworded.get(new, origin) for new, origin in enumerate(self.origins)))

    @cached_property
    def kept(self) -> frozenset[int]:
        """The numbers of the old sentences that are still there, edited or not."""
        return frozenset(origin for origin in self.origins if origin is not None)

    @cached_property
    def in_order(self) -> frozenset[int]:
        """The numbers of the later sentences that were not moved: as many as possible, in the order they had before."""
        ends: list[tuple[int, int]] = []  # for each length of a sequence, origin and number of its best last sentence
        previous: dict[int, int | None] = {}
        for number, origin in enumerate(self.origins):
            if origin is not None:
                length = bisect_right(ends, (origin, number))
                previous[number] = ends[length - 1][1] if length else None
                ends[length : length + 1] = [(origin, number)]
        unmoved = []
        last = ends[-1][1] if ends else None
        while last is not None:
            unmoved.append(last)
            last = previous[last]
        return frozenset(unmoved)


def align(before: Sequence[Reading], after: Sequence[Reading], language: str) -> Alignment:
    """Pair the sentences of two versions: first the same ones in order, then moved ones, then edited ones."""
    pairing = _Pairing([reading.words for reading in before], [reading.words for reading in after], language)
    pairing.pair_same()
    pairing.pair_moved()
    pairing.pair_retouched()
    pairing.pair_edited()
    pairing.pair_moved_and_edited()
    pairing.pair_parts()
    return Alignment(tuple(pairing.origins), pairing.reworded())


class _Pairing:
    """The pairs of sentences so far; each step pairs what the steps before it left over."""

    def __init__(self, old: list[str], new: list[str], language: str) -> None:
        self.origins: list[int | None] = [None] * len(new)
        self._old, self._new = old, new
        self._taken: set[int] = set()
        self._language = language
        self._words: dict[str, list[str]] = {}

    def pair_same(self) -> None:
        """Pair equal sentences in the order of both."""
        for old_index, new_index in pairs(self._old, self._new):
            self._pair(old_index, new_index)

    def pair_moved(self) -> None:
        """Pair equal sentences wherever they stand."""
        free: defaultdict[str, deque[int]] = defaultdict(deque)
        for index in self._free_old(range(len(self._old))):
            free[self._old[index]].append(index)
        for index in self._free_new():
            if free[self._new[index]]:
                self._pair(free[self._new[index]].popleft(), index)

    def pair_retouched(self) -> None:
        """Pair sentences that are nearly equal wherever they stand."""
        self._pair_most_similar(self._free_old(range(len(self._old))), self._free_new(), _NEARLY_EQUAL)

    def pair_edited(self) -> None:
        """Pair the most similar sentences between the same neighbours, then sentences that were extended."""
        for olds, news in list(self._gaps()):
            self._pair_most_similar(self._free_old(olds), news, _SIMILAR)
        for olds, news in list(self._gaps()):
            self._pair_extended(self._free_old(olds), news)

    def reworded(self) -> dict[int, int]:
        """Return possible pairs, new to old: the first sentences between the same neighbours, and the last ones."""
        origins: dict[int, int] = {}
        taken: set[int] = set()
        for olds, news in self._gaps():
            free = self._free_old(olds)
            for old_index, new_index in ((free[0], news[0]), (free[-1], news[-1])) if free else ():
                old, new = self._words_of(self._old[old_index]), self._words_of(self._new[new_index])
                if old_index not in taken and new_index not in origins and similarity(old, new, _REWORDED):
                    origins[new_index] = old_index
                    taken.add(old_index)
        return origins

    def pair_moved_and_edited(self) -> None:
        """Pair sentences that are very similar wherever they stand."""
        self._pair_most_similar(self._free_old(range(len(self._old))), self._free_new(), _SIMILAR_ELSEWHERE)

    def pair_parts(self) -> None:
        """Give new sentences the origin of an edited neighbour if their words came from it."""
        for index in self._free_new():
            for neighbour in (index - 1, index + 1):
                origin = self.origins[neighbour] if 0 <= neighbour < len(self.origins) else None
                if origin is not None and self._old[origin] != self._new[neighbour] and self._holds(origin, index):
                    self.origins[index] = origin
                    break

    def _pair(self, old_index: int, new_index: int) -> None:
        self.origins[new_index] = old_index
        self._taken.add(old_index)

    def _free_old(self, indices: range) -> list[int]:
        return [index for index in indices if index not in self._taken]

    def _free_new(self) -> list[int]:
        return [index for index, origin in enumerate(self.origins) if origin is None]

    def _pair_most_similar(self, olds: list[int], news: list[int], least: float) -> None:
        if self._are_too_many(olds, news):
            return
        similar = sorted(
            (-share, old, new)
            for old in olds
            for new in news
            if (share := similarity(self._words_of(self._old[old]), self._words_of(self._new[new]), least))
        )
        for _, old, new in similar:
            if old not in self._taken and self.origins[new] is None:
                self._pair(old, new)

    def _are_too_many(self, olds: list[int], news: list[int]) -> bool:
        if len(olds) * len(news) > _MOST_PAIRS:
            return True
        old_words, new_words = (
            sum(len(self._words_of(texts[index])) for index in indices)
            for texts, indices in ((self._old, olds), (self._new, news))
        )
        return old_words * len(news) + new_words * len(olds) > _MOST_WORDS

    def _pair_extended(self, olds: list[int], news: list[int]) -> None:
        if self._are_too_many(olds, news):
            return
        for old_index in olds:
            for new_index in news:
                if self.origins[new_index] is None and self._is_extended(old_index, new_index):
                    self._pair(old_index, new_index)
                    break

    def _is_extended(self, old_index: int, new_index: int) -> bool:
        old, new = self._words_of(self._old[old_index]), self._words_of(self._new[new_index])
        if not old or self._new[new_index].startswith(self._old[old_index]):
            return bool(old)
        return len(old) >= _SHORTEST_PART and in_common(old, new) >= _PART * len(old)

    def _holds(self, old_index: int, new_index: int) -> bool:
        old, new = self._words_of(self._old[old_index]), self._words_of(self._new[new_index])
        return len(new) >= _SHORTEST_PART and in_common(old, new) >= _PART * len(new)

    def _words_of(self, sentence: str) -> list[str]:
        if sentence not in self._words:
            # Without its capitals a name like OpenTTD is one word, not three.
            self._words[sentence] = words(sentence.casefold(), self._language)
        return self._words[sentence]

    def _gaps(self) -> Iterator[tuple[range, list[int]]]:
        """Yield each run of new sentences, with the range of the old sentences between the same neighbours."""
        news: list[int] = []
        previous = -1
        for index, origin in enumerate([*self.origins, len(self._old)]):
            if origin is None:
                news.append(index)
                continue
            if news:
                yield range(previous + 1, max(previous + 1, origin)), news
                news = []
            previous = origin
