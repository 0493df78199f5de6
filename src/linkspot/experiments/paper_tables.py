"""The paper's figures in reports: beside ours in columns that are set apart, and its whole table as it was printed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from linkspot.experiments.experiment import PaperTable
from linkspot.experiments.paper_figures import (
    GROUP,
    TEST_DATA,
    PaperFigure,
    published_split,
    published_table,
)
from linkspot.metrics.slices import OVERALL
from linkspot.reporting.cells import Cells, count, metric
from linkspot.reporting.report_table import Column, ReportTable


def is_by_scenario(paper: PaperTable) -> bool:
    """Return whether the paper gives a table by scenario, instead of Overall, Present and Missing."""
    return all(part != OVERALL for _metric, part in published_table(paper).columns)


def with_paper(table: ReportTable, paper: PaperTable, methods: Mapping[str, str]) -> ReportTable:
    """Return a table of ours with the paper's figures of the same methods, in columns that are set apart.

    `methods` maps the labels of our rows to the paper's names.
    """
    published = published_table(paper)
    fields = sorted(published.columns, key=lambda field: field[0])  # Hits@1 in all slices, then MRR
    columns = tuple(Column(part.name, metric, f"{GROUP} {name}", is_aside=True) for name, part in fields)
    rows: list[Cells] = []
    for row in table.rows:
        figures = published.rows.get(methods.get(str(row[0]), ""), {})
        rows.append((*row, *(figures[field].value if field in figures else None for field in fields)))
    note = f"{table.note} The paper's figures are of other pages and other edits than ours: {published.measured}."
    return replace(table, columns=(*table.columns, *columns), rows=tuple(rows), note=note)


def paper_table(paper: PaperTable) -> ReportTable:
    """Return a table as the paper prints it, with its marks."""
    published = published_table(paper)
    columns = (Column("the paper's row"), *(Column(str(name), group=part.name) for name, part in published.columns))
    rows = tuple(
        (name, *(_printed(figures[field]) for field in published.columns)) for name, figures in published.rows.items()
    )
    marks = f" † p < .05, {published.dagger}." if published.dagger else ""
    note = f"{published.label}, {published.measured}.{marks}"
    if published.note:
        note += f" {published.note}."
    return ReportTable("paper", "The paper's own table", columns, rows, note=note)


def difference_of_data(paper: PaperTable, ours: str) -> str:
    """Say how the data behind the paper's figures differs from ours."""
    return (
        f"What differs in the data. The paper: {published_table(paper).measured}; {TEST_DATA}. Here: {ours}. Compare "
        "the order of methods, not the figures."
    )


def with_papers_counts(table: ReportTable) -> ReportTable:
    """Return a table of counts by language with the paper's counts of the same languages, if it has any of them."""
    published = published_split()
    if not any(row[0] in published for row in table.rows):
        return table
    names: Sequence[str] = ("existing links", "added links: train", "test")
    columns = tuple(Column(name, count, GROUP, is_aside=True) for name in names)
    rows: list[Cells] = []
    for row in table.rows:
        counts = published.get(str(row[0]))
        own: Cells = (counts.existing_links, counts.added_links, counts.test) if counts else (None, None, None)
        rows.append((*row, *own))
    return replace(table, columns=(*table.columns, *columns), rows=tuple(rows))


def _printed(figure: PaperFigure) -> str:
    return metric(figure.value) + ("†" if figure.is_significant else "")
