"""Outcomes: how rankers did on single cases, and the figures of groups of cases."""

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from linkspot.metrics.metrics import RightRanks, hits_at, reciprocal_rank
from linkspot.model.dual.page_view import Floats
from linkspot.records import Scenario

FEWEST = 10  # cases that a language needs to count in a macro average


@dataclass(frozen=True)
class Outcome:
    """How a ranker did on one case; only insertions have a scenario."""

    language: str
    scenario: Scenario | None
    hits_at_1: float
    reciprocal_rank: float


class RankedCase(Protocol):
    """What a ranker is tried on."""

    @property
    def language(self) -> str:
        """The language of the page."""
        ...

    @property
    def scenario(self) -> Scenario | None:
        """What the page lacked, if the case is an insertion."""
        ...

    @property
    def gold(self) -> Sequence[int]:
        """The numbers of the right candidates."""
        ...


AnyCase = TypeVar("AnyCase", bound=RankedCase)


def outcomes(cases: Iterable[AnyCase], score: Callable[[AnyCase], Sequence[float] | Floats]) -> list[Outcome]:
    """Return how a ranker did on the cases that have a right candidate; `score` gives its scores of all candidates."""
    answerable = [case for case in cases if case.gold]
    ranks = RightRanks.of((score(case), case.gold) for case in answerable)
    return [
        Outcome(case.language, case.scenario, *figures)
        for case, *figures in zip(answerable, hits_at(ranks, 1), reciprocal_rank(ranks), strict=True)
    ]


def slices(cases: Sequence[Outcome]) -> tuple[list[Outcome], list[Outcome]]:
    """Return Present and Missing: the outcomes where the words were there, and all others."""
    present = [case for case in cases if case.scenario is Scenario.TEXT_PRESENT]
    return present, [case for case in cases if case.scenario is not Scenario.TEXT_PRESENT]


def languages(cases: Sequence[Outcome]) -> list[list[Outcome]]:
    """Return the outcomes of each language that has enough of them, in the order of the languages' names."""
    names = sorted({case.language for case in cases})
    groups = [[case for case in cases if case.language == name] for name in names]
    return [group for group in groups if len(group) >= FEWEST]


def means(groups: Sequence[Sequence[Outcome]]) -> tuple[float, float]:
    """Return Hits@1 and MRR, as means over the groups' means."""
    hits = statistics.mean(statistics.mean(case.hits_at_1 for case in group) for group in groups)
    return hits, statistics.mean(statistics.mean(case.reciprocal_rank for case in group) for group in groups)


def with_error(groups: Sequence[Sequence[Outcome]]) -> str:
    """Write Hits@1 / MRR, and half of MRR's 95 % interval."""
    hits, mrr = means(groups)
    error = sum(statistics.variance(case.reciprocal_rank for case in group) / len(group) for group in groups) ** 0.5
    return f"{hits:.3f} / {mrr:.3f} ±{1.96 * error / len(groups):.3f}"


def kept_share(without: Sequence[Sequence[Outcome]], with_it: Sequence[Sequence[Outcome]]) -> str:
    """Say which part of the figures is left without something."""
    hits, mrr = (less / more for less, more in zip(means(without), means(with_it), strict=True))
    return f"it keeps {hits:.0%} of Hits@1 and {mrr:.0%} of MRR."
