"""BM25: how well the words of a query match each text of a page."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from linkspot.text.words import words

_BEGINNING = 5  # letters


def terms(text: str, language: str) -> list[str]:
    """Return the words, and the beginnings of long ones, so that inflected forms match in any language."""
    tokens = []
    for word in words(text, language):
        tokens.append(word)
        if len(word) > _BEGINNING:
            tokens.append(word[:_BEGINNING])
    return tokens


class WordIndex:
    """An index of texts, given as their terms, that scores them for one query after another.

    A text's score is the sum over the query's terms of idf · tf / (tf + k1 · (1 − b + b · length / mean length)), with
    idf = ln(1 + (texts − df + ½) / (df + ½)).
    """

    def __init__(self, documents: Sequence[Sequence[str]], k1: float = 1.5, b: float = 0.75) -> None:
        self._size = len(documents)
        mean = sum(map(len, documents)) / max(1, self._size) or 1.0
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, document in enumerate(documents):
            damping = k1 * (1 - b + b * len(document) / mean)
            for term, count in Counter(document).items():
                self._postings[term].append((number, count / (count + damping)))

    def scores(self, query: Sequence[str]) -> list[float]:
        """Return one score for each text: 0 where it shares no term with the query."""
        scores = [0.0] * self._size
        for term, times in Counter(query).items():
            weight = times * self.idf(term)
            for number, share in self._postings.get(term, ()):
                scores[number] += weight * share
        return scores

    def idf(self, term: str) -> float:
        """Return the term's inverse document frequency; a term that no text has gets the highest."""
        frequency = len(self._postings.get(term, ()))
        return math.log1p((self._size - frequency + 0.5) / (frequency + 0.5))
