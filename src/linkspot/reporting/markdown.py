"""Tables in Markdown, for reports and cards."""

from collections.abc import Iterator, Sequence

from linkspot.reporting.report_table import ReportTable


def markdown_row(cells: Sequence[object]) -> str:
    """Return one row of a table; a vertical bar inside a cell is escaped."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def markdown_table(table: ReportTable) -> Iterator[str]:
    """Yield the lines of a table, without its title and note; the best figure of a column is bold."""
    yield markdown_row([column.heading for column in table.columns])
    yield markdown_row(["---:" if column.format else "---" for column in table.columns])
    for row in table.shown():
        yield markdown_row([(f"**{cell.text}**" if cell.is_best else cell.text) + cell.mark for cell in row.cells])
