"""Metrics: how high the right candidates of each query stand. Ties count against the ranker.

Everything is computed for many queries at once; a single query is a batch of one. Every metric is a number from 0 to
1 for each query; a query without a right candidate scores 0 in all of them.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
ScoreArray = npt.NDArray[np.floating]

_BLOCK = 1 << 18  # comparisons of scores at once: they stay in the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class RightRanks:
    """The ranks of the right candidates of Q queries, from 1 on, ascending inside a query; N in all.

    Those of query q are ``ranks[starts[q]:starts[q + 1]]``.
    """

    ranks: Ints  # (N,)
    starts: Ints  # (Q + 1,)

    def __post_init__(self) -> None:
        counts = _lengths(self.ranks, self.starts, "rank")
        above = np.concatenate([[0], self.ranks[:-1]])  # (N,) the rank before, or 0 for a query's first
        above[self.starts[:-1][counts > 0]] = 0
        if not (self.ranks > above).all():
            raise ValueError("the ranks of a query start at 1 or later and ascend; these do not")

    @classmethod
    def of(cls, queries: Iterable[tuple[Sequence[float] | ScoreArray, Collection[int]]]) -> "RightRanks":
        """Rank the candidates of queries, each given as the scores of all and the numbers of the right ones."""
        scores, gold = [np.empty(0)], [np.empty(0, np.int64)]  # so that no queries at all can be joined too
        for candidates, right in queries:
            scores.append(np.asarray(candidates, np.float64))
            gold.append(np.fromiter(right, np.int64, len(right)))
        starts = (np.cumsum([len(numbers) for numbers in lists]) for lists in (scores, gold))
        return right_ranks(np.concatenate(scores), next(starts), np.concatenate(gold), next(starts))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def counts(self) -> Ints:
        """How many right candidates each query has."""
        return np.diff(self.starts)

    @property
    def first(self) -> Ints:
        """The rank of each query's first right candidate, or 0 if it has none."""
        ranks = np.zeros(len(self), np.int64)
        is_answered = self.counts > 0
        ranks[is_answered] = self.ranks[self.starts[:-1][is_answered]]
        return ranks


def right_ranks(
    scores: npt.ArrayLike, score_starts: npt.ArrayLike, gold: npt.ArrayLike, gold_starts: npt.ArrayLike
) -> RightRanks:
    """Rank the candidates of Q queries that stand one after another.

    Query q has the scores ``scores[score_starts[q]:score_starts[q + 1]]``, one per candidate, and its right ones are
    the numbers ``gold[gold_starts[q]:gold_starts[q + 1]]`` among them, from 0 on. A right candidate's rank is
    1 + the wrong ones that score as high as it or higher + the right ones that stand above it.
    """
    scores, gold = np.asarray(scores), np.asarray(gold, np.int64)
    scores = scores if np.issubdtype(scores.dtype, np.floating) else scores.astype(np.float64)
    score_starts, gold_starts = np.asarray(score_starts, np.int64), np.asarray(gold_starts, np.int64)
    lengths, counts = _lengths(scores, score_starts, "score"), _lengths(gold, gold_starts, "right candidate")
    if len(lengths) != len(counts):
        raise ValueError(f"there are scores for {len(lengths):,} queries, but right candidates for {len(counts):,}")
    _check_numbers(scores, score_starts)
    query = np.repeat(np.arange(len(counts)), counts)  # (N,)
    _check_gold(gold, query, lengths)
    position = score_starts[query] + gold  # (N,)
    is_wrong = np.ones(len(scores), np.bool_)
    is_wrong[position] = False
    if np.count_nonzero(is_wrong) != len(scores) - len(gold):
        raise ValueError("a right candidate is named twice in one query; each counts once")
    position = position[np.lexsort((-scores[position], query))]  # by query, the best first
    wrong_above = _wrong_above(scores, is_wrong, position, score_starts[query], lengths[query])
    return RightRanks(wrong_above + np.arange(1, len(gold) + 1) - gold_starts[query], gold_starts)


def hits_at(ranks: RightRanks, k: int) -> Floats:
    """Return for each query 1 if a right candidate is among the first k, else 0; its mean is Hits@k."""
    first = ranks.first
    return ((first >= 1) & (first <= k)).astype(np.float64)


def reciprocal_rank(ranks: RightRanks) -> Floats:
    """Return for each query 1 / the rank of its first right candidate; its mean is MRR."""
    first = ranks.first
    return np.divide(1.0, first, out=np.zeros(len(first)), where=first > 0)


