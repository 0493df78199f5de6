"""Losses of one ranking problem.

`scores` are (candidates,), or (candidates + 1,) where the last one stands for *nowhere*; `gold` are the numbers of the
right candidates, none if the link belongs nowhere; `ignored` candidates are neither right nor wrong. Each loss is a
scalar.
"""

from collections.abc import Callable, Collection
from enum import StrEnum

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

Loss = Callable[[Tensor, Collection[int], Collection[int], bool], Tensor]


class LossName(StrEnum):
    """The losses that a recipe can name."""

    LISTWISE = "listwise"
    POINTWISE = "pointwise"


def listwise(scores: Tensor, gold: Collection[int], ignored: Collection[int], has_nowhere: bool) -> Tensor:
    """Return −log of the probability that a softmax over the whole list gives to the right answers together."""
    right, counted = _masks(scores, gold, ignored, has_nowhere)
    everything = scores.masked_fill(~counted, -torch.inf)
    return everything.logsumexp(0) - everything.masked_fill(~right, -torch.inf).logsumexp(0)


def pointwise(scores: Tensor, gold: Collection[int], ignored: Collection[int], has_nowhere: bool) -> Tensor:
    """Return the mean binary cross-entropy of the scores, each by itself."""
    right, counted = _masks(scores, gold, ignored, has_nowhere)
    return binary_cross_entropy_with_logits(scores[counted], right[counted].to(scores.dtype))


LOSSES: dict[LossName, Loss] = {LossName.LISTWISE: listwise, LossName.POINTWISE: pointwise}


def _masks(scores: Tensor, gold: Collection[int], ignored: Collection[int], has_nowhere: bool) -> tuple[Tensor, Tensor]:
    """Return which scores are right, and which count at all: (n,) booleans each."""
    answers = list(gold) or ([len(scores) - 1] if has_nowhere else [])
    if not answers:
        raise ValueError("a problem without a right place teaches nothing to a model that cannot say nowhere")
    right = torch.zeros(len(scores), dtype=torch.bool, device=scores.device)
    right[answers] = True
    counted = torch.ones_like(right)
    counted[list(ignored)] = False
    return right, counted | right
