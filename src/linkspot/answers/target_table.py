"""Many targets for one page as a table: each target with its best place, the surest first."""

from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from linkspot.answers.answer import Answer
from linkspot.answers.notes import ACTIONS, how_sure, quotation
from linkspot.links.existing import is_own_page
from linkspot.text.display import displayed

_STYLES = {0: "green", 1: "", 2: "dim"}


@dataclass(frozen=True, slots=True)
class TargetRow:
    """One target: what to do for it, and where; `order` sorts the rows of a table."""

    target: str
    verdict: str
    section: str = ""
    spot: str = ""
    sure: str = ""
    order: tuple[int, float] = (2, 0.0)

    @classmethod
    def of(cls, answer: Answer) -> "TargetRow":
        """Return the row of an answer; it holds nothing of the page, so that many answers take little memory."""
        name = answer.entity.names[0]
        if is_own_page(answer.article, answer.entity):
            return cls(name, "this page itself")
        if not answer.places:
            return cls(name, "linked already", order=(1, 0.0)) if answer.existing else cls(name, "nowhere")
        place = answer.places[0]
        section = answer.article.sections[place.section]
        spot = place.text if place.words is None else place.words.cut(section.text)
        chance = place.probability or 0.0  # scores of two answers cannot be compared
        title = section.title or "(lead)"
        return cls(name, ACTIONS[place.action], title, quotation(spot), how_sure(place), (0, -chance))


def show_targets(page_name: str, rows: list[TargetRow], console: Console) -> None:
    """Print the rows, the surest first; rows that are equally sure stay in their order."""
    heading = Text.assemble("Where do these targets belong in ", (displayed(page_name), "bold"), "?")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("target", "what to do", "section", "words or sentence"):
        table.add_column(name, overflow="fold")
    table.add_column("sure", justify="right")
    for row in sorted(rows, key=lambda row: row.order):
        cells = (row.target, row.verdict, row.section, row.spot, row.sure)
        table.add_row(*(Text(displayed(cell)) for cell in cells), style=_STYLES[row.order[0]])
    console.print(heading)
    console.print()
    console.print(table)
