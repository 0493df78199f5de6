"""Repetition: how often the rows of one page may repeat its text, so that no page makes a table of gigabytes."""

from linkspot.limits import LIMITS

REPEATED = "a link among very many, with which the table would repeat the page too often"


class Repetition:
    """The room that is left for texts of a page in the rows of its links."""

    def __init__(self, characters: int) -> None:
        self._room = LIMITS.context_free + LIMITS.context_ratio * characters

    def has_room(self, characters: int) -> bool:
        """Return whether a row may hold so many characters; if so, they are taken."""
        if characters > self._room:
            return False
        self._room -= characters
        return True
