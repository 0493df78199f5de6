"""Tables on terminals of any width: every number and every name can be read."""

import io
import re

import pytest
from rich.console import Console

from linkspot.reporting.cells import count, share
from linkspot.reporting.report_table import Column, ReportTable
from linkspot.reporting.terminal import show

NUMBERS = [f"{number}{number}{number}" for number in range(1, 9)]
TABLE = ReportTable(
    "wide",
    "Eight columns",
    (Column("language"), *(Column(f"column of {number}", count) for number in NUMBERS), Column("share", share)),
    (("en", *map(int, NUMBERS), 0.25), ("total", *map(int, NUMBERS), 0.75)),
)


def _shown(table: ReportTable, width: int) -> str:
    console = Console(file=io.StringIO(), width=width)
    show(table, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_no_number_and_no_name_is_cut_off(width: int) -> None:
    text = _shown(TABLE, width)
    assert "…" not in text
    assert all(len(line) <= width for line in text.splitlines())
    for label, fraction in (("en", "25.0%"), ("total", "75.0%")):
        rows = [line.split() for line in text.splitlines() if line.split()[:1] == [label]]
        assert [cell for row in rows for cell in row[1:]] == [*NUMBERS, fraction]


def test_a_table_that_fits_is_in_one_piece_and_one_that_does_not_is_in_parts_of_like_width() -> None:
    assert _shown(TABLE, 120).count("language") == 1
    parts = [line.split() for line in _shown(TABLE, 60).splitlines() if line.startswith("en")]
    assert [len(part) - 1 for part in parts] == [4, 5]


def test_long_words_are_wrapped_beside_their_numbers() -> None:
    reason = "a link to a page that the corpus does not have under this name or any other"
    table = ReportTable("rejects", "Set aside", (Column("reason"), Column("count", count)), ((reason, 1234),))
    text = _shown(table, 40)
    assert "1,234" in text
    assert "…" not in text
    assert re.sub(r"\W+", " ", "".join(text.splitlines(keepends=True)[3:])).split()[:4] == "a link to a".split()
