"""What a head learns from: the sentences of many pages, row by row. Shapes: R rows of B pages, F features."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from linkspot.metrics.metrics import right_ranks
from linkspot.model.dual.feature_table import PRECEDENT_COLUMNS
from linkspot.model.dual.features import page_features
from linkspot.model.dual.page_view import Floats
from linkspot.training.validation import ValidationFigures


@dataclass(frozen=True)
class HeadSample:
    """A page for a target: the features of its n sentences, and which of them are right; none means nowhere.

    The target of a `stranger` is one of another page; no editor linked it here.
    """

    matrix: Floats  # (n, F)
    gold: tuple[int, ...]
    ignored: frozenset[int] = frozenset()
    is_stranger: bool = False

    @property
    def teaches_places(self) -> bool:
        """Whether there is a right place and a wrong one."""
        return 0 < len(self.gold) < len(self.matrix) - len(self.ignored)

    @property
    def has_precedents(self) -> bool:
        """Whether another language's version of the page links the target."""
        return bool(self.matrix[:, PRECEDENT_COLUMNS].any())

    def alone(self) -> "HeadSample":
        """Return the sample as it would be without precedents."""
        matrix = self.matrix.copy()
        matrix[:, PRECEDENT_COLUMNS] = 0
        return replace(self, matrix=matrix)


def and_alone(samples: Sequence[HeadSample]) -> list[HeadSample]:
    """Return samples, and those with precedents once more without: most users have no precedents to give."""
    return [*samples, *(sample.alone() for sample in samples if sample.has_precedents)]


@dataclass(frozen=True)
class Rows:
    """The sentences of several pages, without those that are ignored."""

    inputs: Tensor  # (R, F)
    right: Tensor  # (R,) 1 for right places, else 0
    page: Tensor  # (R,) the number of each row's page
    starts: Tensor  # (B + 1,) where each page's rows begin, and where the last one's end

    @classmethod
    def of(cls, samples: Sequence[HeadSample]) -> "Rows":
        """Return the rows of all samples."""
        kept = [[n for n in range(len(sample.matrix)) if n not in sample.ignored] for sample in samples]
        pairs = list(zip(samples, kept, strict=True))
        lengths = [len(numbers) for numbers in kept]
        return cls(
            torch.from_numpy(np.concatenate([sample.matrix[numbers] for sample, numbers in pairs])),
            torch.from_numpy(np.concatenate([np.isin(numbers, sample.gold) for sample, numbers in pairs])).float(),
            torch.from_numpy(np.repeat(np.arange(len(samples)), lengths)),
            torch.from_numpy(np.cumsum([0, *lengths])),
        )

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return len(self.starts) - 1

    def take(self, pages: Tensor) -> "Rows":
        """Return some of the pages."""
        lengths = (self.starts[1:] - self.starts[:-1])[pages]
        ends = lengths.cumsum(0)
        page = torch.repeat_interleave(torch.arange(len(pages)), lengths)
        rows = torch.arange(int(ends[-1])) - (ends - lengths)[page] + self.starts[pages][page]
        return Rows(self.inputs[rows], self.right[rows], page, torch.cat([torch.zeros(1, dtype=ends.dtype), ends]))

    def figures(self, scorer: Callable[[Floats], Floats]) -> ValidationFigures:
        """Return how well a scorer ranks those pages that have a right place."""
        starts, right = self.starts.numpy(), np.flatnonzero(self.right.numpy())
        gold = right - starts[self.page.numpy()[right]]
        return ValidationFigures.of(
            right_ranks(scorer(self.inputs.numpy()), starts, gold, np.searchsorted(right, starts))
        )


def pages_of(samples: Sequence[HeadSample]) -> tuple[Tensor, Tensor]:
    """Return what the sentences of each page say together, (B, page features), and whether none is right, (B,)."""
    matrix = np.stack([page_features(sample.matrix) for sample in samples])
    return torch.from_numpy(matrix), torch.tensor([float(not sample.gold) for sample in samples])


def listwise_of_pages(scores: Tensor, rows: Rows) -> Tensor:
    """Return the mean over pages of −log of the probability that a softmax gives to the right sentences together.

    The scores are (R,): the loss of `losses.listwise`, for many pages at once.
    """
    top = torch.full((rows.pages,), -torch.inf).scatter_reduce(0, rows.page, scores.detach(), "amax")
    weights = (scores - top[rows.page]).exp()  # (R,), 1 for each page's best
    sums = torch.zeros(2, rows.pages).index_add(1, rows.page, torch.stack([weights, weights * rows.right]))
    return (sums[0].log() - sums[1].clamp_min(1e-30).log()).mean()
