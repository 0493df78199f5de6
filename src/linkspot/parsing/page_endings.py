"""The endings of pages in addresses: those of every markup whose links hold addresses, and those that sites publish."""

import re
from collections.abc import Iterable
from functools import cache

from linkspot.errors import UnusableInput
from linkspot.parsing.markup import GROUP, MARKUPS, markup_kind
from linkspot.plugins import plug_ins

# Of pages that linkspot does not read, but that sites publish or link.
_OF_OTHERS = (".xhtm", ".rst", ".adoc")
_MAY_BE_AN_ENDING = re.compile(r"[^/]\.[^./\s]+/*\Z")
_QUERY_OR_FRAGMENT = re.compile(r"[?#]")


def page_ending(path: str) -> re.Match[str] | None:
    """Return where a path names a page's file by its ending, with the slashes behind it; None if it does not.

    The first group is the ending alone. A path like `/.html` has an ending but no name.
    """
    # Looking for plug-ins takes a while, and most paths need none.
    ending = _own_endings().search(path)
    return _all_endings().search(path) if ending is None and _MAY_BE_AN_ENDING.search(path) else ending


def page_ending_in_address(address: str) -> re.Match[str] | None:
    """Return the same for an address, which may have a query or a fragment."""
    return page_ending(_QUERY_OR_FRAGMENT.split(address, maxsplit=1)[0])


@cache
def _own_endings() -> re.Pattern[str]:
    return _pattern([*_of_markups(MARKUPS), *_OF_OTHERS])


@cache
def _all_endings() -> re.Pattern[str]:
    return _pattern([*_of_markups((*MARKUPS, *plug_ins(GROUP))), *_OF_OTHERS])


def _of_markups(names: Iterable[str]) -> Iterable[str]:
    for name in names:
        try:
            kind = markup_kind(name)
        except UnusableInput:
            continue  # a plug-in that cannot be imported; whoever names its markup is told so
        if not kind.links_hold_titles:
            yield from kind.endings


def _pattern(endings: Iterable[str]) -> re.Pattern[str]:
    alternatives = "|".join(map(re.escape, sorted(set(endings), key=len, reverse=True)))
    return re.compile(rf"(?<=[^/])({alternatives})/*\Z", re.IGNORECASE)
