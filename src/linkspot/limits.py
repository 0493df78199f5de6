"""Limits at the door: how much of a stranger's input linkspot takes in, each with its reason.

A record over a limit is counted and set aside, so that one of them never costs a run its memory or its time.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest input that linkspot reads."""

    page_bytes: int = 10_000_000
    """The markup of a page: five times the largest page that Wikipedia allows (2 MB)."""

    line_bytes: int = 64_000_000
    """A line of a dump after unpacking: a page's HTML and wikitext, in which JSON may write each byte as six."""

    settings_bytes: int = 1_000_000
    """A site's settings file: a hundred times what site generators need."""

    title_characters: int = 1_000
    """A title, a path or an id: MediaWiki allows 255 bytes, paths of files are a little longer."""

    json_depth: int = 200
    """Levels of lists and objects in JSON: records have five, and Python's own reader fails at some thousands."""

    answer_bytes: int = 64_000_000
    """An answer of a live wiki after unpacking: fifty pages' wikitext at 1 MB each, the largest question's answer."""


LIMITS = Limits()
