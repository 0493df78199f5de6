"""Bare URLs: GitHub's autolinks, which show an address and no words."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

_SCHEME = re.compile(r"(?<![A-Za-z0-9])(?:https?|ftp)\Z", re.IGNORECASE)
_REST = re.compile(r"://[^\s<\]]+")
_CLOSING_MARKS = "?!.,:;*_~'\""
_LONGEST_SCHEME = 6  # characters, with the one before it
_LONGEST = 2_000  # characters of an address


def add(md: MarkdownIt) -> None:
    """Hide addresses in the text, so that no word inside them is taken for prose."""
    md.inline.ruler.after("text", "bare_url", _url)


def _url(state: StateInline, silent: bool) -> bool:
    if state.linkLevel > 0 or not state.src.startswith("://", state.pos):
        return False
    scheme = _SCHEME.search(state.src[max(state.pos - _LONGEST_SCHEME, 0) : state.pos])
    rest = _REST.match(state.src, state.pos, min(state.posMax, state.pos + _LONGEST))
    if scheme is None or rest is None:
        return False
    length = len(scheme.group())
    address = _without_closing_marks(rest.group())
    is_whole = state.pending.lower().endswith(scheme.group().lower())
    if not silent and is_whole:
        start = state.pos - length
        state.pending = state.pending[:-length]
        state.push("hidden", "", 0).map = [start, state.pos + len(address)]
    if silent or is_whole:
        state.pos += len(address)
    return silent or is_whole


def _without_closing_marks(address: str) -> str:
    """Return the address without the punctuation of the sentence around it."""
    end = len(address)
    surplus = address.count(")") - address.count("(")  # closing brackets that the address did not open
    while end > len("://") and (address[end - 1] in _CLOSING_MARKS or (address[end - 1] == ")" and surplus > 0)):
        end -= 1
        surplus -= address[end] == ")"
    return address[:end]
