"""The tables of results: figures beside the paper's, differences from a reference, counts and facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from linkspot.evaluation.comparison_tables import Pairs, main_table
from linkspot.evaluation.figures import MAIN_METRICS, Figures, Metric
from linkspot.experiments.paper_figures import FIGURES, GROUP, PaperFigure, PaperTable
from linkspot.metrics.significance import DRAWS, interval
from linkspot.metrics.slices import MAIN_SLICES, Slice
from linkspot.reporting.cells import Cell, Cells, Estimate, count, difference, metric, p_value, with_margin
from linkspot.reporting.report_table import Column, ReportTable


@dataclass(frozen=True, slots=True)
class Contest:
    """Rankers that are compared with one of them, the reference, on the same queries."""

    figures: Figures
    reference: str
    draws: int = DRAWS

    def pairs(self) -> Pairs:
        """Compare every other ranker with the reference in every main slice, with corrected p-values."""
        return {
            (part, name): self.figures.pairs(name, part, self.draws, self.reference)
            for part in MAIN_SLICES
            for name in MAIN_METRICS
        }

    def difference(self, ranker: str, part: Slice, name: Metric) -> Estimate | None:
        """Return a ranker's figure minus the reference's, with the interval of that difference."""
        queries = self.figures.queries(part)
        if not len(queries):
            return None
        both = (ranker, self.reference)
        own_values, reference_values = (self.figures.values[label][name][queries] for label in both)
        groups = self.figures.evaluation.language[queries]
        around = interval(own_values - reference_values, groups, seed=self.figures.seed, draws=1_000)
        own, reference = (self.figures.figure(label, name, part) for label in both)
        value = own.value - reference.value if own and reference else 0.0
        return Estimate(value, around.low, around.high)


def summary_table(contest: Contest, pairs: Pairs) -> ReportTable:
    """Return Hits@1 and MRR of every variant, narrow enough for a terminal."""
    table = main_table(contest.figures, MAIN_METRICS, pairs, contest.reference)
    columns = (replace(table.columns[0], name="variant"), *table.columns[1:])
    return replace(table, title="Variants, macro over languages", columns=columns)


def variant_table(summary: ReportTable, paper: PaperTable | None, methods: Mapping[str, str]) -> ReportTable:
    """Return the summary with intervals, and the paper's figures of the same methods in columns that are set apart.

    `methods` maps the labels of variants to the paper's names of methods.
    """
    columns = tuple(replace(column, format=with_margin) if column.format else column for column in summary.columns)
    note = f"{summary.note} ± is half of the 95 % interval."
    if paper is None:
        return replace(summary, columns=columns, note=note)
    paper_columns = tuple(Column(part.name, metric, GROUP, is_aside=True) for part in MAIN_SLICES)
    rows = tuple((*row, *_paper_cells(FIGURES[paper].get(methods.get(str(row[0]), "")))) for row in summary.rows)
    note += f" The paper's figures are Hits@1, {paper}: other pages and other edits than ours."
    return replace(summary, columns=(*columns, *paper_columns), rows=rows, note=note)


def _paper_cells(figure: PaperFigure | None) -> Cells:
    return (figure.overall, figure.present, figure.missing) if figure else (None, None, None)


def difference_table(contest: Contest, pairs: Pairs) -> ReportTable:
    """Return how much every other variant differs from the reference, with p-values."""
    columns = [Column("metric"), Column("variant")]
    for part in MAIN_SLICES:
        columns += [
            Column("difference", difference_with_margin, part.name, has_interval=True),
            Column("p", p_value, part.name),
        ]
    others = [ranker for ranker in contest.figures.rankers if ranker != contest.reference]
    rows = tuple(
        (str(name), ranker, *(cell for part in MAIN_SLICES for cell in _compared(contest, pairs, ranker, part, name)))
        for name in MAIN_METRICS
        for ranker in others
    )
    note = (
        f"Paired randomisation tests with {contest.draws:,} draws on the same queries, stratified by language; p is "
        "corrected (Holm) for the number of variants. ± is half of the 95 % interval of the difference."
    )
    return ReportTable("differences", f"Differences from {contest.reference}", tuple(columns), rows, block=1, note=note)


def _compared(contest: Contest, pairs: Pairs, ranker: str, part: Slice, name: Metric) -> tuple[Cell, Cell]:
    own_pairs = [pair for pair in pairs[part, name] if ranker in {pair.a, pair.b}]
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
