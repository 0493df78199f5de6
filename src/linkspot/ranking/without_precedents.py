"""A ranker that sees the page and the target, but no precedents: it shows what precedents are worth."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from linkspot.ranking.ranker import Ranker, RankerOptions, Reads, open_ranker, score_some
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity


@dataclass(frozen=True, slots=True)
class WithoutPrecedentsRanker:
    """Scores as another ranker does where no other language's version of the page links the target."""

    ranker: Ranker

    @classmethod
    def of_argument(cls, name: str, options: RankerOptions) -> "WithoutPrecedentsRanker":
        """Open the ranker with this name."""
        return cls(open_ranker(name, options))

    @property
    def reads(self) -> Reads:
        """What the ranker inside reads."""
        return self.ranker.reads

    def with_inner(self, change: Callable[[Ranker], Ranker]) -> "WithoutPrecedentsRanker":
        """Return the same around the changed ranker."""
        return WithoutPrecedentsRanker(change(self.ranker))

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return one score per candidate."""
        return self.ranker.score(replace(entity, precedents=()), article)

    def score_some(self, entity: Entity, article: Article, numbers: Sequence[int]) -> Scores:
        """Return the scores of some candidates; whether the others are read is up to the ranker inside."""
        return score_some(self.ranker, replace(entity, precedents=()), article, numbers)
