"""Calibration: of the answers that a head gives with probability p, a share p is right.

Three numbers are fitted on validation: a temperature for the places, and a scale and a shift for *nowhere*. They do
not change the order of places. A few dozen examples say little about them, so each is held near what it was.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from linkspot.model.dual.head import Head
from linkspot.training.head_rows import HeadSample, Rows, listwise_of_pages, pages_of

_STEPS = 50


def calibrated(head: Head, validation: Sequence[HeadSample]) -> Head:
    """Return the head with the probabilities that fit validation best; what validation says nothing about stays."""
    place, nowhere = head.place, head.nowhere
    teaching = [sample for sample in validation if sample.teaches_places]
    if teaching:
        rows = Rows.of(teaching)
        scores = torch.from_numpy(place(rows.inputs.numpy()))
        (factor,) = _fitted(1, rows.pages, lambda numbers: listwise_of_pages(scores * numbers[0].exp(), rows))
        place = place.scaled(factor.exp().item())
    inputs, is_nowhere = pages_of(validation)
    if 0 < is_nowhere.mean() < 1:
        logits = torch.from_numpy(nowhere(inputs.numpy()))
        weight = torch.tensor([sample.weight for sample in validation])
        factor, shift = _fitted(
            2,
            len(validation),
            lambda numbers: binary_cross_entropy_with_logits(
                logits * numbers[0].exp() + numbers[1], is_nowhere, weight
            ),
        )
        nowhere = nowhere.scaled(factor.exp().item(), shift.item())
    return Head(place, nowhere)


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
