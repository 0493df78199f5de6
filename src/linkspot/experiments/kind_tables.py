"""Tables of the benchmark by the kind of wiki: how well rankers do on each, and what they say of strangers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkspot.evaluation.figures import Figure, Figures, Metric
from linkspot.evaluation.stored import Evaluation
from linkspot.evaluation.strangers import Distance
from linkspot.metrics.calibration import Probabilities, Reliability
from linkspot.metrics.nearness import best_in_section, near_best
from linkspot.metrics.rankings import Floats, Ints, Ranking
from linkspot.metrics.separation import auc
from linkspot.metrics.slices import MAIN_SLICES, Slice
from linkspot.reporting.cells import Cell, Estimate, metric
from linkspot.reporting.report_table import Column, ReportTable

_NEAR = 2  # sentences that an editor reads on without effort
_, _PRESENT, _MISSING = MAIN_SLICES


@dataclass(frozen=True)
class KindFigures:
    """The tests of one kind of wiki, and the strangers that were asked about in its pages."""

    name: str
    figures: Figures
    strangers: Evaluation | None  # None if no page had any

    @classmethod
    def of(cls, name: str, tests: Evaluation, strangers: Evaluation | None, seed: int = 0) -> "KindFigures":
        """Compute the figures of a kind's tests."""
        return cls(name, Figures.of(tests, seed), strangers)

    def row(self, ranker: str, part: Slice) -> list[Cell]:
        """Return how high the right places of a slice stand, and how far the best place is from them."""
        evaluation = self.figures.evaluation
        scores = evaluation.rankings[ranker].scores
        found = [self.figures.figure(ranker, name, part) for name in (Metric.HITS_AT_1, Metric.MRR)]
        found.append(self._mean(near_best(scores, evaluation.gold, _NEAR), part))
        if evaluation.sections:
            found.append(self._mean(best_in_section(scores, evaluation.gold, evaluation.sections), part))
        return [_estimate(figure) for figure in found]

    def says_nowhere(self, ranker: str) -> Figure | None:
        """Return how often a ranker says *nowhere* of a link that has a place."""
        return self.figures.says_nowhere(ranker, MAIN_SLICES[0])

    def separation(self, ranker: str, distance: Distance) -> float | None:
        """Return the AUC between links that have a place and strangers at a distance."""
        strangers = self._at(distance)
        belonging = _belonging(self.figures.evaluation.rankings[ranker])[self._answered]
        if strangers is None or not len(belonging):
            return None
        return auc(belonging, _belonging(strangers.rankings[ranker]))

    def nowhere_of(self, ranker: str, distance: Distance) -> float | None:
        """Return how often a ranker says *nowhere* of strangers at a distance."""
        strangers = self._at(distance)
        return float(strangers.rankings[ranker].says_nowhere.mean()) if strangers else None

    def calibration_error(self, ranker: str) -> float | None:
        """Return how far the probabilities of best places are off, on the tests; None if it gives none."""
        ranking = self.figures.evaluation.rankings[ranker]
        if not ranking.are_logits or not len(self.figures.evaluation):
            return None
        return Reliability.of(Probabilities.of(ranking).best, self.figures.values[ranker][Metric.HITS_AT_1]).error

    @cached_property
    def _answered(self) -> Ints:
        return np.flatnonzero(self.figures.evaluation.gold.lengths)

    def _at(self, distance: Distance) -> Evaluation | None:
        if self.strangers is None:
            return None
        names = {corpus for corpus in self.strangers.corpora if corpus.endswith(f"/{distance}")}
        return self.strangers.of_corpora(names) if names else None

    def _mean(self, values: Floats, part: Slice) -> Figure | None:
        return self.figures.mean(values, self.figures.queries(part))


def kind_table(kinds: Sequence[KindFigures]) -> ReportTable:
    """Return rankers by kind of wiki, where the words were there and where they were missing."""
    columns = [Column("wikis"), Column("ranker")]
    for part in (_PRESENT, _MISSING):
        columns += [
            Column(name, metric, part.name, is_contest=True, has_interval=True)
            for name in ("Hits@1", "MRR", f"within {_NEAR}", "section")
        ]
    rows = tuple(
        (_title(kind), ranker, *kind.row(ranker, _PRESENT), *kind.row(ranker, _MISSING))
        for kind in kinds
        for ranker in kind.figures.rankers
    )
    note = (
        f"Macro over the languages of a kind. Within {_NEAR}: the best place is at most {_NEAR} sentences from a right "
        "one; section: it is in the right section."
    )
    return ReportTable("kinds", "Rankers by kind of wiki", tuple(columns), rows, block=1, note=note)


def stranger_table(kinds: Sequence[KindFigures]) -> ReportTable:
    """Return how well rankers tell strangers from links that have a place, and how often they say *nowhere*."""
    names = ("near, AUC", "far, AUC", "of links", "of near", "of far", "ECE")
    groups = ("told apart", "told apart", "says nowhere", "says nowhere", "says nowhere", "")
    columns = [Column("wikis"), Column("ranker")]
    columns += [Column(name, metric, group) for name, group in zip(names, groups, strict=True)]
    rows = []
    for kind in kinds:
        for ranker in kind.figures.rankers:
            said = kind.says_nowhere(ranker)
            rows.append(
                (
                    kind.name,
                    ranker,
                    kind.separation(ranker, Distance.NEAR),
                    kind.separation(ranker, Distance.FAR),
                    said.value if said else None,
                    kind.nowhere_of(ranker, Distance.NEAR),
                    kind.nowhere_of(ranker, Distance.FAR),
                    kind.calibration_error(ranker),
                )
            )
    note = (
        "A far stranger is a target of a page that shares no link with the page, a near one of the page that shares "
        "most. AUC: how often a link that has a place gets a higher chance to have one than a stranger. ECE: of the "
        "best places' probabilities, on the tests."
    )
    return ReportTable("strangers", "Strangers, by kind of wiki", tuple(columns), tuple(rows), block=1, note=note)


def _title(kind: KindFigures) -> str:
    counts = ", ".join(f"{len(kind.figures.queries(part)):,} {part.name}" for part in (_PRESENT, _MISSING))
    return f"{kind.name} ({counts})"


def _belonging(ranking: Ranking) -> Floats:
    """Return what grows with the chance that a link belongs in the page at all."""
    if ranking.are_logits:
        return -Probabilities.of(ranking).nowhere
    return ranking.scores.reduce(np.maximum, -np.inf)


def _estimate(figure: Figure | None) -> Estimate | None:
    return Estimate(figure.value, figure.interval.low, figure.interval.high) if figure else None
