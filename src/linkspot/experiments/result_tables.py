"""The tables of results: figures, differences from the variant that each is compared with, counts and facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from linkspot.evaluation.comparison_tables import Pairs, main_table
from linkspot.evaluation.figures import MAIN_METRICS, Figures, Metric
from linkspot.metrics.significance import DRAWS, interval
from linkspot.metrics.slices import MAIN_SLICES, SCENARIO_SLICES, Slice
from linkspot.reporting.cells import Cell, Cells, Estimate, count, difference, metric, p_value, with_margin
from linkspot.reporting.report_table import Column, ReportTable


@dataclass(frozen=True)
class Contest:
    """Rankers that are compared on the same queries: all others with the reference, or each step with the one before.

    `steps` are the labels of the steps in their order.
    """

    figures: Figures
    reference: str
    steps: tuple[str, ...] = ()
    draws: int = DRAWS

    @cached_property
    def rivals(self) -> dict[str, str]:
        """By ranker, the one that it is compared with."""
        if self.steps:
            return dict(zip(self.steps[1:], self.steps, strict=False))
        return {ranker: self.reference for ranker in self.figures.rankers if ranker != self.reference}

    def pairs(self, parts: Sequence[Slice] = MAIN_SLICES) -> Pairs:
        """Compare every ranker with its rival in every slice, with p-values corrected for the number of pairs."""
        return {
            (part, name): self.figures.pairs(name, part, self.draws, rivals=self.rivals)
            for part in parts
            for name in MAIN_METRICS
        }

    def difference(self, ranker: str, part: Slice, name: Metric) -> Estimate | None:
        """Return a ranker's figure minus its rival's, with the interval of that difference."""
        queries = self.figures.queries(part)
        if not len(queries):
            return None
        both = (ranker, self.rivals[ranker])
        own_values, rival_values = (self.figures.values[label][name][queries] for label in both)
        groups = self.figures.evaluation.language[queries]
        around = interval(own_values - rival_values, groups, seed=self.figures.seed, draws=1_000)
        own, rival = (self.figures.figure(label, name, part) for label in both)
        value = own.value - rival.value if own and rival else 0.0
        return Estimate(value, around.low, around.high)

    def table(self, pairs: Pairs, parts: Sequence[Slice] = MAIN_SLICES) -> ReportTable:
        """Return Hits@1 and MRR of every variant in some slices, with marks of significance."""
        rivals = self.rivals if self.steps else None
        table = main_table(self.figures, MAIN_METRICS, pairs, self.reference, rivals, parts)
        return replace(table, columns=(replace(table.columns[0], name="variant"), *table.columns[1:]))


def summary_table(contest: Contest, pairs: Pairs) -> ReportTable:
    """Return Hits@1 and MRR of every variant, narrow enough for a terminal."""
    return replace(contest.table(pairs), title="Variants, macro over languages")


def scenario_table(contest: Contest) -> ReportTable:
    """Return Hits@1 and MRR of every variant in each scenario."""
    table = contest.table(contest.pairs(SCENARIO_SLICES), SCENARIO_SLICES)
    return with_intervals(replace(table, name="scenarios", title="Variants by scenario, macro over languages"))


def with_intervals(summary: ReportTable) -> ReportTable:
    """Return a table with half of the 95 % interval behind each figure."""
    columns = tuple(replace(column, format=with_margin) if column.format else column for column in summary.columns)
    return replace(summary, columns=columns, note=f"{summary.note} ± is half of the 95 % interval.")


def difference_table(contest: Contest, pairs: Pairs) -> ReportTable:
    """Return how much every variant differs from the one it is compared with, with p-values."""
    columns = [Column("metric"), Column("variant"), *([Column("compared with")] if contest.steps else [])]
    for part in MAIN_SLICES:
        columns += [
            Column("difference", difference_with_margin, part.name, has_interval=True),
            Column("p", p_value, part.name),
        ]
    rows = tuple(
        (
            str(name),
            ranker,
            *([rival] if contest.steps else []),
            *(cell for part in MAIN_SLICES for cell in _compared(contest, pairs, ranker, part, name)),
        )
        for name in MAIN_METRICS
        for ranker, rival in contest.rivals.items()
    )
    note = (
        f"Paired randomisation tests with {contest.draws:,} draws on the same queries, stratified by language; p is "
        "corrected (Holm) for the number of variants. ± is half of the 95 % interval of the difference."
    )
    title = f"Differences from {'the variant before' if contest.steps else contest.reference}"
    return ReportTable("differences", title, tuple(columns), rows, block=1, note=note)


def _compared(contest: Contest, pairs: Pairs, ranker: str, part: Slice, name: Metric) -> tuple[Cell, Cell]:
    own_pairs = [pair for pair in pairs[part, name] if {pair.a, pair.b} == {ranker, contest.rivals[ranker]}]
    return contest.difference(ranker, part, name), own_pairs[0].p_corrected if own_pairs else None


def difference_with_margin(cell: Cell) -> str:
    """Write a difference with its margin: +.012 ±.030."""
    if not isinstance(cell, Estimate):
        return difference(cell)
    return f"{difference(cell.value)} ±{metric(cell.margin)}"


def count_table(name: str, title: str, columns: Mapping[str, Mapping[str, int]], note: str = "") -> ReportTable:
    """Return a table of counts by language, with the sum of each column."""
    languages = sorted({language for counts in columns.values() for language in counts})
    rows: list[Cells] = [
        (language, *(counts.get(language, 0) for counts in columns.values())) for language in languages
    ]
    rows.append(("total", *(sum(counts.values()) for counts in columns.values())))
    heads = (Column("language"), *(Column(column, count) for column in columns))
    return ReportTable(name, title, heads, tuple(rows), note=note)


def fact_table(name: str, title: str, columns: Sequence[str], rows: Sequence[Cells], note: str = "") -> ReportTable:
    """Return a table of words and numbers that are shown as they are."""
    return ReportTable(name, title, tuple(map(Column, columns)), tuple(rows), note=note)