def ndcg(ranks: RightRanks) -> Floats:
    """Return for each query DCG / DCG of the best order, with DCG = Σ 1 / log2(rank + 1) over its right candidates."""
    counts = ranks.counts
    query = np.repeat(np.arange(len(ranks)), counts)
    gains = np.bincount(query, 1 / np.log2(ranks.ranks + 1), len(ranks))
    best = np.cumsum(1 / np.log2(np.arange(2, counts.max(initial=0) + 2)))  # of 1, 2, … right candidates
    return np.divide(gains, best[counts - 1] if len(best) else 1.0, out=np.zeros(len(ranks)), where=counts > 0)


def expected_hits_of_chance(candidates: npt.ArrayLike, gold: npt.ArrayLike, k: int = 1) -> Floats:
    """Return the Hits@k of a random order of n candidates, g of them right: 1 − Π (n − g − i) / (n − i) for i < k.

    For Hits@1 that is g / n.
    """
    n, g = np.broadcast_arrays(np.asarray(candidates, np.int64), np.asarray(gold, np.int64))
    missed = np.ones(n.shape)
    for i in range(k):
        missed *= np.maximum(n - g - i, 0) / np.maximum(n - i, 1)
    return np.where(g > 0, 1 - missed, 0.0)


def expected_reciprocal_rank_of_chance(candidates: npt.ArrayLike, gold: npt.ArrayLike) -> Floats:
    """Return the reciprocal rank of a random order of n candidates, g of them right: Σ P(r) / r over ranks r.

    P(r) = g / (n − r + 1) · Π (n − g − i) / (n − i) for i < r − 1. With one right candidate that is (1 + 1/2 + … +
    1/n) / n.
    """
    n, g = np.broadcast_arrays(np.asarray(candidates, np.int64), np.asarray(gold, np.int64))
    # Pages of one size with as many right places have one expectation, and there are few such pairs.
    base = int(g.max(initial=0)) + 1
    pairs, which = np.unique(n * base + g, return_inverse=True)
    n, g = pairs // base, pairs % base
    expected, missed = np.zeros(len(pairs)), np.ones(len(pairs))
    for rank in range(1, int((n - g).max(initial=0)) + 2):
        left = np.maximum(n - rank + 1, 1)
        expected += missed * g / left / rank
        missed *= np.maximum(n - g - rank + 1, 0) / left
    return expected[which]


def _lengths(values: npt.NDArray[np.generic], starts: Ints, what: str) -> Ints:
    """Return how many values each query has."""
    lengths = np.diff(starts)
    if not (len(starts) and starts[0] == 0 and starts[-1] == len(values) and (lengths >= 0).all()):
        raise ValueError(f"the starts of {len(values):,} {what}s must ascend from 0 to their number")
    return lengths


def _check_numbers(scores: ScoreArray, starts: Ints) -> None:
    is_bad = np.isnan(scores)
    if is_bad.any():
        position = int(is_bad.argmax())
        query = int(np.searchsorted(starts, position, "right")) - 1
        where = f"candidate {position - starts[query]:,} of query {query:,}"
        raise ValueError(f"the score of {where} is not a number and cannot be ranked")


def _check_gold(gold: Ints, query: Ints, lengths: Ints) -> None:
    is_bad = (gold < 0) | (gold >= lengths[query])
    if is_bad.any():
        bad = int(is_bad.argmax())
        count = lengths[query[bad]]
        raise ValueError(f"query {query[bad]:,} has {count:,} candidates; number {gold[bad]:,} cannot be a right one")


def _wrong_above(scores: ScoreArray, is_wrong: npt.NDArray[np.bool_], right: Ints, first: Ints, length: Ints) -> Ints:
    """Return how many wrong candidates score at least as high as the right one at each of these indices.

    The right one's rivals, and itself, are the candidates from `first` on, `length` of them. (N,) each.
    """
    ends = np.cumsum(length)  # of comparisons
    above = np.empty(len(right), np.int64)
    begin = 0
    while begin < len(right):
        done = ends[begin] - length[begin]
        end = max(begin + 1, int(np.searchsorted(ends, done + _BLOCK, "right")))
        sizes = length[begin:end]
        starts = ends[begin:end] - sizes - done
        rival = np.arange(ends[end - 1] - done) + np.repeat(first[begin:end] - starts, sizes)
        is_above = (scores[rival] >= np.repeat(scores[right[begin:end]], sizes)) & is_wrong[rival]
        above[begin:end] = np.add.reduceat(is_above, starts, dtype=np.int64)
        begin = end
    return above
