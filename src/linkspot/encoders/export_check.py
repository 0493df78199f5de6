"""What an exported model loses: its vectors and its rankings, compared with torch's."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from linkspot.encoders.encoder import Encoder, TokenIds, Vectors
from linkspot.errors import UnusableInput
from linkspot.metrics.metrics import RightRanks, hits_at

Example = TypeVar("Example")


@dataclass(frozen=True, slots=True)
class ExportCheck:
    """Cosines between the mean vectors that two encoders give the same sequences."""

    sequences: int
    mean: float
    worst: float

    def __str__(self) -> str:
        return f"cosine to torch on {self.sequences:,} sequences: mean {self.mean:.4f}, worst {self.worst:.4f}"


@dataclass(frozen=True, slots=True)
class RankingCheck:
    """How similarly two ways of scoring rank the places of pages; Hits@1 is the second's minus the first's."""

    pages: int
    same_best: float
    pair_agreement: float
    hits_difference: float
    score_difference: float

    def __str__(self) -> str:
        return (
            f"rankings of {self.pages:,} pages: same best place {self.same_best:.1%}, pairs in one order "
            f"{self.pair_agreement:.2%}, Hits@1 {self.hits_difference:+.2%}, scores {self.score_difference:.4f} apart"
        )


def check_export(before: Encoder, after: Encoder, sequences: Sequence[TokenIds]) -> ExportCheck:
    """Compare an encoder with its export on some sequences."""
    if not sequences:
        raise UnusableInput("there are no texts to compare an export on; give at least one")
    cosines = [
        _cosine(ours.mean(axis=0), theirs.mean(axis=0))
        for ours, theirs in zip(before.encode(sequences), after.encode(sequences), strict=True)
    ]
    return ExportCheck(len(cosines), float(np.mean(cosines)), float(np.min(cosines)))


def check_rankings(
    before: Callable[[Example], Sequence[float]],
    after: Callable[[Example], Sequence[float]],
    examples: Iterable[tuple[Example, Collection[int]]],
) -> RankingCheck:
    """Compare two ways of scoring on examples, each with the numbers of its right places."""
    compared = [_compare(before(example), after(example), gold) for example, gold in examples]
    if not compared:
        raise UnusableInput("there are no examples to compare rankings on; give at least one")
    same_best, agreement, hits, difference = np.mean(compared, axis=0).tolist()
    return RankingCheck(len(compared), same_best, agreement, hits, difference)


def _compare(
    before: Sequence[float], after: Sequence[float], gold: Collection[int]
) -> tuple[float, float, float, float]:
    ours, theirs = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    hits_before, hits_after = hits_at(RightRanks.of([(before, gold), (after, gold)]), 1).tolist()
    rows, columns = np.triu_indices(len(ours), 1)
    same = np.sign(ours[rows] - ours[columns]) == np.sign(theirs[rows] - theirs[columns])
    agreement = float(same.mean()) if same.size else 1.0
    difference = float(np.abs(ours - theirs).mean())
    return float(ours.argmax() == theirs.argmax()), agreement, hits_after - hits_before, difference


def _cosine(one: Vectors, other: Vectors) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))
