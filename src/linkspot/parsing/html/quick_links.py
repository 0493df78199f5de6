"""The targets that a page of HTML names, found without parsing it."""

import re
from collections.abc import Iterator
from html.entities import html5

from linkspot.parsing.character_references import resolved
from linkspot.parsing.html.source import as_read
from linkspot.records import Page

# Looking ahead consumes nothing: a destination that is found inside of another attribute hides none behind it. One
# without quotation marks has a greatest length, so that no page makes this read on to its end again and again.
_LONGEST_BARE = 2_000  # characters
_DESTINATION = (
    r"""href(?<=[\t\n\f\r /"']....)[\t\n\f\r ]*+=[\t\n\f\r ]*+"""
    rf"""(?="([^"]*+)|'([^']*+)|([^\t\n\f\r "'>][^\t\n\f\r >]{{0,{_LONGEST_BARE}}}+))"""
)
_USUAL_DESTINATION = re.compile(_DESTINATION)  # five times as fast
_ANY_DESTINATION = re.compile(_DESTINATION, re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]*(?:;|(?P<equals>=?)))")


def link_targets(page: Page) -> Iterator[str]:
    """Yield the targets of all anchors, also in tables, templates and code."""
    text = as_read(page.text)
    is_usual = text.count("href") == text.lower().count("href")
    for match in (_USUAL_DESTINATION if is_usual else _ANY_DESTINATION).finditer(text):
        value = next(filter(None, match.groups()), "")
        target = (_REFERENCE.sub(_character, value) if "&" in value else value).strip()
        if target:
            yield target


def _character(reference: re.Match[str]) -> str:
    """Return what a character reference stands for in an attribute; `&copy=1` is part of a query there."""
    name = reference.group()
    if name[1] == "#":
        return resolved(name) or _unusual(name[2:].rstrip(";"))
    return name if reference["equals"] or name[1:] not in html5 else resolved(name)


def _unusual(number: str) -> str:
    """Return the control character or noncharacter of a reference: Python drops them, and HTML keeps them."""
    is_hexadecimal = number[0] in "xX"
    return chr(int(number.lstrip("xX").lstrip("0"), 16 if is_hexadecimal else 10))
