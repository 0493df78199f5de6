"""Text in a table but in none of its cells, which browsers move before the table."""

from linkspot.parsing.html.source import HtmlSource, tag_name

_CELLS = frozenset({"caption", "td", "th"})
_PARTS = frozenset({"tbody", "tfoot", "thead", "tr"})


def moved_texts(source: HtmlSource) -> frozenset[int]:
    """Return the numbers of the pieces of text that stand elsewhere in the tree than in the source."""
    moved: list[int] = []
    in_cell: list[bool] = []  # for each open table: whether one of its cells is open
    for number, piece in enumerate(source.pieces):
        if number % 2 == 0:
            if in_cell and not in_cell[-1] and piece:
                moved.append(number)
            continue
        name, is_end = tag_name(piece), piece.startswith("</")
        if name == "table" and not is_end:
            in_cell.append(False)
        elif in_cell and name == "table":
            in_cell.pop()
        elif in_cell and (name in _CELLS or name in _PARTS):
            in_cell[-1] = name in _CELLS and not is_end
    return frozenset(moved)
