"""An edit: two versions of a page, and which sentence of the later one comes from which of the earlier one."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from linkspot.insertions.alignment import Alignment, align
from linkspot.insertions.versions import Version
from linkspot.records import Article, Link
from linkspot.source_map import Span


@dataclass(frozen=True, slots=True)
class Gap:
    """What changed between two sentences that stayed: the numbers of the old ones removed, of the new ones added."""

    gone: tuple[int, ...]
    new: tuple[int, ...]


@dataclass(frozen=True)
class Edit:
    """A change of a page; `known` is its alignment, if that is not to be computed."""

    before: Version
    after: Version
    known: Alignment | None = None

    @cached_property
    def loose(self) -> "Edit":
        """The same edit, in which a reworded sentence counts as the old one that it replaced."""
        return Edit(self.before, self.after, self.alignment.loose)

    @cached_property
    def alignment(self) -> Alignment:
        """Which sentence of the earlier version each sentence of the later one comes from."""
        return self.known or align(self.before.readings, self.after.readings, self.after.article.language)

    @property
    def kept_share(self) -> float:
        """The share of the old sentences that are still there, edited or not."""
        return len(self.alignment.kept) / max(1, len(self.before.article.sentences))

    @cached_property
    def lost(self) -> Counter[str]:
        """The pages that the prose links to less often than before: how many links each lost, by its key."""
        before, after = (Counter(link.key for link in version.links) for version in (self.before, self.after))
        return before - after

    def links_before(self, number: int, words: Span) -> list[Link]:
        """Return the links of every kind that overlap these characters of a sentence of the earlier version."""
        index, sentence = self.before.article.sentences[number]
        section = self.before.article.sections[index]
        return section.links_in(sentence.start + words.start, sentence.start + words.end)

    def gap(self, number: int) -> Gap:
        """Return what was removed and added around a new sentence, between its nearest neighbours that did not move."""
        origins, in_order = self.alignment.origins, self.alignment.in_order
        first, last = number, number + 1
        while first > 0 and first - 1 not in in_order:
            first -= 1
        while last < len(origins) and last not in in_order:
            last += 1
        previous = origins[first - 1] if first else None
        following = origins[last] if last < len(origins) else None
        old_first = 0 if previous is None else previous + 1
        old_last = len(self.before.article.sentences) if following is None else following
        return Gap(
            tuple(old for old in range(old_first, old_last) if old not in self.alignment.kept),
            tuple(new for new in range(first, last) if origins[new] is None),
        )

    def new_around(self, number: int) -> range:
        """Return the run of new sentences that this one belongs to, within its section."""
        first, last = number, number + 1
        while self._is_beside(first - 1, number) and self.alignment.origins[first - 1] is None:
            first -= 1
        while self._is_beside(last, number) and self.alignment.origins[last] is None:
            last += 1
        return range(first, last)

    def neighbours(self, new: range) -> tuple[int, ...]:
        """Return the old sentences beside a run of new ones, in the same section: each is a right place."""
        around = [number for number in (new.start - 1, new.stop) if self._is_beside(number, new.start)]
        if len({self._section_before(number) for number in around}) > 1:
            # One of them was moved here from another section; only the other says where the text was added.
            around = [number for number in around if number in self.alignment.in_order] or around
        return tuple(sorted({origin for number in around if (origin := self.alignment.origins[number]) is not None}))

    def gone_beside(self, gap: Gap, neighbours: tuple[int, ...]) -> tuple[int, ...]:
        """Return the old sentences of a gap that stood in the same sections as the neighbours."""
        sections = {self.before.article.sentences[old][0] for old in neighbours}
        return tuple(old for old in gap.gone if self.before.article.sentences[old][0] in sections)

    def follows_another(self, section: int, gap: Gap) -> bool:
        """Return whether a section replaced one that was removed as a whole in the gap and was about as long."""
        gone = Counter(self.before.article.sentences[old][0] for old in gap.gone)
        length = len(self.after.article.sections[section].sentences)
        return any(
            index and len(self.before.article.sections[index].sentences) == number >= length / 2
            for index, number in gone.items()
        )

    def is_new_section(self, new: range) -> bool:
        """Return whether a run of new sentences begins a section that the edit added.

        Such a section may contain a few old sentences that were moved there. A heading that was put above sentences
        that stayed does not make a new section.
        """
        section, _ = self.after.article.sentences[new.start]
        if self.had_prose(section):
            return False
        numbers = [number for number, (index, _) in enumerate(self.after.article.sentences) if index == section]
        kept = [number for number in numbers if self.alignment.origins[number] is not None]
        has_stayed = any(number < new.start and number in self.alignment.in_order for number in kept)
        return 2 * len(kept) < len(numbers) and not has_stayed

    def had_prose(self, section: int) -> bool:
        """Return whether a section of the later version had sentences in the earlier one."""
        path = _paths(self.after.article)[section]
        before = self.before.article
        return any(
            old.sentences and old_path == path for old, old_path in zip(before.sections, _paths(before), strict=True)
        )

    def sentences_before(self, section: int) -> tuple[int, ...]:
        """Return the sentences that a section of the later version had in the earlier one."""
        path, paths = _paths(self.after.article)[section], _paths(self.before.article)
        return tuple(old for old, (index, _) in enumerate(self.before.article.sentences) if paths[index] == path)

    def _section_before(self, number: int) -> int | None:
        origin = self.alignment.origins[number]
        return None if origin is None else self.before.article.sentences[origin][0]

    def _is_beside(self, number: int, other: int) -> bool:
        """Return whether a sentence of this number exists and stands in the same section as the other."""
        sentences = self.after.article.sentences
        return 0 <= number < len(sentences) and sentences[number][0] == sentences[other][0]


def _paths(article: Article) -> list[tuple[str, ...]]:
    """Return each section's title with those above it, since a page may have several sections called "Examples"."""
    paths = []
    above: list[tuple[int, str]] = []
    for section in article.sections:
        while above and above[-1][0] >= section.level:
            above.pop()
        above.append((section.level, section.title.casefold()))
        paths.append(tuple(title for _, title in above))
    return paths
