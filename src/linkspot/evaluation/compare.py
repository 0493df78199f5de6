"""`linkspot compare`: stored rankings → tables with significance, and plots."""

from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path

from linkspot.errors import UnknownRanker, UnusableInput
from linkspot.evaluation.comparison_plots import calibration_plot, curve_plot, language_plot
from linkspot.evaluation.comparison_tables import (
    Pairs,
    calibration_table,
    curve_table,
    figure_table,
    given_as,
    language_table,
    left_out,
    main_table,
    nowhere_table,
    pair_table,
    reliability_table,
    slice_table,
)
from linkspot.evaluation.curves import MENTIONS, PAGE_LENGTHS, Point, curve
from linkspot.evaluation.figures import MAIN_METRICS, Figures, Metric
from linkspot.evaluation.stored import Evaluation
from linkspot.metrics.calibration import Probabilities, Reliabilities, Reliability
from linkspot.metrics.significance import DRAWS
from linkspot.metrics.significance_marks import LEVEL
from linkspot.metrics.slices import SLICES, Slice
from linkspot.progress import SILENT, Progress
from linkspot.reporting.drawing import draw_all
from linkspot.reporting.report_files import write_report
from linkspot.reporting.report_table import ReportTable

MARKDOWN = "comparison.md"
FOLDER = "comparison"  # in that of the evaluation
_BY_LENGTH, _BY_MENTIONS = "page_length", "mentions"


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """Which ranker to compare with, by which metrics, with how many draws; by default the best two are compared."""

    against: str = ""
    metrics: tuple[Metric, ...] = MAIN_METRICS
    draws: int = DRAWS
    seed: int = 0


@dataclass(frozen=True)
class ComparisonReport:
    """The results of comparing the rankers of one evaluation."""

    name: str  # of the evaluation's folder
    figures: Figures
    pairs: Pairs
    options: ComparisonOptions

    @cached_property
    def main(self) -> ReportTable:
        """The table that sums it up."""
        return main_table(self.figures, self.options.metrics, self.pairs, self.options.against)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about the whole comparison, in sentences."""
        evaluation = self.figures.evaluation
        return tuple(filter(None, (given_as(evaluation), left_out(evaluation), self._too_few_draws())))

    def tables(self) -> tuple[ReportTable, ...]:
        """Return all tables of the report; a table that does not apply has no rows."""
        figures, metrics = self.figures, self.options.metrics
        others = [ranker for ranker in figures.rankers if ranker not in self._reliabilities]
        return (
            self.main,
            slice_table(figures),
            pair_table(self.pairs, self.options.draws),
            nowhere_table(figures),
            language_table(figures, metrics),
            curve_table(_BY_LENGTH, "Rankers by the length of the page", "candidates", self._by_length, metrics),
            curve_table(_BY_MENTIONS, "Rankers by known mentions", "mentions", self._by_mentions, metrics),
            calibration_table(self._reliabilities, others),
            reliability_table(self._reliabilities),
            figure_table(figures),
        )

    def write(self, out: Path) -> tuple[Path, ...]:
        """Write tables as CSV, LaTeX and one Markdown page, and plots as PNG and SVG; return the files."""
        opening = [
            "# Comparison of rankers\n",
            f"Made by linkspot {version('linkspot')} of the rankings in `{self.name}`, with the seed "
            f"{self.options.seed}.\n",
            *(f"{note}\n" for note in self.notes),
        ]
        return write_report(out / MARKDOWN, opening, self.tables(), self._draw, has_latex=True)

    def _draw(self, out: Path) -> tuple[str, ...]:
        figures, metrics = self.figures, self.options.metrics
        plots = {
            "languages": partial(language_plot, figures, metrics[0]),
            _BY_LENGTH: partial(curve_plot, self._by_length, metrics, figures.rankers, "candidates of the page"),
            _BY_MENTIONS: partial(
                curve_plot, self._by_mentions, metrics, figures.rankers, "known mentions of the target"
            ),
            "calibration": partial(calibration_plot, self._reliabilities, figures.rankers),
        }
        return draw_all(plots, out)

    @cached_property
    def _by_length(self) -> list[Point]:
        return curve(self.figures, self.figures.evaluation.candidates, PAGE_LENGTHS, self.options.metrics)

    @cached_property
    def _by_mentions(self) -> list[Point]:
        return curve(self.figures, self.figures.evaluation.mentions, MENTIONS, self.options.metrics)

    @cached_property
    def _reliabilities(self) -> Reliabilities:
        """How reliable the probabilities of rankers are, over all queries, also those without a right place."""
        evaluation, reliabilities = self.figures.evaluation, {}
        for ranker, ranking in evaluation.rankings.items():
            if ranking.are_logits:
                probabilities = Probabilities.of(ranking)
                hits = self.figures.values[ranker][Metric.HITS_AT_1]
                is_nowhere = evaluation.gold.lengths == 0
                reliabilities[ranker] = (
                    Reliability.of(probabilities.best, hits),
                    Reliability.of(probabilities.nowhere, is_nowhere),
                )
        return reliabilities

    def _too_few_draws(self) -> str:
        most = max((len(comparisons) for comparisons in self.pairs.values()), default=0)
        least = most / (self.options.draws + 1)
        if least < LEVEL:
            return ""
        return (
            f"With {self.options.draws:,} draws and {most:,} pairs no corrected p is below {least:.2f}: "
            f"draw at least {round(most / LEVEL):,} times."
        )


def compare(
    folder: Path,
    out: Path | None = None,
    options: ComparisonOptions | None = None,
    progress: Progress = SILENT,
) -> ComparisonReport:
    """Compare the rankers of an evaluation, and write a report into its folder, or into another one."""
    report = find(folder, options or ComparisonOptions(), progress)
    report.write(out or folder / FOLDER)
    return report


def find(folder: Path, options: ComparisonOptions, progress: Progress = SILENT) -> ComparisonReport:
    """Compare the rankers of an evaluation; nothing is written."""
    evaluation = Evaluation.open(folder)
    rankers = tuple(evaluation.rankings)
    if not rankers:
        raise UnusableInput(f"{folder} holds no complete rankings; run 'linkspot evaluate' into it again")
    if options.against and options.against not in rankers:
        raise UnknownRanker(
            f"{folder} holds no complete rankings of {options.against!r}; there are: {', '.join(rankers)}"
        )
    figures = Figures.of(evaluation, options.seed)
    return ComparisonReport(folder.name, figures, _pairs(figures, options, progress), options)


def _pairs(figures: Figures, options: ComparisonOptions, progress: Progress) -> Pairs:
    parts: dict[object, Slice] = {}
    for part in SLICES:
        parts.setdefault(part.scenarios, part)  # Present and text_present are the same queries
    sought = [(part, metric) for part in parts.values() for metric in options.metrics]
    stage, pairs = progress.stage("significance"), {}
    for number, (part, metric) in enumerate(sought, start=1):
        pairs[part, metric] = figures.pairs(metric, part, options.draws)
        stage.update(number / len(sought), sum(map(len, pairs.values())))
    return pairs
