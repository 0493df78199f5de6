"""Calibration: whether places that a ranker gives a probability of p are right in a share p of the queries."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from linkspot.metrics.rankings import Floats, Lists, Ranking

BINS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """What a ranker thinks of Q queries: how likely its best place is right, and how likely no place is. (Q,) each."""

    best: Floats
    nowhere: Floats

    @classmethod
    def of(cls, ranking: Ranking) -> "Probabilities":
        """Return p_i = exp(s_i − nowhere) / (1 + Σ exp(s_j − nowhere)) of the best place, and 1 / (1 + Σ …).

        On a page without places, *nowhere* has the probability 1.
        """
        if not ranking.are_logits:
            raise ValueError("only logits give probabilities; the scores of this ranker are not logits")
        scores = ranking.scores
        highest = scores.reduce(np.maximum, -np.inf) - ranking.nowhere
        top = np.maximum(highest, 0)  # subtracted from every exponent, so that none overflows
        shifts = np.repeat(ranking.nowhere + top, scores.lengths)
        rest = Lists(np.exp(scores.values - shifts), scores.starts).reduce(np.add, 0.0)
        total = np.exp(-top) + rest
        return cls(np.exp(highest - top) / total, np.exp(-top) / total)


@dataclass(frozen=True, slots=True)
class Bin:
    """Queries with similar probabilities: how many, the mean of what the ranker said, and the share that was right."""

    low: float
    high: float
    queries: int
    said: float
    right: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """What a ranker said against what was right, in bins of equal width; empty bins are left out."""

    bins: tuple[Bin, ...]

    @classmethod
    def of(cls, said: Floats, is_right: npt.NDArray[np.generic]) -> "Reliability":
        """Sort queries into bins by the probability that the ranker gave."""
        number = np.minimum((said * BINS).astype(np.int64), BINS - 1)
        counts = np.bincount(number, minlength=BINS)
        sums = (np.bincount(number, values, BINS) for values in (said, is_right.astype(np.float64)))
        means = (total / np.maximum(counts, 1) for total in sums)
        return cls(
            tuple(
                Bin(index / BINS, (index + 1) / BINS, int(count), float(mean), float(share))
                for index, (count, mean, share) in enumerate(zip(counts, *means, strict=True))
                if count
            )
        )

    @property
    def queries(self) -> int:
        """How many queries all bins have together."""
        return sum(part.queries for part in self.bins)

    @property
    def error(self) -> float:
        """The expected calibration error: Σ queries / all · |share that was right − mean of what was said|."""
        return sum(part.queries * abs(part.right - part.said) for part in self.bins) / max(self.queries, 1)


#: By ranker: of its best places, and of *nowhere*.
Reliabilities = dict[str, tuple[Reliability, Reliability]]
