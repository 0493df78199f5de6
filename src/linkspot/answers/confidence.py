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

    @property
    def says_nowhere(self) -> bool:
        """Whether the link more likely belongs nowhere in the page than somewhere in it."""
        return self.nowhere >= _AS_LIKELY_AS_NOT

    @property
    def is_doubtful(self) -> bool:
        """Whether the link more likely belongs somewhere in the page, but may well belong nowhere."""
        return _DOUBTFUL <= self.nowhere < _AS_LIKELY_AS_NOT
