"""Scenarios: what a page lacked just before a link was added, and where the link belonged in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from linkspot.insertions.alignment import Alignment, align
from linkspot.links.titles import Title, TitleRules
from linkspot.records import Article, Link, LinkKind, Scenario
from linkspot.source_map import Span


@dataclass(frozen=True, slots=True)
class AddedLink:
    """A link that the later version has and the earlier one had not: its scenario, and the right candidates before."""

    target: Title
    link: Link
    scenario: Scenario
    gold: tuple[int, ...]


def added_links(before: Article, after: Article, rules: TitleRules) -> list[AddedLink]:
    """Return the links to pages that the earlier version did not link to, each at its first place.

    Left out are links from words that led elsewhere before (retargets), links to the page itself, and places in a part
    of the page that was written anew as a whole, where no right candidate can be told.
    """
    linked = {rules.normalise(link.target).page for _, link in _links(before)}
    own = rules.normalise(after.title).page
    judge = _Judge(before, after, align(before, after))
    added: dict[Title, AddedLink | None] = {}
    for number, link in _links(after):
        target = rules.normalise(link.target).page
        if target in linked or target in added or target == own or not target.text or target.is_foreign:
            continue
        added[target] = judge.verdict(target, number, link)
    return [link for link in added.values() if link is not None]


def _links(article: Article) -> Iterator[tuple[int, Link]]:
    """Yield the article's links to pages, each with the number of its sentence."""
    number = 0
    for section in article.sections:
        links = [link for link in section.links if link.kind is LinkKind.PAGE]
        for sentence in section.sentences:
            yield from ((number, link) for link in links if sentence.start <= link.start < sentence.end)
            number += 1


@dataclass(frozen=True, slots=True)
class _Judge:
    before: Article
    after: Article
    alignment: Alignment

    def verdict(self, target: Title, number: int, link: Link) -> AddedLink | None:
        """Return the link with its scenario, or None for one that was not truly added."""
        origin = self.alignment.origins[number]
        if origin is None:
            return self._judge_new_sentence(target, number, link)
        section_index, old = self.before.sentences[origin]
        _, new = self.after.sentences[number]
        words = Span(link.start - new.start, link.end - new.start)
        place, was_there = _place_before(old.text, new.text, words)
        old_links = self.before.sections[section_index].links_in(old.start + place.start, old.start + place.end)
        if any(link.kind is LinkKind.PAGE for link in old_links):
            return None  # these words led to another page
        scenario = Scenario.TEXT_PRESENT if was_there else Scenario.MISSING_MENTION
        return AddedLink(target, link, scenario, (origin,))

    def _judge_new_sentence(self, target: Title, number: int, link: Link) -> AddedLink | None:
        section = self.after.sentences[number][0]
        first, last = self._run_of_new(number, section)
        gold = self._neighbours(first, last, section)
        if gold:
            scenario = Scenario.MISSING_SENTENCE if first == last else Scenario.MISSING_SPAN
            return AddedLink(target, link, scenario, gold)
        if self._existed(section):
            return None  # all of the section was written anew
        return AddedLink(target, link, Scenario.MISSING_SECTION, ())

    def _run_of_new(self, number: int, section: int) -> tuple[int, int]:
        """Return the first and last of the new sentences around this one in its section."""
        first = last = number
        while self._is_new_in(first - 1, section):
            first -= 1
        while self._is_new_in(last + 1, section):
            last += 1
        return first, last

    def _is_new_in(self, number: int, section: int) -> bool:
        return self._is_in(number, section) and self.alignment.origins[number] is None

    def _is_in(self, number: int, section: int) -> bool:
        return 0 <= number < len(self.after.sentences) and self.after.sentences[number][0] == section

    def _neighbours(self, first: int, last: int, section: int) -> tuple[int, ...]:
        """Return the old sentences on both sides of the gap: behind the one or before the other, either is right."""
        around = [number for number in (first - 1, last + 1) if self._is_in(number, section)]
        return tuple(sorted({origin for number in around if (origin := self.alignment.origins[number]) is not None}))

    def _existed(self, section: int) -> bool:
        title = self.after.sections[section].title.casefold()
        return any(old.title.casefold() == title and (old.sentences or not title) for old in self.before.sections)


def _place_before(old: str, new: str, words: Span) -> tuple[Span, bool]:
    """Return the range of the old sentence where the new one has these words, and whether it had the words there."""
    if old == new:
        return words, True
    start = end = None
    kept = 0
    for tag, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if new_start >= words.end or (new_end <= words.start and not (tag == "delete" and new_start == words.start)):
            continue
        shift = max(0, words.start - new_start) if tag == "equal" else 0
        cut = max(0, new_end - words.end) if tag == "equal" else 0
        start = old_start + shift if start is None else start
        end = old_end - cut
        kept += max(0, min(new_end, words.end) - max(new_start, words.start)) if tag == "equal" else 0
    place = Span(start or 0, max(start or 0, end or 0))
    return place, kept == len(words)
