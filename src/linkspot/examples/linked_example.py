"""Linked examples: pages that already link their target, with the link removed and its words kept."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache

from linkspot.examples.cuts import first_numbers
from linkspot.examples.removal_spots import RemovalSpot
from linkspot.examples.seams import word_spans
from linkspot.records import Article, Entity, Section, Sentence
from linkspot.source_map import Span
from linkspot.text.mentions import MentionFinder, known_names


@dataclass(frozen=True, slots=True)
class LinkedExample:
    """A page that linked the entity in one sentence; the words are still there, at `mention` in their section's text.

    No link of the page reveals the right place.
    """

    entity: Entity
    article: Article
    sentence: int
    mention: Span

    def __post_init__(self) -> None:
        if not 0 <= self.sentence < len(self.article.sentences):
            raise ValueError(f"there is no sentence {self.sentence}; the page has {len(self.article.sentences)}")
        _, sentence = self.article.sentences[self.sentence]
        if not sentence.start <= self.mention.start < self.mention.end <= sentence.end:
            raise ValueError(f"the mention {self.mention} is not inside its sentence {sentence.start}:{sentence.end}")
        if any(self.section.links_in(self.mention.start, self.mention.end)):
            raise ValueError(f"the mention {self.words!r} is still linked")

    @property
    def section(self) -> Section:
        """The section that holds the mention."""
        index, _ = self.article.sentences[self.sentence]
        return self.article.sections[index]

    @property
    def words(self) -> str:
        """The words of the mention."""
        return self.mention.cut(self.section.text)

    @property
    def word_count(self) -> int:
        """How many words the mention has, at least 1."""
        return max(1, len(word_spans(self.section.text, self.mention.start, self.mention.end)))

    @property
    def spot(self) -> RemovalSpot:
        """The words of the mention in their section."""
        index, _ = self.article.sentences[self.sentence]
        return RemovalSpot(index, self.sentence - first_numbers(self.article)[index], self.mention)

    @property
    def finder(self) -> MentionFinder:
        """A finder of the target's names and of the words of this mention."""
        return target_finder(self.entity, self.article.language, self.words)


def without_links(article: Article, targets: Collection[str]) -> Article:
    """Return the article without its links to these targets; its text stays as it is."""
    return replace(article, sections=tuple(_without_links(section, targets) for section in article.sections))


def _without_links(section: Section, targets: Collection[str]) -> Section:
    kept = tuple(link for link in section.links if link.target not in targets)
    return section if len(kept) == len(section.links) else replace(section, links=kept)


def section_span(article: Article, number: int, start: int, end: int) -> Span | None:
    """Return where a range of a sentence stands in its section's text; nothing if it extends beyond the sentence."""
    sentence: Sentence = article.sentences[number][1]
    if not 0 <= start < end <= len(sentence.text):
        return None
    return Span(sentence.start + start, sentence.start + end)


@lru_cache(maxsize=256)
def target_finder(entity: Entity, language: str, *words: str) -> MentionFinder:
    """Return a finder of an entity's known names, and of these words, in texts of a language."""
    return MentionFinder((*known_names(entity, language), *words), language)
