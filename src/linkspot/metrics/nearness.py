"""Nearness: what an editor feels of a ranking, who reads on from the best place: how far is it from a right one?

Each is 1 or 0 for each query. Of places that share the highest score the farthest counts, as ties count against the
ranker; a query without a right place scores 0.
"""

from collections.abc import Iterator

import numpy as np

from linkspot.metrics.rankings import Floats, Ints, Lists


def near_best(scores: Lists, gold: Lists, reach: int) -> Floats:
    """Return whether the best place is at most so many sentences away from a right one."""
    values = np.zeros(len(scores.lengths))
    for number, best, right in _answered(scores, gold):
        values[number] = np.abs(best[:, None] - right[None]).min(axis=1).max() <= reach
    return values


def best_in_section(scores: Lists, gold: Lists, sections: Lists) -> Floats:
    """Return whether the best place is in a section with a right one; `sections` has each section's sentences."""
    values = np.zeros(len(scores.lengths))
    for number, best, right in _answered(scores, gold):
        ends = np.cumsum(_one(sections, number))
        places, answers = (np.searchsorted(ends, numbers, side="right") for numbers in (best, right))
        values[number] = np.isin(places, answers).all()
    return values


def _answered(scores: Lists, gold: Lists) -> Iterator[tuple[int, Ints, Ints]]:
    """Yield the number of each query that has a right place, its best places, and the right ones."""
    for number in np.flatnonzero(gold.lengths).tolist():
        own = _one(scores, number)
        yield number, np.flatnonzero(own == own.max()), _one(gold, number)


def _one(lists: Lists, number: int) -> Ints:
    return lists.values[lists.starts[number] : lists.starts[number + 1]]
