"""Markup inside a line that shows no words: a rule that found some hands it over here."""

import re

from markdown_it.rules_inline import StateInline


def hide(state: StateInline, match: re.Match[str] | None, silent: bool) -> bool:
    """Pass over the match, if there is one, and tell so."""
    if match is None:
        return False
    if not silent:
        state.push("hidden", "", 0)
    state.pos = match.end()
    return True
