"""Lines and columns: where editors look for a character of a page."""

from typing import NamedTuple


class LinePosition(NamedTuple):
    """A character's line and its column in that line, both counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


def line_position(text: str, offset: int) -> LinePosition:
    """Return where the character at this offset stands; lines end at line feeds, as git counts them."""
    return LinePosition(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
