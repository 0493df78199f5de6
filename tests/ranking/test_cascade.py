from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.tiny_encoders import tiny_model

from linkspot.errors import UnknownRanker
from linkspot.model.config import ModelKind
from linkspot.parsing import parse
from linkspot.ranking.cascade import CascadeParts, CascadeRanker
from linkspot.ranking.ranker import Reads, open_ranker
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity, Markup, Page

PAGE = parse(Page("P", "One here. Two here. Three here. Four here. Five here.", Markup.MARKDOWN, "en"))
ENTITY = Entity("Two")


@dataclass
class Fixed:
    """Gives scores that are known beforehand, and notes what it is asked for."""

    scores: Sequence[float]
    nowhere: float = 0.0
    asked: list[int] = field(default_factory=list)
    reads: Reads = Reads.TEXTS

    def score(self, _entity: Entity, _article: Article) -> Scores:
        return Scores(tuple(self.scores), self.nowhere, are_logits=True)

    def score_some(self, entity: Entity, article: Article, numbers: Sequence[int]) -> Scores:
        self.asked = list(numbers)
        return self.score(entity, article).some(numbers)


def test_the_expensive_ranker_orders_what_the_cheap_one_chose() -> None:
    cheap, expensive = Fixed([5.0, 4.0, 3.0, 2.0, 1.0]), Fixed([0.1, 0.9, 0.5, 9.0, 9.0])
    scores = CascadeRanker(cheap, expensive, best=3).score(ENTITY, PAGE).places
    assert expensive.asked == [0, 1, 2]
    assert sorted(range(5), key=lambda number: -scores[number]) == [1, 2, 0, 3, 4]
    assert scores[:3] == (0.1, 0.9, 0.5)


def test_the_expensive_ranker_gets_places_in_the_order_of_the_cheap_one_and_so_keeps_it_for_ties() -> None:
    expensive = Fixed([0.0] * 5)
    CascadeRanker(Fixed([1.0, 2.0, 9.0, 4.0, 5.0]), expensive, best=3).score(ENTITY, PAGE)
    assert expensive.asked == [2, 4, 3]


def test_what_was_not_chosen_stands_below_nowhere_too_so_that_scores_are_no_logits() -> None:
    cheap, expensive = Fixed([3.0, 2.0, 1.0, 0.0, 0.0]), Fixed([7.0] * 5, nowhere=2.0)
    scores = CascadeRanker(cheap, expensive, best=1).score(ENTITY, PAGE)
    assert scores.places[0] == 7.0
    assert scores.nowhere == 2.0
    assert max(scores.places[1:]) < 2.0
    assert not scores.are_logits


def test_a_page_shorter_than_the_choice_is_ordered_by_the_expensive_ranker_alone() -> None:
    expensive = Fixed([0.0, 4.0, 1.0, 3.0, 2.0])
    assert CascadeRanker(Fixed([1.0] * 5), expensive, best=50).score(ENTITY, PAGE).places == tuple(expensive.scores)


def test_any_ranker_may_be_the_expensive_one_whether_or_not_it_can_leave_places_unread(tmp_path: Path) -> None:
    models = [str(tiny_model(tmp_path / kind, kind)) for kind in (ModelKind.DUAL, ModelKind.WINDOW)]
    for name in (*models, "string-match", "cascade:string-match,2,bm25"):
        alike = [open_ranker(f"cascade:bm25,3,{inner}") for inner in (name, f"without-precedents:{name}")]
        first, second = (ranker.score(ENTITY, PAGE) for ranker in alike)
        assert first == second
        assert len(first.places) == 5


@pytest.mark.parametrize("argument", ["bm25", "bm25,10", "bm25,x,random", "bm25,0,random", "bm25,10,"])
def test_a_cascade_that_lacks_a_part_is_answered_with_how_to_write_one(argument: str) -> None:
    with pytest.raises(UnknownRanker, match=f"written as cascade:CHEAP,10,EXPENSIVE, not as cascade:{argument}$"):
        CascadeParts.of(argument)
