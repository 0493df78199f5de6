"""Okapi BM25 as the package rank_bm25 computes it, for comparisons with figures that were made with it."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

K1, B, EPSILON = 1.5, 0.75, 0.25  # the package's own values


class OkapiIndex:
    """An index of texts, given as their words, that scores them for one query after another.

    A text's score is the sum over the query's words of
    idf · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / mean length)), with
    idf = ln((texts − df + ½) / (df + ½)). A word of more than half of the texts would have an idf below 0; it gets
    ε times the mean idf instead, which is below 0 itself where most words stand in most texts.
    """

    def __init__(self, documents: Sequence[Sequence[str]], k1: float = K1, b: float = B, epsilon: float = EPSILON):
        self._size = len(documents)
        mean = sum(map(len, documents)) / max(1, self._size) or 1.0
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, document in enumerate(documents):
            damping = k1 * (1 - b + b * len(document) / mean)
            for word, count in Counter(document).items():
                self._postings[word].append((number, count * (k1 + 1) / (count + damping)))
        self._idf = self._floored(epsilon)

    def _floored(self, epsilon: float) -> dict[str, float]:
        frequencies = {word: len(texts) for word, texts in self._postings.items()}
        idf = {word: math.log(self._size - df + 0.5) - math.log(df + 0.5) for word, df in frequencies.items()}
        floor = epsilon * sum(idf.values()) / max(1, len(idf))
        return {word: floor if value < 0 else value for word, value in idf.items()}

    def scores(self, query: Sequence[str]) -> list[float]:
        """Return one score for each text: 0 where it shares no word with the query."""
        scores = [0.0] * self._size
        for word, times in Counter(query).items():
            for number, share in self._postings.get(word, ()):
                scores[number] += times * self._idf[word] * share
        return scores
