"""Validation: how well a model ranks real insertions that it does not learn from."""

from collections.abc import Iterable
from dataclasses import dataclass

from linkspot.metrics.metrics import RightRanks, hits_at, reciprocal_rank
from linkspot.model.cross.scoring import PageModel
from linkspot.records import Example


@dataclass(frozen=True, slots=True)
class ValidationFigures:
    """Hits@1 and MRR over the queries that have a right place."""

    hits_at_1: float
    mrr: float
    queries: int

    @classmethod
    def of(cls, ranks: RightRanks) -> "ValidationFigures":
        """Return the figures of queries; those without a right place do not count."""
        queries = int((ranks.counts > 0).sum())
        hits, reciprocal = (
            float(values.sum()) / max(1, queries) for values in (hits_at(ranks, 1), reciprocal_rank(ranks))
        )
        return cls(hits, reciprocal, queries)


def validate(model: PageModel, examples: Iterable[Example]) -> ValidationFigures:
    """Rank every example that has a right place."""
    return ValidationFigures.of(
        RightRanks.of(
            (model.scores(example.entity, example.article).places, example.gold) for example in examples if example.gold
        )
    )
