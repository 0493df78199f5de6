"""Significance: how sure a figure is, and whether two rankers differ by more than chance, on the same queries.

The figure is a mean over queries in groups, such as languages; `Average` says what counts alike in it. All draws
follow from the seed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from linkspot.metrics.averages import Average, Floats, Strata

DRAWS = 10_000
INTERVAL_DRAWS = 2_000  # the ends of a 95 % interval need fewer draws than a small p, and a table has many
_BLOCK = 1 << 22  # numbers that are drawn at once: 32 MB
_ROUNDING = 1e-10  # of a sum's terms: what is nearer to the observed figure is a tie with it


@dataclass(frozen=True, slots=True)
class Interval:
    """The range in which to expect a figure for other queries of the same kind."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rankers on the same queries: a's figure less b's, and how often chance alone gives as large a difference.

    `p_corrected` takes into account how many pairs were compared along with this one.
    """

    a: str
    b: str
    difference: float
    p: float
    p_corrected: float


def interval(
    values: npt.ArrayLike,
    groups: npt.ArrayLike,
    *,
    seed: int,
    level: float = 0.95,
    draws: int = INTERVAL_DRAWS,
    average: Average = Average.MACRO,
) -> Interval:
    """Return the bootstrap percentile interval of a mean, with queries drawn again inside each group.

    For the difference between two rankers, pass the differences of their values. A group of one query
    adds nothing to the width.
    """
    if not 0 < level < 1:
        raise ValueError(f"the level of an interval must be between 0 and 1, not {level}")
    strata, random = Strata.of(groups, average), np.random.default_rng(seed)
    means = np.zeros(_checked(draws))
    for share, inside in zip(strata.shares, strata.split(values), strict=True):
        means += share * _resampled_means(inside, draws, random)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(low, high)


def p_value(
    values_a: npt.ArrayLike,
    values_b: npt.ArrayLike,
    groups: npt.ArrayLike,
    *,
    seed: int,
    draws: int = DRAWS,
    average: Average = Average.MACRO,
) -> float:
    """Return the two-sided p of a paired randomisation test: (1 + draws with |difference| ≥ observed) / (1 + draws).

    In each draw the two rankers swap their values on about half of the queries, as if they were equally good.
    """
    return paired({"a": values_a, "b": values_b}, groups, seed=seed, draws=draws, average=average)[0].p


def paired(
    values_by_ranker: Mapping[str, npt.ArrayLike],
    groups: npt.ArrayLike,
    *,
    seed: int,
    draws: int = DRAWS,
    average: Average = Average.MACRO,
    against: str = "",
    rivals: Mapping[str, str] | None = None,
) -> list[Comparison]:
    """Compare all pairs of rankers in the given order, with p-values corrected for the number of pairs.

    `against` leaves only the pairs with that ranker, `rivals` only each of its rankers with the one it maps to. A
    pair's p is that of `p_value`, whatever the other rankers are.
    """
    strata = Strata.of(groups, average)
    values = {name: strata.check(array) for name, array in values_by_ranker.items()}
    pairs = [pair for pair in combinations(values, 2) if not against or against in pair]
    if rivals is not None:
        pairs = [(a, b) for a, b in pairs if rivals.get(a) == b or rivals.get(b) == a]
    if not pairs:
        return []
    differences = np.stack([values[a] - values[b] for a, b in pairs], axis=1)  # (Q, P)
    ps = _randomised(differences * strata.weights[:, np.newaxis], _checked(draws), seed)
    return [
        Comparison(a, b, strata.mean(values[a]) - strata.mean(values[b]), p, corrected)
        for (a, b), p, corrected in zip(pairs, ps.tolist(), holm(ps).tolist(), strict=True)
    ]


def holm(p_values: Sequence[float] | Floats) -> Floats:
    """Return p-values corrected for their number m by Holm–Bonferroni, in the order given.

    The i-th smallest becomes the largest of (m − j + 1) · p_j for j ≤ i, at most 1.
    """
    ps = np.asarray(p_values, np.float64)
    if not ((ps >= 0) & (ps <= 1)).all():
        raise ValueError("all p-values must be between 0 and 1")
    order = np.argsort(ps, kind="stable")
    corrected = np.empty(len(ps))
    corrected[order] = np.maximum.accumulate(ps[order] * np.arange(len(ps), 0, -1)).clip(max=1)
    return corrected


def _checked(draws: int) -> int:
    if draws < 1:
        raise ValueError(f"at least 1 draw is needed, not {draws:,}")
    return draws


def _resampled_means(values: Floats, draws: int, random: np.random.Generator) -> Floats:
    """Return the means of as many values, drawn with replacement, once for each draw."""
    # Metrics of ranks take few distinct values. How often each of them is drawn follows a multinomial distribution,
    # which is the same as drawing query by query and takes far less time.
    distinct, counts = np.unique(values, return_counts=True)
    size = len(values)
    means = [
        random.multinomial(size, counts / size, size=rows) @ distinct / size for rows in _blocks(draws, len(distinct))
    ]
    return np.concatenate(means)


def _randomised(differences: Floats, draws: int, seed: int) -> Floats:
    """Return p for each of P sums over Q differences, whose signs chance could have flipped. (Q, P) → (P,)."""
    queries, random = len(differences), np.random.default_rng(seed)
    total = differences.sum(axis=0)  # (P,)
    least = np.abs(total) - _ROUNDING * np.abs(differences).sum(axis=0)
    extreme = np.zeros(len(total), np.int64)
    width = -(-queries // 64) * 8  # bytes of a draw; whole words, so that blocks of any size draw the same
    for rows in _blocks(draws, queries):
        bits = np.frombuffer(random.bytes(rows * width), np.uint8).reshape(rows, width)
        flips = np.unpackbits(bits, axis=1, count=queries).astype(np.float64)  # (rows, Q)
        extreme += (np.abs(total - 2 * (flips @ differences)) >= least).sum(axis=0)
    return (extreme + 1) / (draws + 1)


def _blocks(draws: int, numbers: int) -> Iterator[int]:
    """Yield how many draws to make at once, if each takes this many numbers."""
    rows = max(1, _BLOCK // numbers)
    for start in range(0, draws, rows):
        yield min(rows, draws - start)
