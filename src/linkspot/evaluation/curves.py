"""Curves: how figures depend on a number that every query has, such as the candidates of its page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from linkspot.evaluation.figures import Figure, Figures, Metric
from linkspot.metrics.averages import Average
from linkspot.metrics.metrics import expected_hits_of_chance, expected_reciprocal_rank_of_chance
from linkspot.metrics.rankings import Floats, Ints
from linkspot.metrics.slices import OVERALL

#: The first number of each range; a range ends before the next one begins, and the last one is open.
PAGE_LENGTHS = (1, 6, 11, 21, 51, 101, 201, 501, 1001)
MENTIONS = (0, 1, 2, 3, 6, 11)
#: What a random order is expected to reach, where there is a formula for it.
_CHANCE: dict[Metric, Callable[[Ints, Ints], Floats]] = {
    Metric.HITS_AT_1: lambda candidates, gold: expected_hits_of_chance(candidates, gold, 1),
    Metric.MRR: expected_reciprocal_rank_of_chance,
    Metric.HITS_AT_3: lambda candidates, gold: expected_hits_of_chance(candidates, gold, 3),
    Metric.HITS_AT_5: lambda candidates, gold: expected_hits_of_chance(candidates, gold, 5),
}


@dataclass(frozen=True, slots=True)
class Point:
    """A range of numbers, and the figures of the queries in it: every query counts alike."""

    name: str
    queries: int
    figures: dict[tuple[str, Metric], Figure]  # by ranker and metric
    chance: dict[Metric, float]


def curve(figures: Figures, numbers: Ints, firsts: Sequence[int], metrics: Sequence[Metric]) -> list[Point]:
    """Return a point for each range that has queries with a right place."""
    judged = figures.queries(OVERALL)
    range_of = np.searchsorted(firsts, numbers[judged], "right") - 1
    points = []
    for index, name in enumerate(_names(firsts)):
        queries = judged[range_of == index]
        if len(queries):
            points.append(_point(figures, name, queries, metrics))
    return points


def _point(figures: Figures, name: str, queries: Ints, metrics: Sequence[Metric]) -> Point:
    values_of = {
        (ranker, metric): figure
        for ranker, values in figures.values.items()
        for metric in metrics
        if (figure := figures.mean(values[metric], queries, Average.MICRO))
    }
    candidates, gold = figures.evaluation.candidates[queries], figures.evaluation.gold.lengths[queries]
    chance = {metric: float(_CHANCE[metric](candidates, gold).mean()) for metric in metrics if metric in _CHANCE}
    return Point(name, len(queries), values_of, chance)


def _names(firsts: Sequence[int]) -> list[str]:
    names = [f"{first:,}" if after == first + 1 else f"{first:,}–{after - 1:,}" for first, after in pairwise(firsts)]
    return [*names, f"{firsts[-1]:,}+"]
