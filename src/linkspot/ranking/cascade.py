"""The cascade: a cheap ranker chooses some places, an expensive one orders them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from linkspot.errors import UnknownRanker
from linkspot.ranking.ranker import Ranker, RankerOptions, Reads, open_ranker, score_some
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity


class CascadeParts(NamedTuple):
    """A cascade as users write it: CHEAP,10,EXPENSIVE."""

    cheap: str
    best: int
    expensive: str

    @classmethod
    def of(cls, argument: str) -> "CascadeParts":
        """Return the name of the cheap ranker, how many places it chooses, and the name of the expensive ranker."""
        cheap, best, expensive = [*argument.split(",", 2), "", ""][:3]
        if not (best.isdigit() and int(best) and expensive):
            raise UnknownRanker(f"a cascade is written as cascade:CHEAP,10,EXPENSIVE, not as cascade:{argument}")
        return cls(cheap, int(best), expensive)


@dataclass(frozen=True, slots=True)
class CascadeRanker:
    """Lets `expensive` order the `best` candidates of `cheap`; the others stay behind them, in the order of `cheap`.

    An expensive ranker that can score some places alone reads only the chosen ones.
    """

    cheap: Ranker
    expensive: Ranker
    best: int = 10

    @classmethod
    def of_argument(cls, argument: str, options: RankerOptions) -> "CascadeRanker":
        """Open both rankers of CHEAP,10,EXPENSIVE."""
        parts = CascadeParts.of(argument)
        return cls(open_ranker(parts.cheap, options), open_ranker(parts.expensive, options), parts.best)

    @property
    def reads(self) -> Reads:
        """What the expensive ranker reads, as it has the last word."""
        return self.expensive.reads

    def with_inner(self, change: Callable[[Ranker], Ranker]) -> "CascadeRanker":
        """Return the cascade of both rankers, changed."""
        return CascadeRanker(change(self.cheap), change(self.expensive), self.best)

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return one score per candidate: the expensive ranker's for the best, below all of them for the others.

        They are not logits, even if those of the expensive ranker are: what it did not read has no probability.
        """
        first = self.cheap.score(entity, article).places
        order = sorted(range(len(first)), key=lambda number: (-first[number], number))
        chosen = order[: self.best]  # in this order, which a ranker with ties keeps
        second = score_some(self.expensive, entity, article, chosen)
        scores = dict(zip(chosen, second.places, strict=True))
        floor = min(*second.places, second.nowhere) if chosen else second.nowhere
        for behind, number in enumerate(order[self.best :], start=1):
            scores[number] = floor - behind
        return Scores(tuple(scores[number] for number in range(len(first))), second.nowhere)
