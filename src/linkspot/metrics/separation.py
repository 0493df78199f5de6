"""Separation: how well a number tells one group from another."""

import numpy as np

from linkspot.metrics.rankings import Floats


def auc(higher: Floats, lower: Floats) -> float:
    """Return the area under the ROC curve: the probability that one of `higher` is above one of `lower`.

    Two that are equal count half.
    """
    ordered = np.sort(lower)
    below, at_most = (np.searchsorted(ordered, higher, side=side) for side in ("left", "right"))
    return float((below + at_most).mean() / (2 * len(lower)))
