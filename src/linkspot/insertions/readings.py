"""Readings: the words of a sentence as people read them, to compare it with its earlier version."""

import re
from dataclasses import dataclass
from functools import cached_property

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
        text = self.text
        for folder in reversed(self.folders):
            text = folder.replace(text, "")
        return text

    @cached_property
    def tokens(self) -> tuple[Span, ...]:
        """The words and signs outside of the folders; a letter of a script without spaces is a word."""
        spans = (match.span() for match in _TOKEN.finditer(self.text))
        if not self.folders:
            return tuple(Span(*span) for span in spans)
        return tuple(Span(*span) for span in spans if not any(folder.overlaps(*span) for folder in self.folders))


def readings(article: Article) -> list[Reading]:
    """Return how each sentence of the article reads."""
    return [_reading(article.sections[index], sentence) for index, sentence in article.sentences]


def _reading(section: Section, sentence: Sentence) -> Reading:
    if "/" not in sentence.text:
        return Reading(sentence.text)
    links = sorted(section.links_in(sentence.start, sentence.end), key=lambda link: link.start)
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
