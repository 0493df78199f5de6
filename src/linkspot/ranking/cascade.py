"""The cascade: a cheap ranker chooses, a dear one orders what was chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from linkspot.errors import UnknownRanker
from linkspot.ranking.ranker import Ranker
from linkspot.records import Article, Entity


class SelectiveRanker(Ranker, Protocol):
    """A ranker that can score some candidates alone."""

    def score_some(self, entity: Entity, article: Article, numbers: Sequence[int]) -> list[float]:
        """Return the scores of the candidates of these numbers."""
        ...


@dataclass(frozen=True, slots=True)
class CascadeRanker:
    """Lets `dear` order the `best` candidates of `cheap`; the others stay behind them, in the order of `cheap`."""

    cheap: Ranker
    dear: SelectiveRanker
    best: int = 10

    @property
    def nowhere(self) -> float:
        """The score of the dear ranker that says *nowhere*."""
        return self.dear.nowhere

    def score(self, entity: Entity, article: Article) -> list[float]:
        """Return one score per candidate: the dear ranker's for the best, below all of them for the others."""
        first = self.cheap.score(entity, article)
        order = sorted(range(len(first)), key=lambda number: (-first[number], number))
        chosen = order[: self.best]  # in this order, which a ranker with ties keeps
        scores = dict(zip(chosen, self.dear.score_some(entity, article, chosen), strict=True))
        floor = min([*scores.values(), self.nowhere], default=0.0)
        for behind, number in enumerate(order[self.best :], start=1):
            scores[number] = floor - behind
        return [scores[number] for number in range(len(first))]


def selective(ranker: Ranker, name: str) -> SelectiveRanker:
    """Return the ranker if it can score some candidates alone."""
    if not hasattr(ranker, "score_some"):
        raise UnknownRanker(f"{name} reads all places of a page in any case; a cascade ends with one that need not")
    return cast("SelectiveRanker", ranker)
