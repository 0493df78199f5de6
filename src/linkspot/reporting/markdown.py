"""Tables in Markdown, for reports and cards."""

import re
from collections.abc import Iterator, Sequence

from linkspot.reporting.report_table import ReportTable
from linkspot.text.display import displayed

_TAG = re.compile(r"<(?=[A-Za-z/!?])")


def markdown_row(cells: Sequence[object]) -> str:
    """Return one row of a table; a vertical bar or a tag inside a cell is escaped."""
    return "| " + " | ".join(_TAG.sub("&lt;", displayed(str(cell)).replace("|", "\\|")) for cell in cells) + " |"


def markdown_table(table: ReportTable) -> Iterator[str]:
    """Yield the lines of a table, without its title and note; the best figure of a column is bold."""
    yield markdown_row([column.heading for column in table.columns])
    yield markdown_row(["---:" if column.format else "---" for column in table.columns])
    for row in table.shown():
        yield markdown_row([(f"**{cell.text}**" if cell.is_best else cell.text) + cell.mark for cell in row.cells])
