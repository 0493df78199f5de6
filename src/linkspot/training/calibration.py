"""Calibration: what a head says with a probability of p is right in a share p, by three numbers fitted on validation.

They change no order of places: a temperature for the places, and a scale and a shift for *nowhere*.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from linkspot.model.dual.head import Head
from linkspot.training.head_rows import HeadSample, Rows, listwise_of_pages, pages_of

_STEPS = 50


def calibrated(head: Head, validation: Sequence[HeadSample]) -> Head:
    """Return a head with the likeliest probabilities for validation; where that says nothing, they stay."""
    place, nowhere = head.place, head.nowhere
    teaching = [one for one in validation if one.teaches_places]
    if teaching:
        rows = Rows.of(teaching)
        scores = torch.from_numpy(place(rows.inputs.numpy()))
        (factor,) = _fitted(1, lambda told: listwise_of_pages(scores * told[0].exp(), rows))
        place = place.scaled(factor.exp().item())
    inputs, is_nowhere = pages_of(validation)
    if 0 < is_nowhere.mean() < 1:
        said, weight = torch.from_numpy(nowhere(inputs.numpy())), torch.tensor([one.weight for one in validation])
        factor, shift = _fitted(
            2, lambda told: binary_cross_entropy_with_logits(said * told[0].exp() + told[1], is_nowhere, weight)
        )
        nowhere = nowhere.scaled(factor.exp().item(), shift.item())
    return Head(place, nowhere)


def _fitted(count: int, loss: Callable[[Tensor], Tensor]) -> Tensor:
    """Return the numbers, from 0, that make the loss least."""
    numbers = torch.zeros(count, requires_grad=True)
    optimizer = torch.optim.LBFGS([numbers], max_iter=_STEPS, line_search_fn="strong_wolfe")

    def step() -> Tensor:
        optimizer.zero_grad()
        found = loss(numbers)
        found.backward()  # type: ignore[no-untyped-call]
        return found

    optimizer.step(step)  # type: ignore[no-untyped-call]
    return numbers.detach()
