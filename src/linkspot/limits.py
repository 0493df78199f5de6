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

    element_bytes: int = 20_000_000
    """A revision in XML after unpacking, or what stands between two of them: twice the largest page."""

    unpacked_free: int = 100_000_000
    """Bytes that any archive may unpack to, however small it is: some seconds' work."""

    unpacked_ratio: int = 5_000
    """How many times its size an archive may unpack to beyond that: histories reach some hundreds."""

    settings_bytes: int = 1_000_000
    """A site's settings file: a hundred times what site generators need."""

    title_characters: int = 1_000
    """A title, a path or an id: MediaWiki allows 255 bytes, paths of files are a little longer."""

    answer_bytes: int = 128_000_000
    """An answer of a live wiki after unpacking: fifty pages of 2 MB, the largest that can be asked for at once."""

    answer_seconds: float = 600.0
    """The time for one answer of a live wiki, however slowly it comes."""


LIMITS = Limits()
