"""Calibration: of the answers that a head gives with probability p, a share p is right.

Fitted on validation are, for the places, a temperature and how it depends on what is known of the question; for
*nowhere* a scale and a shift. They do not change the order of places. A few dozen examples say little about these
numbers, so each is held near what it was.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from linkspot.model.dual.head import FACTS, Head, facts_of
from linkspot.training.head_rows import HeadSample, Rows, listwise_of_pages, pages_of

_STEPS = 50


class QuestionKind(StrEnum):
    """What kind of question a sample asks."""

    PLACED = "a link that has a place in the page"
    NEW_SECTION = "a link that needs a new section"
    STRANGER = "a target of another page"


#: The shares of each kind of question for which probabilities hold; without a kind, the others share the rest. People
#: mostly know that a link belongs. With fewer strangers, a head would hardly ever say *nowhere*, even of most of them.
MIXTURE = {QuestionKind.PLACED: 0.70, QuestionKind.NEW_SECTION: 0.10, QuestionKind.STRANGER: 0.20}


def calibrated(head: Head, validation: Sequence[HeadSample]) -> Head:
    """Return the head with the probabilities that fit validation best; what validation says nothing about stays."""
    teaching = [sample for sample in validation if sample.teaches_places]
    if teaching:
        head = _with_sure_places(head, teaching)
    nowhere = head.nowhere
    inputs, is_nowhere = pages_of(validation)
    if 0 < is_nowhere.mean() < 1:
        logits, weights = torch.from_numpy(nowhere(inputs.numpy())), _weights(validation)
        factor, shift = _fitted(
            2,
            len(validation),
            lambda numbers: binary_cross_entropy_with_logits(
                logits * numbers[0].exp() + numbers[1], is_nowhere, weights
            ),
        )
        nowhere = nowhere.scaled(factor.exp().item(), shift.item())
    return Head(head.place, nowhere, head.sureness)


def _with_sure_places(head: Head, teaching: Sequence[HeadSample]) -> Head:
    """Return the head whose places are as sure as they are right; facts only say how questions differ from the mean."""
    rows = Rows.of(teaching)
    facts = torch.from_numpy(np.stack([facts_of(sample.matrix) for sample in teaching]))  # (B, facts)
    scores = torch.from_numpy(head.place(rows.inputs.numpy()))
    scores = scores * (facts @ torch.from_numpy(head.sureness)).exp()[rows.page]
    mean = facts.mean(0)

    def loss(numbers: Tensor) -> Tensor:
        factors = (numbers[0] + (facts - mean) @ numbers[1:]).exp()  # (B,)
        return listwise_of_pages(scores * factors[rows.page], rows)

    factor, *more = _fitted(1 + len(FACTS), rows.pages, loss)
    sureness = torch.stack(more)
    place = head.place.scaled((factor - mean @ sureness).exp().item())
    return Head(place, head.nowhere, head.sureness + sureness.numpy())


def _weights(samples: Sequence[HeadSample]) -> Tensor:
    """Return how much each sample counts, so that kinds of questions have the shares of the mixture: (B,), mean 1."""
    kinds = [_question(sample) for sample in samples]
    counts = Counter(kinds)
    known = sum(MIXTURE[kind] for kind in counts)
    return torch.tensor([MIXTURE[kind] / known / counts[kind] * len(samples) for kind in kinds])


def _question(sample: HeadSample) -> QuestionKind:
    if sample.gold:
        return QuestionKind.PLACED
    return QuestionKind.STRANGER if sample.is_stranger else QuestionKind.NEW_SECTION


def _fitted(count: int, examples: int, loss: Callable[[Tensor], Tensor]) -> Tensor:
    """Return the numbers that minimise the mean loss over examples; before them, each is 0 with a deviation of 1."""
    numbers = torch.zeros(count, requires_grad=True)
    optimizer = torch.optim.LBFGS([numbers], max_iter=_STEPS, line_search_fn="strong_wolfe")

    def step() -> Tensor:
        optimizer.zero_grad()
        value = loss(numbers) + numbers.square().sum() / (2 * examples)
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(step)  # type: ignore[no-untyped-call]
    return numbers.detach()
