"""Rankings as arrays: the scores of many queries, one after another."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lists:
    """Lists of numbers one after another: list i is values[starts[i] : starts[i + 1]]."""

    values: npt.NDArray[Any]  # (N,)
    starts: Ints  # (lists + 1,)

    @cached_property
    def lengths(self) -> Ints:
        """How long each list is."""
        return np.diff(self.starts)

    def of(self, numbers: Ints) -> "Lists":
        """Return some of the lists."""
        parts = [self.values[self.starts[number] : self.starts[number + 1]] for number in numbers]
        starts = np.concatenate([[0], np.cumsum(self.lengths[numbers], dtype=np.int64)])
        return Lists(np.concatenate([self.values[:0], *parts]), starts)

    def reduce(self, join: np.ufunc, empty: float) -> Floats:
        """Return the sum, the maximum or the like of each list, and `empty` for a list without numbers."""
        results = np.full(len(self.lengths), empty, np.float64)
        filled = self.lengths > 0
        if filled.any():
            # What lies between two starts of filled lists is the first of them, since empty ones hold nothing.
            results[filled] = join.reduceat(self.values, self.starts[:-1][filled])
        return results


@dataclass(frozen=True, eq=False)
class Ranking:
    """What one ranker gave to the candidates of every query, and the score above which it suggests a place."""

    scores: Lists
    nowhere: Floats  # (Q,)
    are_logits: bool = False  # scores less `nowhere` are logits of the places against nowhere
    given: str = ""  # the form in which the ranker got the candidates, if it was not the page as people read it

    def of(self, queries: Ints) -> "Ranking":
        """Return what it gave to some of the queries."""
        return replace(self, scores=self.scores.of(queries), nowhere=self.nowhere[queries])

    @cached_property
    def says_nowhere(self) -> Bools:
        """Whether every score of a query is at or below `nowhere`; of logits, whether their odds together are. (Q,)."""
        join = np.logaddexp if self.are_logits else np.maximum
        is_nowhere: Bools = self.scores.reduce(join, -np.inf) <= self.nowhere
        return is_nowhere
