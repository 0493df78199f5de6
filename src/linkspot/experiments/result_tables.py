"""Tables of experiments: figures beside the paper's, differences from a reference, what was trained, and on what."""

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
    """Rankers that are compared with one of them, on the same queries."""

    figures: Figures
    reference: str
    draws: int = DRAWS

    def pairs(self) -> Pairs:
        """Compare every other ranker with the reference, in every main slice; corrected for that many pairs."""
        return {
            (part, name): self.figures.pairs(name, part, self.draws, self.reference)
            for part in MAIN_SLICES
            for name in MAIN_METRICS
        }

    def difference(self, ranker: str, part: Slice, name: Metric) -> Estimate | None:
        """Return a ranker's figure less the reference's, with the interval of that difference."""
        queries = self.figures.queries(part)
        if not len(queries):
            return None
        ours, others = (self.figures.values[one][name][queries] for one in (ranker, self.reference))
        groups = self.figures.evaluation.language[queries]
        found = interval(ours - others, groups, seed=self.figures.seed, draws=1_000)
        mine, its = (self.figures.figure(one, name, part) for one in (ranker, self.reference))
        value = mine.value - its.value if mine and its else 0.0
        return Estimate(value, found.low, found.high)


def summary_table(contest: Contest, pairs: Pairs) -> ReportTable:
    """Return Hits@1 and MRR of every variant, narrow enough for a terminal."""
    table = main_table(contest.figures, MAIN_METRICS, pairs, contest.reference)
    columns = (replace(table.columns[0], name="variant"), *table.columns[1:])
    return replace(table, title="Variants, macro over languages", columns=columns)


def variant_table(summary: ReportTable, paper: PaperTable | None, methods: Mapping[str, str]) -> ReportTable:
    """Return the summary with intervals, and beside it the paper's figures of the same methods, set apart.

    `methods` are the paper's names of methods by the labels of variants.
    """
    columns = tuple(replace(column, format=with_margin) if column.format else column for column in summary.columns)
    note = f"{summary.note} ± is half of the 95 % interval."
    if paper is None:
        return replace(summary, columns=columns, note=note)
    theirs = tuple(Column(part.name, metric, GROUP, is_aside=True) for part in MAIN_SLICES)
    rows = tuple((*row, *_theirs(FIGURES[paper].get(methods.get(str(row[0]), "")))) for row in summary.rows)
    note += f" The paper's figures are Hits@1, {paper}: other pages and other edits than ours."
    return replace(summary, columns=(*columns, *theirs), rows=rows, note=note)


def _theirs(figure: PaperFigure | None) -> Cells:
    return (figure.overall, figure.present, figure.missing) if figure else (None, None, None)


def difference_table(contest: Contest, pairs: Pairs) -> ReportTable:
    """Return how much every other variant differs from the reference, and how likely chance alone does that."""
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
    found = [pair for pair in pairs[part, name] if ranker in {pair.a, pair.b}]
    return contest.difference(ranker, part, name), found[0].p_corrected if found else None


def difference_with_margin(cell: Cell) -> str:
    """Write how much more or less, with half of the interval: +.012 ±.030."""
    if not isinstance(cell, Estimate):
        return difference(cell)
    return f"{difference(cell.value)} ±{metric(cell.margin)}"


def count_table(name: str, title: str, columns: Mapping[str, Mapping[str, int]], note: str = "") -> ReportTable:
    """Return counts by language, each column with its sum."""
    languages = sorted({language for counts in columns.values() for language in counts})
    rows: list[Cells] = [(language, *(of.get(language, 0) for of in columns.values())) for language in languages]
    rows.append(("total", *(sum(of.values()) for of in columns.values())))
    heads = (Column("language"), *(Column(column, count) for column in columns))
    return ReportTable(name, title, heads, tuple(rows), note=note)


def fact_table(name: str, title: str, columns: Sequence[str], rows: Sequence[Cells], note: str = "") -> ReportTable:
    """Return a table of words and numbers as they are."""
    return ReportTable(name, title, tuple(map(Column, columns)), tuple(rows), note=note)
