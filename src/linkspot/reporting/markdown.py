"""Tables in Markdown, for reports and cards."""

from collections.abc import Sequence


def markdown_row(cells: Sequence[object]) -> str:
    """Return one row of a table; a bar in a cell stays one."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
