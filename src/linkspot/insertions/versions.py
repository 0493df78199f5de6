"""Versions: a page at one time, with its article and its links."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from linkspot.door import check_article
from linkspot.insertions.readings import Reading, readings
from linkspot.links.addresses import Naming
from linkspot.parsing import parse
from linkspot.records import Article, Link, LinkKind, Page
from linkspot.source_map import Span


class PlacedLink(NamedTuple):
    """A link to a page of the corpus: the key of that page, and the number of the sentence that holds the link."""

    key: str
    number: int
    link: Link


@dataclass(frozen=True)
class Version:
    """A page and its article, and how links name pages in it."""

    page: Page
    article: Article
    naming: Naming

    @classmethod
    def of(cls, page: Page, naming: Naming) -> "Version":
        """Return the version of a page, parsed; TooLarge if it is over a limit."""
        article = parse(page)
        check_article(article)
        return cls(page, article, naming)

    @property
    def own_key(self) -> str:
        """The key of the page itself."""
        return self.naming.key_of(self.page)

    def key_of(self, link: Link) -> str:
        """Return the key of the page that a link leads to; empty if it does not lead to a page of the corpus."""
        return self.naming.target_key(link.target, self.page) if link.kind is LinkKind.PAGE else ""

    @cached_property
    def links(self) -> tuple[PlacedLink, ...]:
        """The links in sentences to pages of the corpus, in reading order."""
        return tuple(self._links())

    @cached_property
    def linked(self) -> frozenset[str]:
        """The keys of the pages that the prose links to."""
        return frozenset(link.key for link in self.links)

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """The reading of each sentence."""
        return tuple(readings(self.article))

    def links_of(self, number: int) -> tuple[Link, ...]:
        """Return the links of every kind in one sentence."""
        index, sentence = self.article.sentences[number]
        return tuple(self.article.sections[index].links_in(sentence.start, sentence.end))

    def words_of(self, link: PlacedLink) -> Span:
        """Return where in its sentence a link's words stand; words beyond the end of the sentence are left out."""
        _, sentence = self.article.sentences[link.number]
        return Span(link.link.start - sentence.start, min(link.link.end, sentence.end) - sentence.start)

    def _links(self) -> Iterator[PlacedLink]:
        number = 0
        for section in self.article.sections:
            for sentence in section.sentences:
                for link in section.links_in(sentence.start, sentence.end):
                    if sentence.start <= link.start and (key := self.key_of(link)):
                        yield PlacedLink(key, number, link)
                number += 1
