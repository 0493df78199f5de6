"""Strangers: targets of other pages, which belong nowhere in a page; does a ranker tell them from links that belong?

A far stranger is linked by a page that shares no link with this one, a near one by the page that shares most.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from linkspot.evaluation.queries import DatasetQueries
from linkspot.examples.dataset_reader import InsertionExample, Insertions
from linkspot.examples.negative_targets import is_unrelated
from linkspot.ranking.ranker import Ranker
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity, Scenario
from linkspot.tables.schemas import Row

_MOST_PAGES = 400  # of a wiki: enough to find near and far ones among


class Distance(StrEnum):
    """How far a stranger is from the page."""

    NEAR = "near"
    FAR = "far"


@dataclass(frozen=True, slots=True)
class StrangerQueries:
    """The near and far strangers of at most `per_wiki` pages of each wiki's insertions, drawn by the seed."""

    folder: Path
    split: str = "test"
    per_wiki: int = 20
    seed: int = 0

    @property
    def plan(self) -> dict[str, Any]:
        """The dataset, and how strangers are drawn."""
        asked = DatasetQueries(self.folder, self.split).plan
        return {**asked, "strangers": self.per_wiki, "seed": self.seed}

    @property
    def count(self) -> int:
        """How many there are."""
        return len(_drawn(self))

    def read(self, _rejects: Counter[str]) -> Iterator["StrangerQuery"]:
        """Yield all queries; nothing is set aside."""
        return (StrangerQuery(self, number) for number in range(self.count))

    def given(self, _ranker: Ranker) -> str:
        """Every ranker gets the page."""
        return ""


@dataclass(frozen=True, slots=True)
class StrangerQuery:
    """A page and a target that belongs nowhere in it. It holds only a number; the page is read when it is needed."""

    queries: StrangerQueries
    number: int

    @property
    def facts(self) -> Row:
        """What is known about it; the distance stands behind the corpus' name."""
        drawn = self._drawn
        page = _opened(self.queries).facts(drawn.page)
        entity = self.question[0]
        return {
            **page,
            "corpus": f"{page['corpus']}/{drawn.distance}",
            "scenario": Scenario.MISSING_SECTION.value,
            "target_title": entity.title,
            "mentions": len(entity.mentions),
            "gold": [],
        }

    @property
    def question(self) -> tuple[Entity, Article]:
        """The target, and the page."""
        insertions = _opened(self.queries)
        # Its precedents belong to the page that it was drawn from.
        entity = replace(insertions[self._drawn.target].example.entity, precedents=())
        return entity, insertions[self._drawn.page].example.article

    def scores(self, ranker: Ranker) -> Scores:
        """Return what a ranker gives to each sentence of the page."""
        return ranker.score(*self.question)

    @property
    def _drawn(self) -> "_Stranger":
        return _drawn(self.queries)[self.number]


@dataclass(frozen=True, slots=True)
class _Stranger:
    """The numbers of the insertions that have the page and the target, and how far they are from each other."""

    page: int
    target: int
    distance: Distance


@lru_cache(2)
def _opened(queries: StrangerQueries) -> Insertions:
    return Insertions(queries.folder, queries.split)


@lru_cache(2)
def _drawn(queries: StrangerQueries) -> tuple[_Stranger, ...]:
    insertions = _opened(queries)
    strangers: list[_Stranger] = []
    for wiki, numbers in sorted(insertions.wikis().items()):
        draw = Random(f"{queries.seed}/{'/'.join(wiki)}")
        known = draw.sample(numbers, min(len(numbers), _MOST_PAGES))
        strangers += _of_wiki({number: insertions[number] for number in known}, queries.per_wiki)
    return tuple(strangers)


def _of_wiki(examples: dict[int, InsertionExample], most: int) -> Iterator[_Stranger]:
    """Yield a near and a far stranger of each page, as far as it has them."""
    links = {number: _targets(one.example.article) for number, one in examples.items()}
    by_page = defaultdict[str, list[int]](list)
    for number, one in examples.items():
        by_page[one.example.article.title].append(number)
    for number in [numbers[0] for numbers in by_page.values()][:most]:
        shared = {other: len(links[number] & links[other]) for other in examples}
        own = examples[number].example.article
        others = [other for other, one in examples.items() if one.example.article.title != own.title]
        others.sort(key=lambda other: -shared[other])  # stable, so that the draw's order is kept
        near = _first_unrelated(own, [other for other in others if shared[other]], examples)
        far = _first_unrelated(own, [other for other in others if not shared[other]], examples)
        for distance, target in ((Distance.NEAR, near), (Distance.FAR, far)):
            if target is not None:
                yield _Stranger(number, target, distance)


def _first_unrelated(page: Article, others: Sequence[int], examples: dict[int, InsertionExample]) -> int | None:
    """Return the first whose target the page neither names nor links."""
    return next((other for other in others if is_unrelated(examples[other].example.entity, page)), None)


def _targets(page: Article) -> frozenset[str]:
    return frozenset(link.target for section in page.sections for link in section.links)
