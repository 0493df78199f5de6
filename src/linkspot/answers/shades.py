"""Shades: how strongly the web page of an answer colours each sentence."""

from bisect import bisect_right
from dataclasses import dataclass

from linkspot.answers.answer import Answer

#: The probabilities from which on a sentence has the next darker shade; the same in every answer.
STEPS = (0.02, 0.05, 0.1, 0.25, 0.5)
_EQUAL = 1e-3  # scores that differ by a smaller share say nothing; some rankers break ties by less


@dataclass(frozen=True, slots=True)
class Shades:
    """One level for each candidate of a page, from 0 (no shade) to 5, and whether it tells a probability.

    Levels that tell no probability run from the page's lowest score to its highest.
    """

    levels: tuple[int, ...]
    are_probabilities: bool

    @classmethod
    def of(cls, answer: Answer) -> "Shades":
        """Return the shades of an answer; where nothing fits and nobody knows how likely it is, nothing is shaded."""
        if answer.probabilities:
            return cls(tuple(map(level, answer.probabilities)), are_probabilities=True)
        if answer.is_nowhere:
            return cls((0,) * len(answer.scores), are_probabilities=False)
        return cls(_relative_levels(answer), are_probabilities=False)


def level(probability: float) -> int:
    """Return the level of a probability."""
    return bisect_right(STEPS, probability)


def _relative_levels(answer: Answer) -> tuple[int, ...]:
    scores = [score for number, score in enumerate(answer.scores) if number not in answer.closed]
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    if high - low <= _EQUAL * abs(high):
        return (0,) * len(answer.scores)
    return tuple(
        0 if number in answer.closed else round(len(STEPS) * (score - low) / (high - low))
        for number, score in enumerate(answer.scores)
    )
