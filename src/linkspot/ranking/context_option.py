"""The option `context=5` behind a ranker's name: how many sentences on each side it reads with a candidate's own."""

from linkspot.errors import UnknownRanker

_OPTION = "context="


def without_context(argument: str) -> tuple[str, int]:
    """Return what stands before `,context=N` at the end of a ranker's argument, and N; 0 without the option."""
    rest, comma, last = argument.rpartition(",")
    if not (comma and last.startswith(_OPTION)):
        return argument, 0
    count = last.removeprefix(_OPTION)
    if not (count.isascii() and count.isdigit()):
        raise UnknownRanker(f"{last!r} is not a number of sentences; write it like context=5")
    return rest, int(count)
