"""Insertions on terminals of any width, with and without colours."""

from datetime import UTC, datetime
from typing import Any

import pytest
from rich.console import Console

from linkspot.cli.side_by_side import show_insertions

FIRST, RIGHT = "L'orario è sintonizzato su una determinata rotta.", "I treni aspettano un pieno carico."
TEXT = f"{FIRST} {RIGHT}"
AFTER = f"{FIRST} Per i treni conviene usare gli ordini condizionati."
ROW: dict[str, Any] = {
    "language": "it",
    "source_title": "it/Manual/Tabella oraria dei veicoli",
    "target_title": "it/Manual/Ordini condizionati",
    "scenario": "missing_mention",
    "section": "Riepilogo",
    "gold": [1],
    "before_revision": "35274",
    "after_revision": "35275",
    "after_time": datetime(2018, 8, 21, tzinfo=UTC),
    "context": AFTER,
    "mention_start": AFTER.index("ordini"),
    "mention_end": len(AFTER) - 1,
    "sections": [
        {
            "title": "Riepilogo",
            "level": 2,
            "text": TEXT,
            "sentences": [{"start": 0, "end": len(FIRST)}, {"start": len(FIRST) + 1, "end": len(TEXT)}],
            "links": [],
        }
    ],
}


def _shown(width: int, row: dict[str, Any] = ROW) -> list[str]:
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        show_insertions([row], console)
    return [line.strip("│ ") for line in capture.get().splitlines()]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_titles_and_revisions_are_never_cut_off(width: int) -> None:
    shown = " ".join(_shown(width))
    assert "1. it: it/Manual/Tabella oraria dei veicoli → it/Manual/Ordini condizionati" in shown
    assert "2018-08-21, revision 35275" in shown


@pytest.mark.parametrize("width", [40, 80])
def test_the_right_sentence_and_the_link_are_seen_without_colours(width: int) -> None:
    shown = _shown(width)
    assert sum(line.startswith("→ I treni") for line in shown) == 1
    assert "[ordini condizionati]" in " ".join(shown)


def test_a_narrow_terminal_has_the_sides_below_each_other() -> None:
    narrow = _shown(40)
    assert "after" in narrow
    assert "L'orario è sintonizzato su una" in narrow
    assert "after" not in _shown(80)


def test_a_long_text_is_cut_around_its_link() -> None:
    row = {**ROW, "context": "a " * 2000 + "link" + " b" * 2000, "mention_start": 4000, "mention_end": 4004}
    shown = " ".join(_shown(80, row))
    assert "[link]" in shown
    assert 400 < len(shown.replace(" ", "")) < 1500
