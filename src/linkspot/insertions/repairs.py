"""Repairs: words that stood in the page before, but in broken markup or outside of the prose."""

import re
from functools import lru_cache

from linkspot.insertions.versions import Version
from linkspot.records import Markup
from linkspot.source_map import Span

# Links and templates that are complete; the innermost first, as a caption may hold a link.
_WHOLE = {
    Markup.WIKITEXT: re.compile(
        r"(?<!\[)\[\[(?!https?://)[^\[\]]*\]\]|\{\{[^{}]*\}\}|(?<!\[)\[(?:https?:)?//[^\[\]]*\]"
    ),
    Markup.MARKDOWN: re.compile(r"`[^`]*`|\[[^\[\]]*\]\((?:\\.|[^()\\]|\([^()]*\))*\)|\{\{[^{}]*\}\}|\[\[[^\[\]]*\]\]"),
    Markup.HTML: re.compile(r"<[^<>]*>"),
}
# Remnants of links and templates that are broken: brackets without partners, `[Page|words]`, `((Page))`.
_REMNANT = {
    Markup.WIKITEXT: re.compile(r"\[\[|\]\]|\{\{|\}\}|\(\(|\)\)|\[[^\[\]\n|:]+[|:][^\[\]\n]+\]"),
    Markup.MARKDOWN: re.compile(r"\]\(|\{\{|\}\}|\[\[|\]\]"),
    Markup.HTML: re.compile(r"<a\b|</a\b|\[\[|\]\]", re.IGNORECASE),  # a wiki shows the brackets that it cannot read
}
_SHORTEST = 8  # letters and digits; shorter words are in any page by chance


def remnants(version: Version, source: Span) -> int:
    """Return how many remnants of broken links and templates the lines have that a range of the page touches."""
    text, markup = version.page.text, version.page.markup
    start = text.rfind("\n", 0, source.start) + 1
    end = text.find("\n", source.end)
    lines, removed = text[start : len(text) if end < 0 else end], 1
    while removed:
        lines, removed = _WHOLE[markup].subn("", lines)
    return len(_REMNANT[markup].findall(lines))


def stood_outside_of_prose(before: Version, after: Version, number: int) -> bool:
    """Return whether a new sentence's words stood in a line of the earlier page that is gone and was not prose."""
    words = _bare(after.readings[number].words)
    if len(words) < _SHORTEST or any(words in _bare(reading.words) for reading in before.readings):
        return False
    left = set(after.page.text.splitlines())
    return any(words in _bare(line) for line in before.page.text.splitlines() if line not in left)


@lru_cache(maxsize=4096)
def _bare(text: str) -> str:
    """Return the letters and digits alone."""
    return "".join(filter(str.isalnum, text.casefold()))
