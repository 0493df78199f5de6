from collections.abc import Sequence
from dataclasses import dataclass, field

from linkspot.parsing import parse
from linkspot.ranking.cascade import CascadeRanker
from linkspot.records import Article, Entity, Markup, Page

PAGE = parse(Page("P", "One here. Two here. Three here. Four here. Five here.", Markup.MARKDOWN, "en"))
ENTITY = Entity("Two")


@dataclass
class Fixed:
    """Gives scores that are known beforehand, and notes what it is asked for."""

    scores: Sequence[float]
    nowhere: float = 0.0
    asked: list[int] = field(default_factory=list)

    def score(self, _entity: Entity, _article: Article) -> list[float]:
        return list(self.scores)

    def score_some(self, _entity: Entity, _article: Article, numbers: Sequence[int]) -> list[float]:
        self.asked = list(numbers)
        return [self.scores[number] for number in numbers]


def test_the_dear_ranker_orders_what_the_cheap_one_chose() -> None:
    cheap, dear = Fixed([5.0, 4.0, 3.0, 2.0, 1.0]), Fixed([0.1, 0.9, 0.5, 9.0, 9.0])
    scores = CascadeRanker(cheap, dear, best=3).score(ENTITY, PAGE)
    assert dear.asked == [0, 1, 2]
    assert sorted(range(5), key=lambda number: -scores[number]) == [1, 2, 0, 3, 4]
    assert scores[:3] == [0.1, 0.9, 0.5]


def test_the_dear_ranker_gets_places_in_the_order_of_the_cheap_one_and_so_keeps_it_for_ties() -> None:
    dear = Fixed([0.0] * 5)
    CascadeRanker(Fixed([1.0, 2.0, 9.0, 4.0, 5.0]), dear, best=3).score(ENTITY, PAGE)
    assert dear.asked == [2, 4, 3]


def test_what_was_not_chosen_stands_below_nowhere_too() -> None:
    scores = CascadeRanker(Fixed([3.0, 2.0, 1.0, 0.0, 0.0]), Fixed([7.0] * 5, nowhere=2.0), best=1).score(ENTITY, PAGE)
    assert scores[0] == 7.0
    assert max(scores[1:]) < 2.0


def test_a_page_shorter_than_the_choice_is_ordered_by_the_dear_ranker_alone() -> None:
    dear = Fixed([0.0, 4.0, 1.0, 3.0, 2.0])
    assert CascadeRanker(Fixed([1.0] * 5), dear, best=50).score(ENTITY, PAGE) == dear.scores
