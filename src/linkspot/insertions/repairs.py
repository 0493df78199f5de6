"""Repairs: words that stood in the page before, but in broken markup or outside of the prose."""

from linkspot.insertions.versions import Version
from linkspot.parsing.markup import markup_kind
from linkspot.remembering import remembered
from linkspot.source_map import Span

_DEEPEST = 40  # templates and links inside of one another; pages have fewer than ten
_SHORTEST = 8  # letters and digits; shorter words are in any page by chance


def remnants(version: Version, source: Span) -> int:
    """Return how many remnants of broken links and templates the lines have that a range of the page touches."""
    text, kind = version.page.text, markup_kind(version.page.markup)
    start = text.rfind("\n", 0, source.start) + 1
    end = text.find("\n", source.end)
    lines = text[start : len(text) if end < 0 else end]
    for _ in range(_DEEPEST):
        lines, removed = kind.complete.subn("", lines)
        if not removed:
            break
    return len(kind.remnant.findall(lines))


def stood_outside_of_prose(before: Version, after: Version, number: int) -> bool:
    """Return whether a new sentence's words stood in a line of the earlier page that is gone and was not prose."""
    words = _bare(after.readings[number].words)
    if len(words) < _SHORTEST or any(words in _bare(reading.words) for reading in before.readings):
        return False
    left = set(after.page.text.splitlines())
    return any(words in _bare(line) for line in before.page.text.splitlines() if line not in left)


@remembered(entries=4096, longest=1024)
def _bare(text: str) -> str:
    """Return only the letters and digits of a text, case-folded."""
    return "".join(filter(str.isalnum, text.casefold()))
