"""Readings: the words of a sentence as people read them, to compare it with its earlier version."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from linkspot.ranges import SortedRanges
from linkspot.records import Article, Link, Section, Sentence
from linkspot.source_map import Span
from linkspot.text.scripts import UNSPACED
from linkspot.text.words import MARKS

# A name of code with dots (`Window.open`) is one word.
_LETTER = rf"(?:(?![{UNSPACED}_])[\w{MARKS}])"
_TOKEN = re.compile(rf"[{UNSPACED}]|{_LETTER}+(?:\.{_LETTER}+)*|[^\w\s]")


@dataclass(frozen=True)
class Reading:
    """A sentence and the folders in it: a link that shows its page's whole path reads as the path's last name."""

    text: str
    folders: tuple[Span, ...] = ()

    @cached_property
    def words(self) -> str:
        """The text without the folders."""
        kept, start = [], 0
        for folder in self.folders:
            kept.append(self.text[start : folder.start])
            start = max(start, folder.end)
        return "".join([*kept, self.text[start:]])

    @cached_property
    def tokens(self) -> tuple[Span, ...]:
        """The words and signs outside of the folders; a letter of a script without spaces is a word."""
        spans = (match.span() for match in _TOKEN.finditer(self.text))
        if not self.folders:
            return tuple(Span(*span) for span in spans)
        folders = SortedRanges(self.folders)
        return tuple(Span(*span) for span in spans if not folders.overlapping(*span))

    @cached_property
    def folded(self) -> frozenset[str]:
        """The words and signs, case-folded."""
        return frozenset(token.cut(self.text).casefold() for token in self.tokens)

    def tokens_in(self, span: Span) -> list[Span]:
        """Return the tokens that share a character with this range of the text."""
        return self._sorted_tokens.overlapping(span.start, span.end)

    def words_between(self, start: int, end: int) -> int:
        """Return how many words stand in this range as a whole; signs are no words."""
        first = bisect_left(self.tokens, start, key=lambda token: token.start)
        last = bisect_right(self.tokens, end, key=lambda token: token.end)
        return self._words_so_far[last] - self._words_so_far[first] if first < last else 0

    @cached_property
    def _sorted_tokens(self) -> SortedRanges[Span]:
        return SortedRanges(self.tokens)

    @cached_property
    def _words_so_far(self) -> list[int]:
        return list(accumulate((token.cut(self.text).isalnum() for token in self.tokens), initial=0))


def readings(article: Article) -> list[Reading]:
    """Return how each sentence of the article reads."""
    return [_reading(article.sections[index], sentence) for index, sentence in article.sentences]


def _reading(section: Section, sentence: Sentence) -> Reading:
    if "/" not in sentence.text:
        return Reading(sentence.text)
    links = section.links_in(sentence.start, sentence.end)
    folders = (_folders(link, sentence) for link in links)
    return Reading(sentence.text, tuple(span for span in folders if span is not None))


def _folders(link: Link, sentence: Sentence) -> Span | None:
    """Return where a link's words show the folders of its page's path; nothing if they do not."""
    slash = link.mention.rfind("/")
    # An address in HTML is the same title, written with a dot, capitals and underscores.
    target = link.target.removeprefix("./").lstrip(": ").replace("_", " ")
    if slash < 0 or link.mention[:slash].casefold() != target[:slash].casefold():
        return None
    start = max(link.start - sentence.start, 0)
    return Span(start, max(start, min(link.start + slash + 1, sentence.end) - sentence.start))
