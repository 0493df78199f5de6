"""Significance marks: which figures of a column differ from the one they are compared with by more than chance."""

from collections.abc import Mapping, Sequence

from linkspot.metrics.significance import Comparison

BETTER, WORSE = "†", "*"
LEVEL = 0.05


def significance_marks(
    means: Mapping[str, float],
    pairs: Sequence[Comparison],
    against: str = "",
    rivals: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return marks by ranker: better or worse than `against`, or than its own rival if `rivals` are given.

    Without both, the mark says whether the best beats the second best. A difference counts if its p, corrected for the
    number of pairs, is below `LEVEL`.
    """
    order = sorted(means, key=means.__getitem__, reverse=True)
    if rivals is not None:
        rivals = {ranker: rivals[ranker] for ranker in order if ranker in rivals}
    elif against:
        rivals = {ranker: against for ranker in order if ranker != against}
    else:
        rivals = dict([order[:2]]) if len(order) > 1 else {}
    marks = {ranker: _mark(ranker, rival, pairs) for ranker, rival in rivals.items()}
    return {ranker: mark for ranker, mark in marks.items() if mark}


def _mark(ranker: str, other: str, pairs: Sequence[Comparison]) -> str:
    for pair in pairs:
        if {pair.a, pair.b} == {ranker, other} and pair.p_corrected < LEVEL:
            return BETTER if (pair.difference > 0) == (pair.a == ranker) else WORSE
    return ""
