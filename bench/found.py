"""How rankers did on cases, one by one, and the figures of groups of them."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from linkspot.records import Scenario

FEWEST = 10  # cases of a language that counts in a macro average


@dataclass(frozen=True)
class Found:
    """How a ranker did on one case; `scenario` is for insertions alone."""

    language: str
    scenario: Scenario | None
    hits_at_1: float
    reciprocal_rank: float


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
