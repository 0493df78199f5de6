"""Retargets: words that linked elsewhere before, or that replaced words that did."""

from collections import Counter
from collections.abc import Iterator

from linkspot.insertions.edit import Edit
from linkspot.insertions.readings import Reading
from linkspot.insertions.versions import PlacedLink
from linkspot.insertions.wording import Wording
from linkspot.records import Link
from linkspot.source_map import Span

_SHORTEST = 3  # letters of a word that carries meaning


def led_elsewhere(edit: Edit, link: PlacedLink, origin: int, wording: Wording) -> bool:
    """Return whether an old sentence lost a link at or right beside the link's words, or one that shared a word.

    A translator who replaces a foreign page by one in the reader's language changes words and target, or drops a link
    that stood in brackets behind the words.
    """
    old, new = edit.before.readings[origin], edit.after.readings[link.number]
    old_spans = (wording.counterpart, *wording.occurrences)
    own_words = set(_words(new, edit.after.words_of(link)))
    return any(
        own_words.intersection(_words(old, lost)) or any(_is_beside(old, lost, span) for span in old_spans)
        for lost in _lost_links(edit, origin, link.number)
    )


def _lost_links(edit: Edit, origin: int, number: int) -> Iterator[Span]:
    """Yield where in the old sentence links stood that the new sentence lost; a link with other words is not lost."""
    _, sentence = edit.before.article.sentences[origin]
    old, new = edit.before.links_of(origin), edit.after.links_of(number)
    # If a page had several links, those with the same words are matched first.
    same = Counter(map(_words_and_destination, new)) & Counter(map(_words_and_destination, old))
    left = Counter(map(_destination, new))
    for (_, destination), count in same.items():
        left[destination] -= count
    for link in old:
        if same[_words_and_destination(link)]:
            same[_words_and_destination(link)] -= 1
        elif left[_destination(link)]:
            left[_destination(link)] -= 1
        else:
            start = max(link.start, sentence.start) - sentence.start
            yield Span(start, min(link.end, sentence.end) - sentence.start)


def _destination(link: Link) -> tuple[str, str]:
    return link.kind, link.target


def _words_and_destination(link: Link) -> tuple[str, tuple[str, str]]:
    return link.mention, _destination(link)


def _words(reading: Reading, span: Span) -> Iterator[str]:
    for token in reading.tokens:
        if token.overlaps(span.start, span.end) and (len(token) >= _SHORTEST or token.cut(reading.text).isdigit()):
            yield token.cut(reading.text).casefold()


def _is_beside(reading: Reading, first: Span, second: Span) -> bool:
    """Return whether two spans of a sentence touch, or have at most one word between them."""
    start, end = min(first.end, second.end), max(first.start, second.start)
    between = [token.cut(reading.text) for token in reading.tokens if start <= token.start and token.end <= end]
    return sum(map(str.isalnum, between)) <= 1
