"""Figures: how well stored rankings do, by ranker, slice, metric and language."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np

from linkspot.evaluation.stored import Codes, Evaluation
from linkspot.metrics.averages import Average, mean
from linkspot.metrics.metrics import RightRanks, hits_at, ndcg, reciprocal_rank, right_ranks
from linkspot.metrics.rankings import Floats, Ints
from linkspot.metrics.significance import Comparison, Interval, interval, paired
from linkspot.metrics.slices import Slice
from linkspot.records import Scenario

INTERVAL_DRAWS = 1_000
_SHADES = 32  # how many steps of a metric an interval distinguishes


class Metric(StrEnum):
    """How the ranks of the right places become one number."""

    HITS_AT_1 = "Hits@1"
    MRR = "MRR"
    HITS_AT_3 = "Hits@3"
    HITS_AT_5 = "Hits@5"
    NDCG = "NDCG"


MAIN_METRICS = (Metric.HITS_AT_1, Metric.MRR)
_VALUES: dict[Metric, Callable[[RightRanks], Floats]] = {
    Metric.HITS_AT_1: lambda ranks: hits_at(ranks, 1),
    Metric.MRR: reciprocal_rank,
    Metric.HITS_AT_3: lambda ranks: hits_at(ranks, 3),
    Metric.HITS_AT_5: lambda ranks: hits_at(ranks, 5),
    Metric.NDCG: ndcg,
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over queries, and the interval to expect it in for other queries of the same kind."""

    value: float
    interval: Interval
    queries: int


_Key = tuple[str, Metric, tuple[Scenario, ...], str]


@dataclass(frozen=True, eq=False)
class Figures:
    """The metrics of every stored ranking, and their means; intervals are drawn by the seed."""

    evaluation: Evaluation
    values: dict[str, dict[Metric, Floats]]  # by ranker; (Q,) each
    seed: int = 0
    _queries: dict[Slice, Ints] = field(default_factory=dict, init=False, repr=False)
    # What was drawn once is not drawn again: several tables show the same figure.
    _figures: dict[_Key, Figure | None] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, evaluation: Evaluation, seed: int = 0) -> "Figures":
        """Rank the candidates of every query as each ranker scored them."""
        gold, values = evaluation.gold, {}
        for ranker, ranking in evaluation.rankings.items():
            ranks = right_ranks(ranking.scores.values, ranking.scores.starts, gold.values, gold.starts)
            values[ranker] = {metric: value(ranks) for metric, value in _VALUES.items()}
        return cls(evaluation, values, seed)

    @property
    def rankers(self) -> tuple[str, ...]:
        """The labels of the rankers, in the order in which they joined."""
        return tuple(self.values)

    def queries(self, part: Slice, of: str = Average.MACRO) -> Ints:
        """Return the numbers of a slice's queries, language by language: all of them, or those of one language."""
        if part not in self._queries:
            order = self._by_language
            self._queries[part] = order[self.evaluation.is_of(part.scenarios)[order]]
        queries = self._queries[part]
        if of in tuple(Average):
            return queries
        languages = self.evaluation.languages
        number = languages.index(of) if of in languages else len(languages)
        first, end = np.searchsorted(self.evaluation.language[queries], [number, number + 1])
        return queries[first:end]

    def languages(self, part: Slice) -> tuple[str, ...]:
        """Return the languages that a slice has queries in."""
        numbers = np.unique(self.evaluation.language[self.queries(part)])
        return tuple(self.evaluation.languages[number] for number in numbers)

    def figure(self, ranker: str, metric: Metric, part: Slice, of: str = Average.MACRO) -> Figure | None:
        """Return a ranker's mean in a slice: macro, micro, or of one language; None without queries."""
        key = ranker, metric, part.scenarios, of
        if key not in self._figures:
            self._figures[key] = self.mean(self.values[ranker][metric], self.queries(part, of), of)
        return self._figures[key]

    def says_nowhere(self, ranker: str, part: Slice, of: str = Average.MACRO) -> Figure | None:
        """Return how often a ranker gives no place of the page more than its *nowhere*."""
        said = self.evaluation.rankings[ranker].says_nowhere
        return self.mean(said.astype(np.float64), self.queries(part, of), of)

    def mean(self, values: Floats, queries: Ints, of: str = Average.MACRO) -> Figure | None:
        """Return the mean over some queries of values between 0 and 1, given one for each query there is."""
        if not len(queries):
            return None
        chosen, groups = values[queries], self.evaluation.language[queries]
        average = Average.MICRO if of == Average.MICRO else Average.MACRO
        drawn = interval(_shaded(chosen, groups), groups, seed=self.seed, draws=INTERVAL_DRAWS, average=average)
        return Figure(mean(chosen, groups, average), drawn, len(queries))

    def pairs(
        self, metric: Metric, part: Slice, draws: int, against: str = "", rivals: Mapping[str, str] | None = None
    ) -> list[Comparison]:
        """Compare all pairs of rankers by their macro means in a slice, all others with one, or each with its rival."""
        queries = self.queries(part)
        if not len(queries):
            return []
        values = {ranker: by_metric[metric][queries] for ranker, by_metric in self.values.items()}
        groups = self.evaluation.language[queries]
        return paired(values, groups, seed=self.seed, draws=draws, against=against, rivals=rivals)

    @cached_property
    def _by_language(self) -> Ints:
        return np.argsort(self.evaluation.language, kind="stable")


def _shaded(values: Floats, groups: Codes) -> Floats:
    """Replace each value by the mean of similar values in its group: the mean stays, and almost all of the spread.

    With few distinct values, intervals of many queries are fast to draw. Groups follow one another.
    """
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    sizes = np.diff(starts, append=len(values))
    lowest, highest = (np.repeat(find.reduceat(values, starts), sizes) for find in (np.minimum, np.maximum))
    height = (values - lowest) / np.maximum(highest - lowest, np.finfo(np.float64).tiny)  # 0 to 1 inside a group
    shade = (height * _SHADES).astype(np.int64) + np.repeat(np.arange(len(starts)), sizes) * (_SHADES + 1)
    means: Floats = (np.bincount(shade, values) / np.maximum(np.bincount(shade), 1))[shade]
    return means
