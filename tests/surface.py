"""What can be seen of a text's joints without reading it, and a classifier that knows no more than that."""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from linkspot.examples.candidates import Candidate

CHANCE = 0.03  # how far from .5 a classifier without a clue may end

Row = tuple[int, bool, Sequence[float]]  # the number of a page, whether the candidate is right, its features

_JOINED = re.compile(r"[.!?][A-Z]")
_WIDE = re.compile(r"[^\S\n]{2}")


def joints(candidate: Candidate, context: str) -> list[float]:
    """Features of the joints in a candidate's context, as it stands or as a maker of data spoilt it."""
    section = candidate.section
    expected = min(len(section.sentences), candidate.sentence_index + 6) - max(0, candidate.sentence_index - 5)
    return [
        len(_JOINED.findall(context)),
        len(_WIDE.findall(context)),
        context != context.strip(),
        expected - (candidate.last - candidate.first + 1),
    ]


def separability(rows: Iterable[Row]) -> float:
    """Train a linear classifier on half of the pages; return how well it orders the other half (area under curve)."""
    numbers, gold, features = zip(*rows, strict=True)
    x = np.c_[np.array(features, float), np.ones(len(features))]
    y, is_train = np.array(gold), np.array(numbers) % 2 == 0
    weights = np.where(y, 1 / y.mean(), 1 / (1 - y.mean()))[is_train]
    # Least squares with both classes of equal weight: as trivial as a classifier gets.
    root = np.sqrt(weights)[:, None]
    solution, *_ = np.linalg.lstsq(x[is_train] * root, (2.0 * y[is_train] - 1) * root[:, 0], rcond=None)
    scores = np.round(x[~is_train] @ solution, 9)
    right, wrong = scores[y[~is_train]], np.sort(scores[~y[~is_train]])
    below = np.searchsorted(wrong, right, "left")
    ties = np.searchsorted(wrong, right, "right") - below
    return float((below + ties / 2).mean() / len(wrong))
