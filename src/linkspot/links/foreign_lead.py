"""Foreign leads: what another language's page says of a target that has no page, or no lead, in the page's language."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkspot.tables.schemas import Row

FIRST_CHOICE = "en"  # of several languages; most encoders know it best


def foreign_lead(rows: "Sequence[Row]", language: str) -> "Row | None":
    """Return the row of an entity in another language that has a lead: English if it can be, else the first by code.

    A row whose id is only its title says nothing about other languages: German "Gift" is not English "Gift".
    """
    usable = [row for row in rows if row["language"] != language and row["lead"] and row["entity"] != row["title"]]
    return min(usable, key=lambda row: (row["language"] != FIRST_CHOICE, row["language"]), default=None)
