"""How rankers did on cases, one by one, and the figures of groups of them."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from linkspot.metrics.metrics import RightRanks, hits_at, reciprocal_rank
from linkspot.model.dual.page_view import Floats
from linkspot.records import Scenario

FEWEST = 10  # cases of a language that counts in a macro average


@dataclass(frozen=True)
class Found:
    """How a ranker did on one case; `scenario` is for insertions alone."""

    language: str
    scenario: Scenario | None
    hits_at_1: float
    reciprocal_rank: float


class Asked(Protocol):
    """What a ranker is tried on."""

    @property
    def language(self) -> str:
        """The language of the page."""
        ...

    @property
    def scenario(self) -> Scenario | None:
        """What the page lacked, of an insertion."""
        ...


def judged(
    asked: Sequence[Asked], scores: Sequence[Sequence[float] | Floats], gold: Sequence[Sequence[int]]
) -> list[Found]:
    """Return how a ranker did on cases, by the scores it gave each and the right places of each."""
    ranks = RightRanks.of(zip(scores, gold, strict=True))
    return [
        Found(one.language, one.scenario, *figures)
        for one, *figures in zip(asked, hits_at(ranks, 1), reciprocal_rank(ranks), strict=True)
    ]


def slices(found: Sequence[Found]) -> tuple[list[Found], list[Found]]:
    """Return those of which the words were there, and all others."""
    present = [one for one in found if one.scenario is Scenario.TEXT_PRESENT]
    return present, [one for one in found if one.scenario is not Scenario.TEXT_PRESENT]


def languages(found: Sequence[Found]) -> list[list[Found]]:
    """Return those of each language that has enough of them."""
    names = sorted({one.language for one in found})
    groups = [[one for one in found if one.language == name] for name in names]
    return [group for group in groups if len(group) >= FEWEST]


def means(groups: Sequence[Sequence[Found]]) -> tuple[float, float]:
    """Return Hits@1 and MRR, as means over the groups' means."""
    hits = statistics.mean(statistics.mean(one.hits_at_1 for one in group) for group in groups)
    return hits, statistics.mean(statistics.mean(one.reciprocal_rank for one in group) for group in groups)


def told(groups: Sequence[Sequence[Found]]) -> str:
    """Return Hits@1 / MRR, and how far MRR may be off by chance."""
    hits, mrr = means(groups)
    error = sum(statistics.variance(one.reciprocal_rank for one in group) / len(group) for group in groups) ** 0.5
    return f"{hits:.3f} / {mrr:.3f} ±{1.96 * error / len(groups):.3f}"


def kept(without: Sequence[Sequence[Found]], with_it: Sequence[Sequence[Found]]) -> str:
    """Return which part of the figures is left without something."""
    hits, mrr = (less / more for less, more in zip(means(without), means(with_it), strict=True))
    return f"it keeps {hits:.0%} of Hits@1 and {mrr:.0%} of MRR."
