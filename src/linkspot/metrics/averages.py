"""Averages over many queries: micro inside a group, such as a language, and macro over groups."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Average(StrEnum):
    """What counts alike in a figure over all queries."""

    MACRO = "macro"  # every group, large or small: the mean of their means
    MICRO = "micro"  # every query


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Q queries in G groups, and the share that each group has in a figure over all."""

    number: Ints  # (Q,) of each query's group
    sizes: Ints  # (G,) how many queries each group has
    shares: Floats  # (G,) they sum to 1

    @classmethod
    def of(cls, groups: npt.ArrayLike, average: Average = Average.MACRO) -> "Strata":
        """Sort queries into groups, given the name of each query's group."""
        names = np.asarray(groups)
        if names.ndim != 1 or not len(names):
            raise ValueError(f"expected the group of each query, in one dimension, not an array of {names.shape}")
        _, number, sizes = np.unique(names, return_inverse=True, return_counts=True)
        alike = sizes if average is Average.MICRO else np.ones(len(sizes))
        return cls(number, sizes, alike / alike.sum())

    @property
    def weights(self) -> Floats:
        """The weight of each query in the figure over all; they sum to 1."""
        return (self.shares / self.sizes)[self.number]

    def check(self, values: npt.ArrayLike) -> Floats:
        """Return the values as an array if there is one for each query and all are numbers."""
        array = np.asarray(values, np.float64)
        if array.shape != self.number.shape:
            raise ValueError(f"there are {array.shape} values for {len(self.number):,} queries; one for each is needed")
        if np.isnan(array).any():
            raise ValueError(f"the value of query {int(np.isnan(array).argmax()):,} is not a number")
        return array

    def split(self, values: npt.ArrayLike) -> list[Floats]:
        """Return the values of each group."""
        by_group = self.check(values)[np.argsort(self.number, kind="stable")]
        return np.split(by_group, np.cumsum(self.sizes)[:-1])

    def mean(self, values: npt.ArrayLike) -> float:
        """Return Σ share · mean of the group's values."""
        sums = np.bincount(self.number, self.check(values))
        return float(self.shares @ (sums / self.sizes))


def mean(values: npt.ArrayLike, groups: npt.ArrayLike, average: Average = Average.MACRO) -> float:
    """Return the mean over groups of the means inside them, or the plain mean over all queries."""
    return Strata.of(groups, average).mean(values)
