"""Limits at the door: how much of a stranger's input linkspot takes in, each with its reason.

A record over a limit is counted and set aside, so that one of them never costs a run its memory or its time.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest input that linkspot reads."""

    page_bytes: int = 10_000_000
    """The markup of a page: five times the largest page that Wikipedia allows (2 MB)."""

    page_nesting: int = 512
    """Elements of HTML inside of one another: browsers make no deeper tree either, and real pages stay below 50. The
    parser's time grows with the square of the depth: it needs 25 seconds for a page of 1 MB that only opens elements.
    """

    marks: int = 32
    """Combining marks over one letter: Tibetan has up to ten. Normal forms take the square of their number."""

    page_repeats: int = 1_000_000
    """Times that an element without an end, such as <b>, is begun anew in a later paragraph. Each costs memory."""

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

    page_sentences: int = 100_000
    """The sentences of a page: ten times those of the longest articles; the model takes some minutes for them."""

    sentence_links: int = 10_000
    """The links of one sentence: a hundred times what the densest lists of Wikipedia have."""

    names: int = 1_000
    """A target's title and mentions: an index gives ten, and all redirects to a page are some hundreds."""

    mention_characters: int = 1_000
    """A mention of a target, or the words of a link that was added: as long as a title."""

    lead_characters: int = 100_000
    """A target's lead: a hundred long paragraphs; models read the first 128 tokens."""

    context_free: int = 2_000_000
    """Characters that the contexts of a page's links may have in the table of links, however short the page is."""

    context_ratio: int = 100
    """How often these contexts may repeat the page beyond that: they do so some 10 times in an article of Wikipedia."""

    rereadings: int = 4
    """How often a page is parsed again for one place, to try out links beside signs of markup."""

    added_links: int = 200
    """New targets of one edit's links in prose that are judged one by one: editors add a few."""

    answer_bytes: int = 128_000_000
    """An answer of a live wiki after unpacking: fifty pages of 2 MB, the largest that can be asked for at once."""

    answer_seconds: float = 600.0
    """The time for one answer of a live wiki, however slowly it comes."""


LIMITS = Limits()
