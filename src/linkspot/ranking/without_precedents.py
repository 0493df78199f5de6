"""A ranker that is told of the page and the target alone, to see what precedents are worth."""

from dataclasses import dataclass, replace

from linkspot.ranking.ranker import Ranker, has_logits
from linkspot.records import Article, Entity


@dataclass(frozen=True, slots=True)
class WithoutPrecedentsRanker:
    """Scores as another ranker does where no other language's version of the page links the target."""

    ranker: Ranker

    @property
    def nowhere(self) -> float:
        """The score that says *nowhere*."""
        return self.ranker.nowhere

    @property
    def has_logits(self) -> bool:
        """Whether scores are logits."""
        return has_logits(self.ranker)

    def score(self, entity: Entity, article: Article) -> list[float]:
        """Return one score per candidate."""
        return self.ranker.score(replace(entity, precedents=()), article)
