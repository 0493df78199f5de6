"""One edit of one page of a wiki, and how saving it ended."""

from dataclasses import dataclass
from enum import StrEnum

from linkspot.errors import WrongValue


@dataclass(frozen=True, slots=True)
class WikiEdit:
    """The wikitext of a page with one link more.

    `revision` is the one that was read, `timestamp` its time as the API writes it, `summary` what the wiki's history
    will say.
    """

    title: str
    revision: int
    text: str
    summary: str
    timestamp: str = ""

    def __post_init__(self) -> None:
        if not self.title.strip() or self.revision < 1:
            raise WrongValue("an edit is made in a page with a title, against the revision that was read")
        if not self.text.strip():
            raise WrongValue("an edit that adds a link does not empty the page")


class SaveOutcome(StrEnum):
    """How saving an edit ended."""

    SAVED = "saved"
    CONFLICT = "conflict"
    """The page is not what it was when it was read; read it and rank again."""
    CHANGES_MORE = "changes-more"
    """The wiki would change more in this page than the link, as it does at every edit of it."""
    UNCHANGED = "unchanged"
    """The page has this text already."""
    MISSING = "missing"
    PROTECTED = "protected"
    BLOCKED = "blocked"
    SIGNED_OUT = "signed-out"
    BUSY = "busy"
    """The wiki cannot save now; the same edit may be tried again."""
    REFUSED = "refused"
    """The wiki has another reason, such as a filter; the message says which."""


@dataclass(frozen=True, slots=True)
class SaveResult:
    """How saving an edit ended: the new revision if it was saved, else what the wiki says.

    `is_exact` is whether the wiki now has exactly the text that was sent. It is false where somebody saved another
    edit between the last look at the page and this one, and the wiki merged the two.
    """

    outcome: SaveOutcome
    revision: int = 0
    message: str = ""
    retry_after: float = 0.0
    is_exact: bool = False
