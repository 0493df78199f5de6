"""The error tree: every error that linkspot raises on purpose is a LinkspotError with one sentence for the user."""


def first_line(error: BaseException) -> str:
    """Return the gist of an error of another library."""
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


class UnknownCorpus(UnusableInput):
    """A file or folder that is none of the kinds of corpora that linkspot reads."""


class UnknownMarkup(UnusableInput):
    """A page whose markup is neither told nor recognised."""


class UnknownLanguage(UnusableInput):
    """A page that does not say its language, or a language tag that is not one."""


class EmptyTarget(UnusableInput, ValueError):
    """A target with neither a title nor a mention: there is nothing to look for."""


class UnknownRanker(UnusableInput):
    """A ranker's name that is not in the table."""


class UnwritableTable(LinkspotError):
    """A table that cannot be written: the disk is full, or the folder is not ours."""


class MissingExtra(LinkspotError):
    """A library that only some commands need is not installed."""


class BrokenRun(LinkspotError):
    """A run that ended before its time; the same command goes on where it stopped."""


class StoppedRun(LinkspotError):
    """A run that the user stopped with Ctrl-C."""
