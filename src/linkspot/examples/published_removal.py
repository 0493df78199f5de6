"""Dynamic context removal in the windows of the paper's published training files, right and wrong ones alike."""

import re
from collections.abc import Sequence
from random import Random

from linkspot.examples.context_removal import ContextRemoval
from linkspot.examples.published_rows import PublishedWindow
from linkspot.examples.published_training import PublishedLink
from linkspot.examples.removal_spots import Removal
from linkspot.records import Section, Sentence
from linkspot.source_map import Span
from linkspot.text import sentences

_NOWHERE = Span(0, 0)
_WORD = re.compile(r"\S+")
_BLANKS = re.compile(r"[^\S\n]+")
_LINE_ENDS = re.compile(r" ?\n[ \n]*")
_SHORTEST_SPAN, _LONGEST_SPAN = 2, 5


def window_section(window: PublishedWindow, language: str) -> Section:
    """Return a window as a section; each of its lines is split into sentences."""
    parts = tuple(
        Sentence(span.cut(window.text), span.start, span.end, _NOWHERE)
        for span in _sentence_spans(window.text, language)
    )
    return Section(window.section, 2 if window.section else 1, window.text, parts)


def removed_from_right(link: PublishedLink, draw: Random, settings: ContextRemoval) -> str:
    """Return the right window after a removal; one that its row does not name, or that leaves nothing, gets milder."""
    text = link.query.windows[link.query.gold].text
    milder = list(Removal)[: list(Removal).index(settings.draw(draw)) + 1]
    for removal in reversed(milder):
        rest = _without(text, link.removable[removal]) if removal in link.removable else ""
        if rest:
            return rest
    return normalised(text)


def removed_from_wrong(text: str, language: str, words: int, draw: Random, settings: ContextRemoval) -> str:
    """Return a wrong window after a removal that is drawn like that of a right one; `words` is how long a mention is.

    What is removed may stand anywhere in it.
    """
    milder = list(Removal)[: list(Removal).index(settings.draw(draw)) + 1]
    for removal in reversed(milder):
        cut = _drawn(removal, text, language, words, draw)
        rest = _without(text, cut) if cut else ""
        if rest:
            return rest
    return normalised(text)


def normalised(text: str) -> str:
    """Return the text with single spaces and line ends, as removals leave it: untouched windows must look the same."""
    return _LINE_ENDS.sub("\n", _BLANKS.sub(" ", text)).strip()


def _drawn(removal: Removal, text: str, language: str, words: int, draw: Random) -> Span | None:
    match removal:
        case Removal.NOTHING:
            return None
        case Removal.MENTION:
            return _run([Span(*match.span()) for match in _WORD.finditer(text)], max(1, words), draw)
        case Removal.SENTENCE:
            return _run(_sentence_spans(text, language), 1, draw)
        case Removal.SPAN:
            spans = _sentence_spans(text, language)
            most = min(_LONGEST_SPAN, len(spans) - 1)
            return _run(spans, draw.randint(_SHORTEST_SPAN, most), draw) if most >= _SHORTEST_SPAN else None


def _run(spans: Sequence[Span], length: int, draw: Random) -> Span | None:
    """Return the range of some spans that follow one another; nothing if there are no others beside them."""
    if length >= len(spans):
        return None
    first = draw.randrange(len(spans) - length + 1)
    return Span(spans[first].start, spans[first + length - 1].end)


def _without(text: str, cut: Span) -> str:
    """Return the text without a range; the seam looks like any other gap between words or lines of this text."""
    before, behind = text[: cut.start], text[cut.end :]
    gap = before[len(before.rstrip()) :] + behind[: len(behind) - len(behind.lstrip())]
    return normalised(before.rstrip() + ("\n" if "\n" in gap else " " if gap else "") + behind.lstrip())


def _sentence_spans(text: str, language: str) -> list[Span]:
    spans, start = [], 0
    for line in text.split("\n"):
        spans += [Span(start + span.start, start + span.end) for span in sentences.split(line, language)]
        start += len(line) + 1
    return spans
