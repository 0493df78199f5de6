"""Navigation: lines that lead the reader to another page and say nothing about this page's subject."""

import re
from collections.abc import Iterable

from linkspot.insertions.readings import Reading
from linkspot.insertions.versions import PlacedLink, Version
from linkspot.parsing.markup import markup_kind
from linkspot.records import Link, Section, Sentence
from linkspot.source_map import Span

# Arrows that point out of the page at the beginning of a line ("« Back to"), and at its end ("Next »").
_BACK = re.compile(r"<<+|[«‹←⇐◄◀⬅▲↑⬆]")
_FORTH = re.compile(r">>+|[»›→⇒►▶➡]")
# Words outside of the links, as in "Back to the ... (configuration file)". A sentence that ends with an arrow has more.
_MOST_WORDS = 6
_PAGES_TURNED = 2  # to the previous page and to the next

_ITEM = re.compile(r"(?:[*#]\s*|<li\b[^<>]*>)$")


def is_navigation(version: Version, link: PlacedLink) -> bool:
    """Return whether a link stands in a line that turns pages, or in a note in italics above the text of a section."""
    index, sentence = version.article.sentences[link.number]
    section = version.article.sections[index]
    line = _line(section.text, sentence)
    return _turns_pages(section, line) or _is_note_above(version, section, line)


def _line(text: str, sentence: Sentence) -> Span:
    end = text.find("\n", sentence.end)
    return Span(text.rfind("\n", 0, sentence.start) + 1, len(text) if end < 0 else end)


def _turns_pages(section: Section, line: Span) -> bool:
    """Return whether a line is little more than links and an arrow that points out of it, or links between arrows."""
    text = line.cut(section.text).strip()
    points_back, points_forth = _BACK.match(text), any(arrow.end() == len(text) for arrow in _FORTH.finditer(text))
    if not (points_back or _BACK.search(text) or points_forth):
        return False
    links = section.links_in(line.start, line.end)
    if not all(any(map(str.isalnum, link.mention)) for link in links):
        return False  # the arrow is the subject itself: an operator, a sign
    rest = _outside(section, line, links)
    words = sum(any(map(str.isalnum, token.cut(rest.text))) for token in rest.tokens)
    if _BACK.search(rest.text) and _FORTH.search(rest.text):
        # Arrows that face each other are quotation marks, of either kind, unless there are only links between them.
        return not words and len(links) >= _PAGES_TURNED and not _FORTH.match(text)
    return words <= _MOST_WORDS and bool(points_back or points_forth)


def _outside(section: Section, line: Span, links: Iterable[Link]) -> Reading:
    """Return the text of a line outside of its links."""
    kept, start = [], line.start
    for link in sorted(links, key=lambda link: link.start):
        kept.append(section.text[start : max(start, link.start)])
        start = max(start, link.end)
    return Reading(" ".join([*kept, section.text[start : max(start, line.end)]]))


def _is_note_above(version: Version, section: Section, line: Span) -> bool:
    """Return whether this line is the section's first and is one sentence in italics ("See the main article")."""
    first, *others = (sentence for sentence in section.sentences if line.overlaps(sentence.start, sentence.end))
    text = version.page.text
    if others or first is not section.sentences[0]:
        return False
    is_item = _ITEM.search(text, text.rfind("\n", 0, first.source.start) + 1, first.source.start)
    return not is_item and markup_kind(version.page.markup).italics.fullmatch(first.source.cut(text)) is not None
