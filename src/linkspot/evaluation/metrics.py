"""Metrics of one query: how high its right candidates stand. Ties count against the ranker.

A query's *order* says for each place of the ranking, from the first on, whether a right candidate stands there. Where
scores are equal, wrong candidates stand first. A query without a right candidate scores 0 in every metric.
"""

import math
from collections.abc import Collection, Sequence

Order = list[bool]


def order_of(scores: Sequence[float], gold: Collection[int]) -> Order:
    """Return the order that the scores of all candidates give; `gold` are the numbers of the right ones."""
    if any(math.isnan(score) for score in scores):
        raise ValueError("a score that is no number cannot be ranked")
    ranked = sorted(range(len(scores)), key=lambda number: (-scores[number], number in gold))
    return [number in gold for number in ranked]


def rank(order: Order) -> int | None:
    """Return the place of the first right candidate, counted from 1, or None if there is none."""
    return order.index(True) + 1 if True in order else None


def hits_at(order: Order, k: int) -> float:
    """Return 1 if a right candidate is among the first k, else 0."""
    return float(any(order[:k]))


def reciprocal_rank(order: Order) -> float:
    """Return 1 / rank of the first right candidate; its mean over queries is MRR."""
    first = rank(order)
    return 1 / first if first else 0.0


def ndcg(order: Order) -> float:
    """Return DCG / DCG of the best order, with DCG = Σ right(place) / log2(place + 1) over all places."""
    found = sum(1 / math.log2(place + 1) for place, is_right in enumerate(order, start=1) if is_right)
    best = sum(1 / math.log2(place + 1) for place in range(1, sum(order) + 1))
    return found / best if best else 0.0


def expected_hits_of_chance(candidates: int, gold: int) -> float:
    """Return the Hits@1 that a random order is expected to reach: gold / candidates."""
    return gold / candidates if candidates else 0.0
