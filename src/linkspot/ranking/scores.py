"""Scores: what a ranker answers about a page and a target."""

from collections.abc import Sequence
from dataclasses import dataclass

_TIE_BREAK = 1e-9


@dataclass(frozen=True, slots=True)
class Scores:
    """One score for each candidate of an article, in the article's order, and what *nowhere* scores.

    A place that scores no more than *nowhere* is one where the ranker sees no reason for the link. If `are_logits`, a
    softmax over the places and *nowhere* gives their probabilities.
    """

    places: tuple[float, ...]
    nowhere: float
    are_logits: bool = False

    def some(self, numbers: Sequence[int]) -> "Scores":
        """Return the scores of the candidates with these numbers, in this order."""
        return Scores(tuple(self.places[number] for number in numbers), self.nowhere, self.are_logits)


def earlier_first(scores: Sequence[float]) -> tuple[float, ...]:
    """Return scores, each a little less than before, by its place in the page.

    Of equal places the earlier one is better then: readers want the link at the first mention.
    """
    return tuple(score * (1 - _TIE_BREAK * rank) for rank, score in enumerate(scores))
