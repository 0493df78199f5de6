"""Repairs: words that stood in the page before, but in markup that was broken or that shows no prose."""

import re
from functools import lru_cache

from linkspot.insertions.versions import Version
from linkspot.records import Markup
from linkspot.source_map import Span

# What is whole; the innermost first, as a caption may hold a link.
_WHOLE = {
    Markup.WIKITEXT: re.compile(
        r"(?<!\[)\[\[(?!https?://)[^\[\]]*\]\]|\{\{[^{}]*\}\}|(?<!\[)\[(?:https?:)?//[^\[\]]*\]"
    ),
    Markup.MARKDOWN: re.compile(r"`[^`]*`|\[[^\[\]]*\]\((?:\\.|[^()\\]|\([^()]*\))*\)|\{\{[^{}]*\}\}|\[\[[^\[\]]*\]\]"),
    Markup.HTML: re.compile(r"<[^<>]*>"),
}
# What a writer left of a link or a template that is not: brackets without partners, `[Page|words]`, `((Page))`.
_REMNANT = {
    Markup.WIKITEXT: re.compile(r"\[\[|\]\]|\{\{|\}\}|\(\(|\)\)|\[[^\[\]\n|:]+[|:][^\[\]\n]+\]"),
    Markup.MARKDOWN: re.compile(r"\]\(|\{\{|\}\}|\[\[|\]\]"),
    Markup.HTML: re.compile(r"<a\b|</a\b|\[\[|\]\]", re.IGNORECASE),  # a wiki shows the brackets that it cannot read
}
_SHORTEST = 8  # letters and digits; what is shorter stands anywhere by chance


def remnants(version: Version, source: Span) -> int:
    """Return how many remnants of broken links and templates stand in the lines of the page that a range touches."""
    text, markup = version.page.text, version.page.markup
    start = text.rfind("\n", 0, source.start) + 1
    end = text.find("\n", source.end)
    lines, found = text[start : len(text) if end < 0 else end], 1
    while found:
        lines, found = _WHOLE[markup].subn("", lines)
    return len(_REMNANT[markup].findall(lines))


def stood_outside_of_prose(before: Version, after: Version, number: int) -> bool:
    """Tell whether the words of a sentence stood in a line of the page before that is gone, and in no sentence."""
    words = _bare(after.readings[number].words)
    if len(words) < _SHORTEST or any(words in _bare(reading.words) for reading in before.readings):
        return False
    left = set(after.page.text.splitlines())
    return any(words in _bare(line) for line in before.page.text.splitlines() if line not in left)


@lru_cache(maxsize=4096)
def _bare(text: str) -> str:
    """Return the letters and digits alone."""
    return "".join(filter(str.isalnum, text.casefold()))
