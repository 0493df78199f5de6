"""How sure a ranker is: from scores against *nowhere* to probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_AS_LIKELY_AS_NOT = 0.5
_DOUBTFUL = 0.25


@dataclass(frozen=True, slots=True)
class Confidence:
    """How likely each candidate of a page is the right place, and how likely none is; together they are 1."""

    places: tuple[float, ...]
    nowhere: float

    @classmethod
    def of(cls, logits: Sequence[float], nowhere: float = 0.0) -> "Confidence":
        """Return the softmax of the candidates' logits and that of *nowhere*."""
        together = np.array([*logits, nowhere])
        weights = np.exp(together - together.max())
        *places, none = (weights / weights.sum()).tolist()
        return cls(tuple(places), none)

    def without(self, closed: frozenset[int]) -> "Confidence":
        """Return the same if these candidates cannot be places: the other ones share what they had.

        How likely the page has no place stays as it is, since that is about the page as a whole.
        """
        open_places = [0.0 if number in closed else place for number, place in enumerate(self.places)]
        left = sum(open_places)
        share = (1 - self.nowhere) / left if left else 0.0
        return Confidence(tuple(share * place for place in open_places), self.nowhere) if closed else self

    @property
    def says_nowhere(self) -> bool:
        """Whether the link more likely belongs nowhere in the page than somewhere in it."""
        return self.nowhere >= _AS_LIKELY_AS_NOT

    @property
    def is_doubtful(self) -> bool:
        """Whether the link more likely belongs somewhere in the page, but may well belong nowhere."""
        return _DOUBTFUL <= self.nowhere < _AS_LIKELY_AS_NOT
