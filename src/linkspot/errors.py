"""The error tree: every error that linkspot raises on purpose is a LinkspotError with one sentence for the user."""

import re

_PASSWORD = re.compile(r"(?<=://)[^/?#\s@]*(?:@[^/?#\s@]*)*@")


def without_password(text: str) -> str:
    """Return a text in which no address has a user's name and password, so that it can be printed."""
    return _PASSWORD.sub("", text)


def first_line(error: BaseException) -> str:
    """Return the first line of another library's error, which says the most."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


class LinkspotError(Exception):
    """What was found, what was expected, and what to do, in one line."""


class UnusableInput(LinkspotError):
    """A page, a target or a setting that linkspot cannot work with."""


class WrongType(UnusableInput, TypeError):
    """A value of a type that a function does not take."""


class WrongValue(UnusableInput, ValueError):
    """A value of the right type that a function cannot work with."""


class UnreadablePage(UnusableInput):
    """A file that is missing, empty, binary, too large, or in an encoding that is not UTF-8."""


class TooLarge(UnusableInput):
    """A page or a target over one of the limits in `linkspot.limits`; `reason` names the limit, to count by it."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type["TooLarge"], tuple[str, str]]:
        return TooLarge, (str(self), self.reason)  # it crosses the border of a process


class UnknownCorpus(UnusableInput):
    """A file or folder that is not a corpus of any kind that linkspot reads."""


class UnknownMarkup(UnusableInput):
    """A page whose markup is neither given nor recognised, or a name that no markup has."""


class UnknownLanguage(UnusableInput):
    """A page that does not say its language, or a language that is not written as a language tag."""


class EmptyTarget(UnusableInput, ValueError):
    """A target with neither a title nor a mention: there is nothing to look for."""


class UnwritableLink(UnusableInput):
    """A page that a markup cannot link to: its title or its address cannot stand in a link there."""


class UnwritableEdit(UnusableInput, ValueError):
    """An edit that cannot be made: there is no such place, its text is missing, or it changes more than it should."""


class UnknownRanker(UnusableInput):
    """A ranker's name that is not in the table."""


class UnwritableTable(LinkspotError):
    """A table that cannot be written: the disk is full, or the folder is write-protected."""


class MissingExtra(LinkspotError):
    """A library that only some commands need is not installed."""


class BrokenRun(LinkspotError):
    """A run that ended too early; the same command continues it."""


class StoppedRun(LinkspotError):
    """A run that the user stopped with Ctrl-C."""
