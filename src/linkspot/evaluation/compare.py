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
    """Whom to compare with, by which metrics, and how much to draw; by default the best is compared with the next."""

    against: str = ""
    metrics: tuple[Metric, ...] = MAIN_METRICS
    draws: int = DRAWS
    seed: int = 0


@dataclass(frozen=True)
class ComparisonReport:
    """What a comparison of the rankers of one evaluation found."""

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
        """What a reader has to know of the comparison as a whole, in sentences."""
        evaluation = self.figures.evaluation
        return tuple(filter(None, (given_as(evaluation), left_out(evaluation), self._too_few_draws())))

    def tables(self) -> tuple[ReportTable, ...]:
        """Return all tables of the report; one that has nothing to tell has no rows."""
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
        """How far to rely on the probabilities of rankers: over all queries, also those without a right place."""
        evaluation, found = self.figures.evaluation, {}
        for ranker, ranking in evaluation.rankings.items():
            if ranking.are_logits:
                given = Probabilities.of(ranking)
                hits = self.figures.values[ranker][Metric.HITS_AT_1]
                is_nowhere = evaluation.gold.lengths == 0
                found[ranker] = Reliability.of(given.best, hits), Reliability.of(given.nowhere, is_nowhere)
        return found

    def _too_few_draws(self) -> str:
        most = max((len(found) for found in self.pairs.values()), default=0)
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
        raise UnusableInput(f"{folder} holds no rankings that are whole; run 'linkspot evaluate' into it again")
    if options.against and options.against not in rankers:
        raise UnknownRanker(
            f"{folder} holds no rankings of {options.against!r} that are whole; there are: {', '.join(rankers)}"
        )
    figures = Figures.of(evaluation, options.seed)
    return ComparisonReport(folder.name, figures, _pairs(figures, options, progress), options)


def _pairs(figures: Figures, options: ComparisonOptions, progress: Progress) -> Pairs:
    parts: dict[object, Slice] = {}
    for part in SLICES:
        parts.setdefault(part.scenarios, part)  # Present and text_present are the same queries
    sought = [(part, metric) for part in parts.values() for metric in options.metrics]
    stage, found = progress.stage("significance"), {}
    for number, (part, metric) in enumerate(sought, start=1):
        found[part, metric] = figures.pairs(metric, part, options.draws)
        stage.update(number / len(sought), sum(map(len, found.values())))
    return found
