"""Validation: how well a model ranks real insertions that it does not learn from."""

from collections.abc import Iterable
from dataclasses import dataclass

from linkspot.evaluation.metrics import hits_at, order_of, reciprocal_rank
from linkspot.model.scoring import PageModel
from linkspot.records import Example


@dataclass(frozen=True, slots=True)
class Figures:
    """Hits@1 and MRR over the queries that have a right place."""

    hits_at_1: float
    mrr: float
    queries: int


def validate(model: PageModel, examples: Iterable[Example]) -> Figures:
    """Rank every example that has a right place."""
    hits, reciprocal = [], []
    for example in examples:
        if example.gold:
            scores = model.scores(example.entity, example.article).places
            order = order_of(scores.tolist(), set(example.gold))
            hits.append(hits_at(order, 1))
            reciprocal.append(reciprocal_rank(order))
    queries = len(hits)
    return Figures(sum(hits) / max(1, queries), sum(reciprocal) / max(1, queries), queries)
