"""Queries: what an evaluation asks every ranker, read one after another from a dataset."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Protocol

from linkspot.errors import UnusableInput
from linkspot.evaluation.published import PublishedTests
from linkspot.evaluation.published_pages import page_of_texts, score_windows, windows_as
from linkspot.evaluation.published_repair import repaired
from linkspot.examples.dataset_reader import Insertions
from linkspot.examples.published_rows import PublishedQuery
from linkspot.files import digest_of
from linkspot.pipeline.splits import SPLITS
from linkspot.ranking.ranker import Ranker
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity
from linkspot.tables.folder import TableFolder
from linkspot.tables.schemas import Row


class Query(Protocol):
    """A target and the candidates for its link."""

    @property
    def facts(self) -> Row:
        """What is known about it, as a row of the table of queries without its number."""
        ...

    @property
    def question(self) -> tuple[Entity, Article]:
        """The target, and a page whose sentences are the candidates."""
        ...

    def scores(self, ranker: Ranker) -> Scores:
        """Return what a ranker gives to each candidate."""
        ...


class Queries(Protocol):
    """All queries of an evaluation. They travel to other processes, so they are plain data themselves."""

    @property
    def plan(self) -> dict[str, Any]:
        """What distinguishes these queries from others, wherever their files are."""
        ...

    @property
    def count(self) -> int:
        """How many there are, including those that reading may set aside."""
        ...

    def read(self, rejects: Counter[str]) -> Iterator[Query]:
        """Yield all queries, always in the same order, and count rejected rows by reason."""
        ...

    def given(self, ranker: Ranker) -> str:
        """Say in which form a ranker gets the candidates; nothing if it is the page as people read it."""
        ...


@dataclass(frozen=True, slots=True)
class DatasetQueries:
    """The insertions of one split of a dataset; `per_language` of each language (0: all), drawn by the seed."""

    folder: Path
    split: str = "test"
    languages: tuple[str, ...] = ()
    per_language: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise UnusableInput(f"{self.split!r} is not a split of a dataset; there are: {', '.join(SPLITS)}")

    @property
    def plan(self) -> dict[str, Any]:
        """The dataset as its manifest describes it, and which queries are drawn from it."""
        made = TableFolder.open(self.folder, "dataset").manifest()
        return {
            "dataset": {"plan": made["plan"], "rows": made["rows"]},
            "split": self.split,
            "languages": sorted(self.languages),
            "per_language": self.per_language,
            "seed": self.seed,
        }

    @property
    def count(self) -> int:
        """How many there are."""
        return len(_opened(self))

    def read(self, _rejects: Counter[str]) -> Iterator["InsertionQuery"]:
        """Yield all queries; nothing is set aside."""
        return (InsertionQuery(self, number) for number in range(self.count))

    def given(self, _ranker: Ranker) -> str:
        """Every ranker gets the page."""
        return ""


@dataclass(frozen=True, slots=True)
class InsertionQuery:
    """A link that an editor added; the candidates are the sentences of the page before the edit.

    It holds only a number; the page is read when it is needed.
    """

    queries: DatasetQueries
    number: int

    @property
    def facts(self) -> Row:
        """What is known about it."""
        return _opened(self.queries).facts(self.number)

    @property
    def question(self) -> tuple[Entity, Article]:
        """The target, and the page before the edit."""
        example = _opened(self.queries)[self.number].example
        return example.entity, example.article

    def scores(self, ranker: Ranker) -> Scores:
        """Return what a ranker gives to each sentence of the page."""
        return ranker.score(*self.question)


@lru_cache(2)
def _opened(queries: DatasetQueries) -> Insertions:
    insertions = Insertions(
        queries.folder, queries.split, queries.languages, per_language=queries.per_language, seed=queries.seed
    )
    there = ", ".join(sorted(insertions.languages)) or "no language"
    missing = sorted(set(queries.languages) - insertions.languages)
    if missing or not len(insertions):
        lacking = f" in {', '.join(missing)}" if missing else ""
        raise UnusableInput(f"{queries.folder} has no {queries.split} insertions{lacking}; there are some in {there}")
    return insertions


@dataclass(frozen=True, slots=True)
class PublishedQueries:
    """The paper's published tests, as they were released or with their seams repaired."""

    folder: Path
    languages: tuple[str, ...] = ()
    per_language: int = 0
    seed: int = 0
    repair: bool = False

    @property
    def plan(self) -> dict[str, Any]:
        """The files, and which queries are drawn from them."""
        tests = PublishedTests(self.folder, self.languages)
        return {
            "published": digest_of(
                path for language in tests.languages for path in self.folder.glob(f"{language}*.parquet")
            ),
            "languages": sorted(self.languages),
            "per_language": self.per_language,
            "seed": self.seed,
            "repaired": self.repair,
        }

    @property
    def count(self) -> int:
        """How many there are, including those that reading may set aside."""
        tests = PublishedTests(self.folder, self.languages)
        return sum(len(self._drawn(tests.count(language), language)) for language in tests.languages)

    def read(self, rejects: Counter[str]) -> Iterator["WindowQuery"]:
        """Yield all queries; rejected rows are counted."""
        tests = PublishedTests(self.folder, self.languages)
        for language in tests.languages:
            drawn = self._drawn(tests.count(language), language)
            for query in tests.queries(language, drawn):
                yield WindowQuery(repaired(query) if self.repair else query)
        rejects.update(tests.rejects)

    def given(self, ranker: Ranker) -> str:
        """Say what a ranker is given instead of the page, which was not published."""
        return windows_as(ranker)

    def _drawn(self, count: int, language: str) -> Sequence[int]:
        if not 0 < self.per_language < count:
            return range(count)
        return Random(f"{self.seed}/{language}").sample(range(count), self.per_language)


@dataclass(frozen=True, slots=True)
class WindowQuery:
    """A query of the published dataset; the candidates are windows."""

    query: PublishedQuery

    @property
    def facts(self) -> Row:
        """What is known about it."""
        query = self.query
        return {
            "event": query.id,
            "corpus": "published",
            "language": query.language,
            "scenario": query.scenario.value,
            "source_title": query.source_title,
            "target_title": query.entity.title,
            "mentions": len(query.entity.mentions),
            "candidates": len(query.windows),
            "sections": [1] * len(query.windows),
            "gold": list(query.right),
        }

    @property
    def question(self) -> tuple[Entity, Article]:
        """The target, and a page on which each window is one sentence."""
        return self.query.entity, page_of_texts(self.query)

    def scores(self, ranker: Ranker) -> Scores:
        """Return what a ranker gives to each window."""
        return score_windows(ranker, self.query)
