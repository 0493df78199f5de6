"""Marks: which figures of a column differ by more than chance from that which they are compared with."""

from collections.abc import Mapping, Sequence

from linkspot.metrics.significance import Comparison

BETTER, WORSE = "†", "*"
LEVEL = 0.05


def marks(means: Mapping[str, float], pairs: Sequence[Comparison], against: str = "") -> dict[str, str]:
    """Return marks by ranker: better or worse than the one named, or else, for the best, than the best of the others.

    A difference counts if its p, corrected for the number of pairs, is below the level.
    """
    order = sorted(means, key=means.__getitem__, reverse=True)
    if against:
        rivals = {ranker: against for ranker in order if ranker != against}
    else:
        rivals = dict([order[:2]]) if len(order) > 1 else {}
    found = {ranker: _sign(ranker, rival, pairs) for ranker, rival in rivals.items()}
    return {ranker: mark for ranker, mark in found.items() if mark}


def _sign(ranker: str, other: str, pairs: Sequence[Comparison]) -> str:
    for pair in pairs:
        if {pair.a, pair.b} == {ranker, other} and pair.p_corrected < LEVEL:
            return BETTER if (pair.difference > 0) == (pair.a == ranker) else WORSE
    return ""
