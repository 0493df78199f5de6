"""Markup inside a line that shows no words, such as a formula or a template tag."""

import re

from markdown_it.rules_inline import StateInline


def hide(state: StateInline, match: re.Match[str] | None, silent: bool) -> bool:
    """Skip the match and return True, or return False if there is no match."""
    if match is None:
        return False
    if not silent:
        state.push("hidden", "", 0)
    state.pos = match.end()
    return True
