"""Insertions as people read them: the page before and after, side by side, with what was decided."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from linkspot.tables.schemas import article_of

_AROUND = 2  # sentences of the page before that are shown around the right ones
_LONGEST = 900  # characters of a side
_NARROW = 72  # columns, below which two sides leave no room for a sentence
_RIGHT = "→ "  # seen also where there are no colours


def show_insertions(rows: Iterable[Mapping[str, Any]], console: Console) -> None:
    """Write each insertion: what was linked to what, where it belonged before, and how the page reads after."""
    for number, row in enumerate(rows, start=1):
        console.print(_panel(number, row, is_narrow=console.width < _NARROW))


def _panel(number: int, row: Mapping[str, Any], is_narrow: bool) -> Panel:
    # Inside the panel, since rich cuts off what does not fit into the frame.
    title = Text(f"{number}. {row['language']}: {row['source_title']} → {row['target_title']}", style="bold")
    where = f" in “{row['section']}”" if row["section"] else " in the lead" if row["gold"] else ""
    decision = Text.assemble((row["scenario"], "bold cyan"), f"{where}: {_places(row)}")
    time = Text(f"{row['after_time']:%Y-%m-%d}, revision {row['after_revision'][:12]}", style="dim")
    heads = Text(f"before, revision {row['before_revision'][:12]}", style="dim"), Text("after", style="dim")
    sides = _below(heads, row) if is_narrow else _beside(heads, row)
    return Panel(Group(title, decision, time, Text(), sides))


def _beside(heads: tuple[Text, Text], row: Mapping[str, Any]) -> Table:
    sides = Table.grid(expand=True, padding=(0, 2))
    sides.add_column(ratio=1)
    sides.add_column(ratio=1)
    sides.add_row(*heads)
    sides.add_row(_before(row), _after(row))
    return sides


def _below(heads: tuple[Text, Text], row: Mapping[str, Any]) -> Group:
    return Group(heads[0], _before(row), Text(), heads[1], _after(row))


def _places(row: Mapping[str, Any]) -> str:
    if not row["gold"]:
        return "nowhere, the section did not exist"
    return "sentence " + " or ".join(str(number) for number in row["gold"])


def _before(row: Mapping[str, Any]) -> Text:
    """Return the right sentences among their neighbours."""
    article = article_of(row["source_title"], row["language"], row["sections"])
    gold = set(row["gold"])
    shown = {number + step for number in gold for step in range(-_AROUND, _AROUND + 1)}
    if not gold:
        return Text("\n".join(section.title or "(lead)" for section in article.sections), style="dim")
    right_section = article.sentences[min(gold)][0]
    lines = [
        Text(f"{_RIGHT}{sentence.text}", style="black on green") if number in gold else Text(sentence.text)
        for number, (section, sentence) in enumerate(article.sentences)
        if number in shown and section == right_section
    ]
    return Text("\n").join(lines)


def _after(row: Mapping[str, Any]) -> Text:
    """Return the text with the new link, whose words stand in brackets."""
    context, start, end = row["context"], row["mention_start"], row["mention_end"]
    beginning = max(0, start - _LONGEST // 2) if len(context) > _LONGEST else 0
    return Text.assemble(
        context[beginning:start], (f"[{context[start:end]}]", "black on yellow"), context[end : beginning + _LONGEST]
    )
