"""The counts that `linkspot stats` reports: articles, links, insertions by scenario, candidates, rejects."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from linkspot.records import Scenario

TOTAL = "total"


class Command(StrEnum):
    """The commands whose folders can be counted."""

    INDEX = "index"
    INSERTIONS = "insertions"


@dataclass(frozen=True, slots=True)
class LanguageCounts:
    """The articles, links and insertions of one language, or of all together."""

    language: str
    articles: int = 0
    entities: int = 0
    links: int = 0
    orphans: int = 0
    insertions: int = 0
    pages_with_insertions: int = 0

    @property
    def links_per_article(self) -> float | None:
        """Existing links per article; None if there are no articles."""
        return _ratio(self.links, self.articles)

    @property
    def orphan_share(self) -> float | None:
        """The share of articles that no other page links to."""
        return _ratio(self.orphans, self.articles)


@dataclass(frozen=True, slots=True)
class ScenarioCounts:
    """The insertions of one language, or of all together, by scenario."""

    language: str
    counts: Mapping[Scenario, int]

    @property
    def total(self) -> int:
        """The number of all insertions."""
        return sum(self.counts.values())

    @property
    def shares(self) -> dict[Scenario, float]:
        """The share of each scenario among all insertions; empty if there are none."""
        return {scenario: count / self.total for scenario, count in self.counts.items()} if self.total else {}


@dataclass(frozen=True, slots=True)
class CandidateCounts:
    """How many pages of a language, or of all, have n candidates; pages are articles, or pages before an insertion."""

    source: Command
    language: str
    pages_by_candidates: Mapping[int, int]

    @property
    def pages(self) -> int:
        """The number of all pages; a version of a page counts once, however many links were added to it."""
        return sum(self.pages_by_candidates.values())

    def quantile(self, percent: int) -> int:
        """Return the smallest number of candidates that at least this percentage of the pages do not exceed."""
        seen = 0
        for candidates, pages in sorted(self.pages_by_candidates.items()):
            seen += pages
            if 100 * seen >= percent * self.pages:
                return candidates
        raise ValueError(f"there is no {percent} % quantile of {self.pages} pages; expected 0 to 100 %, and a page")

    def ccdf(self) -> list[tuple[int, float]]:
        """Return each number of candidates that occurs, with the share of pages that have as many or more."""
        points, seen = [], 0
        for candidates, pages in sorted(self.pages_by_candidates.items(), reverse=True):
            seen += pages
            points.append((candidates, seen / self.pages))
        return points[::-1]


@dataclass(frozen=True, slots=True)
class RejectCount:
    """How many records a command set aside for one reason."""

    command: Command
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The counts of some folders: for each language, ordered by their codes, and for all together."""

    folders: tuple[tuple[Path, Command], ...]
    languages: tuple[LanguageCounts, ...]
    total: LanguageCounts
    scenarios: tuple[ScenarioCounts, ...]
    candidates: tuple[CandidateCounts, ...]
    rejects: tuple[RejectCount, ...]

    @property
    def micro(self) -> ScenarioCounts:
        """All insertions together: a language weighs as much as it has insertions."""
        return ScenarioCounts("micro", {s: sum(counts.counts[s] for counts in self.scenarios) for s in Scenario})

    @property
    def macro(self) -> dict[Scenario, float]:
        """The mean of the languages' shares: every language that has insertions weighs the same."""
        all_shares = [counts.shares for counts in self.scenarios if counts.total]
        return {s: sum(shares[s] for shares in all_shares) / len(all_shares) for s in Scenario} if all_shares else {}

    def holds(self, command: Command) -> bool:
        """Return whether a folder of this command was counted."""
        return any(command is made_by for _path, made_by in self.folders)

    def candidates_of(self, source: Command) -> tuple[CandidateCounts, ...]:
        """Return the candidates of each language that has pages of this source."""
        return tuple(counts for counts in self.candidates if counts.source is source)

    def all_candidates_of(self, source: Command) -> CandidateCounts:
        """Return the candidates of all languages together."""
        pages: Counter[int] = Counter()
        for counts in self.candidates_of(source):
            pages.update(counts.pages_by_candidates)
        return CandidateCounts(source, TOTAL, pages)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
