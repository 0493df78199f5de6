"""Cuts: text removed from an article; sentences and links that are left get their new positions."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, chain

from linkspot.examples.seams import TextEdit, sentences_out, whole_words, words_out
from linkspot.records import Article, Link, Section, Sentence
from linkspot.source_map import SourceMap, Span


@dataclass(frozen=True, slots=True)
class Cut:
    """What to remove from a section: words of one of its sentences, or whole sentences from first to last."""

    section: int
    first: int
    last: int
    words: Span | None = None

    def seam(self, article: Article) -> tuple[int, ...]:
        """Return the indices, in the section, of the sentences at the seam: the cut sentence, or its neighbours."""
        if self.words is not None:
            return (self.first,)
        last = len(article.sections[self.section].sentences) - 1
        return tuple(index for index in (self.first - 1, self.last + 1) if 0 <= index <= last)

    def is_possible(self, article: Article) -> bool:
        """Return whether something is left: a word of the sentence, a sentence of the section."""
        if self.words is None:
            return bool(self.seam(article))
        section = article.sections[self.section]
        return bool(words_out(section.text, section.sentences[self.first], self.words))

    def touches(self, article: Article) -> set[tuple[int, int]]:
        """Return the sentences that are removed or stand at the seam, as pairs of section and index."""
        return {(self.section, index) for index in (*range(self.first, self.last + 1), *self.seam(article))}


@dataclass(frozen=True)
class CutArticle:
    """An article before and after some cuts; no two cuts remove the same, and a sentence stays between any two."""

    before: Article
    cuts: tuple[Cut, ...]

    @cached_property
    def after(self) -> Article:
        """The article without what was cut; sections without a cut are the same objects."""
        by_section: defaultdict[int, list[Cut]] = defaultdict(list)
        for cut in self.cuts:
            by_section[cut.section].append(cut)
        sections = list(self.before.sections)
        for index, cuts in by_section.items():
            sections[index] = _without(sections[index], cuts)
        return replace(self.before, sections=tuple(sections))

    def seam(self, cut: Cut) -> tuple[int, ...]:
        """Return the numbers, in the article after the cuts, of the candidates at a cut's seam."""
        numbers = (self._starts[cut.section] + index for index in cut.seam(self.before))
        return tuple(number - bisect_left(self._gone, number) for number in numbers)

    @cached_property
    def _starts(self) -> list[int]:
        return first_numbers(self.before)

    @cached_property
    def _gone(self) -> list[int]:
        removed = (
            range(self._starts[cut.section] + cut.first, self._starts[cut.section] + cut.last + 1)
            for cut in self.cuts
            if cut.words is None
        )
        return sorted(chain.from_iterable(removed))


def first_numbers(article: Article) -> list[int]:
    """Return for each section the number that its first sentence has (or would have) in the article."""
    return [0, *accumulate(len(section.sentences) for section in article.sections)][:-1]


def _without(section: Section, cuts: Iterable[Cut]) -> Section:
    edits: list[TextEdit] = []
    gone: list[Span] = []
    removed: set[int] = set()
    for cut in cuts:
        if cut.words is None:
            edits.append(sentences_out(section.text, section.sentences, cut.first, cut.last))
            gone.append(Span(section.sentences[cut.first].start, section.sentences[cut.last].end))
            removed.update(range(cut.first, cut.last + 1))
        else:
            sentence = section.sentences[cut.first]
            edits += words_out(section.text, sentence, cut.words)
            gone.append(whole_words(section.text, sentence, cut.words))
    text = _Edited(section.text, edits)
    kept = (sentence for index, sentence in enumerate(section.sentences) if index not in removed)
    links = (text.link(link) for link in section.links if not any(span.overlaps(link.start, link.end) for span in gone))
    return replace(
        section,
        text=text.after,
        sentences=tuple(text.sentence(sentence) for sentence in kept),
        links=tuple(link for link in links if link is not None),
        source_map=SourceMap(),  # the text is no longer what the markup says
    )


class _Edited:
    """A text after some edits, and the new positions of its parts."""

    def __init__(self, before: str, edits: Sequence[TextEdit]) -> None:
        self._edits = sorted(edits, key=lambda edit: edit.start)
        self._ends = [edit.end for edit in self._edits]
        growths = (len(edit.text) - (edit.end - edit.start) for edit in self._edits)
        self._shifts = [0, *accumulate(growths)]
        pieces, position = [], 0
        for edit in self._edits:
            pieces += [before[position : edit.start], edit.text]
            position = edit.end
        self.after = "".join([*pieces, before[position:]])

    def position(self, before: int) -> int:
        """Return where this position is now; a position inside an edit moves into the edit's text."""
        index = bisect_right(self._ends, before)
        shift = self._shifts[index]
        if index < len(self._edits) and self._edits[index].start < before:
            edit = self._edits[index]
            return edit.start + shift + min(before - edit.start, len(edit.text))
        return before + shift

    def sentence(self, sentence: Sentence) -> Sentence:
        """Return a sentence at its new position, with the text that is left of it."""
        start, end = self.position(sentence.start), self.position(sentence.end)
        text = self.after[start:end]
        unmoved = start == sentence.start and text == sentence.text
        return sentence if unmoved else replace(sentence, text=text, start=start, end=end)

    def link(self, link: Link) -> Link | None:
        """Return a link at its new position; nothing if no character of it is left."""
        start, end = self.position(link.start), self.position(link.end)
        return replace(link, mention=self.after[start:end], start=start, end=end) if start < end else None
