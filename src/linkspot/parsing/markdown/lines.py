"""The lines of a Markdown page: where the content of a block is in the page's text."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

# CommonMark's line endings; other characters that Python calls line breaks stay inside their line.
_LINE_END = re.compile(r"\r\n?|\n")
_BLANK = " \t"


@dataclass(frozen=True, slots=True)
class PagePositions:
    """Where each line of one block's content is in the page."""

    content_starts: list[int]
    page_starts: list[int]
    floors: Sequence[int]

    def __call__(self, position: int) -> int:
        """Return the position in the page of a position in the content."""
        line = bisect_right(self.content_starts, position) - 1
        # A tab that is cut by an indentation gives blanks that the page does not have.
        return max(self.page_starts[line] + position - self.content_starts[line], self.floors[line])


class Lines:
    """The lines of page[start:], as CommonMark splits them; `text` joins them with the line ends that it reads."""

    def __init__(self, page: str, start: int = 0) -> None:
        self._starts = array("q", [start])
        self._starts.extend(match.end() for match in _LINE_END.finditer(page, start))
        # CommonMark reads a NUL as the replacement character.
        self.text = _LINE_END.sub("\n", page[start:]).replace("\0", "\ufffd")
        self._lines = self.text.split("\n")

    def positions(self, content: str, first_line: int) -> PagePositions | None:
        """Return where the content that begins in this line is in the page, None if its lines do not match the page."""
        parts = content.split("\n")
        last_line = first_line + len(parts)
        columns = [_column(part, line) for part, line in zip(parts, self._lines[first_line:last_line], strict=False)]
        known = [column for column in columns if column is not None]
        if len(known) < len(parts):
            return None
        floors = self._starts[first_line:last_line]
        return PagePositions(
            content_starts=list(accumulate((len(part) + 1 for part in parts[:-1]), initial=0)),
            page_starts=[floor + column for floor, column in zip(floors, known, strict=True)],
            floors=floors,
        )


def _column(part: str, line: str) -> int | None:
    """Return where in its line a part begins: it reaches to the line's end, save for blanks that were stripped."""
    column = line.rfind(part)
    if column >= 0:
        return column
    words = part.lstrip(_BLANK)
    column = line.rfind(words)
    return None if column < 0 else column - (len(part) - len(words))
