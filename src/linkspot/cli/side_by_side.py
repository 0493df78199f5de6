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


def show_insertions(rows: Iterable[Mapping[str, Any]], console: Console) -> None:
    """Write each insertion: what was linked to what, where it belonged before, and how the page reads after."""
    for number, row in enumerate(rows, start=1):
        console.print(_panel(number, row))


def _panel(number: int, row: Mapping[str, Any]) -> Panel:
    sides = Table.grid(expand=True, padding=(0, 2))
    sides.add_column(ratio=1)
    sides.add_column(ratio=1)
    sides.add_row(Text(f"before, revision {row['before_revision'][:12]}", style="dim"), Text("after", style="dim"))
    sides.add_row(_before(row), _after(row))
    where = f" in “{row['section']}”" if row["section"] else " in the lead" if row["gold"] else ""
    decision = Text.assemble(
        (row["scenario"], "bold cyan"),
        f"{where}: {_places(row)}",
        (f"   {row['after_time']:%Y-%m-%d}, revision {row['after_revision'][:12]}", "dim"),
    )
    title = f"{number}. {row['language']}: {row['source_title']} → {row['target_title']}"
    return Panel(Group(decision, sides), title=Text(title, style="bold"), title_align="left")


def _places(row: Mapping[str, Any]) -> str:
    if not row["gold"]:
        return "nowhere, the section did not exist"
    return "sentence " + " or ".join(str(number) for number in row["gold"])


def _before(row: Mapping[str, Any]) -> Text:
    """Return the right sentences among their neighbours."""
    article = article_of(row["source_title"], row["language"], row["sections"])
    gold = set(row["gold"])
    shown = {number + step for number in gold for step in range(-_AROUND, _AROUND + 1)}
    text = Text()
    for number, (section, sentence) in enumerate(article.sentences):
        if number in shown and section == article.sentences[min(gold)][0]:
            text.append(sentence.text, style="black on green" if number in gold else "")
            text.append("\n")
    return text if gold else Text("\n".join(section.title or "(lead)" for section in article.sections), style="dim")


def _after(row: Mapping[str, Any]) -> Text:
    text = Text(row["context"])
    text.stylize("black on yellow", row["mention_start"], row["mention_end"])
    if len(text) <= _LONGEST:
        return text
    start = max(0, row["mention_start"] - _LONGEST // 2)
    return text[start : start + _LONGEST]
