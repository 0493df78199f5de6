"""The statistics of corpora: how many articles, links and insertions, what was missing, how many candidates."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from linkspot.records import Scenario

TOTAL = "total"


class Command(StrEnum):
    """What made a folder that can be counted."""

    INDEX = "index"
    INSERTIONS = "insertions"


@dataclass(frozen=True, slots=True)
class LanguageCounts:
    """How much of everything there is in one language, or in all of them."""

    language: str
    articles: int = 0
    entities: int = 0
    links: int = 0
    orphans: int = 0
    insertions: int = 0
    pages_with_insertions: int = 0

    @property
    def links_per_article(self) -> float | None:
        """Existing links for each article; none where there are no articles."""
        return _ratio(self.links, self.articles)

    @property
    def orphan_share(self) -> float | None:
        """The share of articles that no other page links to."""
        return _ratio(self.orphans, self.articles)


@dataclass(frozen=True, slots=True)
class ScenarioCounts:
    """How many insertions of each scenario there are in one language, or in all of them."""

    language: str
    counts: Mapping[Scenario, int]

    @property
    def total(self) -> int:
        """All insertions."""
        return sum(self.counts.values())

    @property
    def shares(self) -> dict[Scenario, float]:
        """The share of each scenario among all insertions; nothing where there are none."""
        return {scenario: count / self.total for scenario, count in self.counts.items()} if self.total else {}


@dataclass(frozen=True, slots=True)
class CandidateCounts:
    """How many pages of one language, or of all, have how many candidates: articles, or pages before an insertion."""

    source: Command
    language: str
    pages_by_candidates: Mapping[int, int]

    @property
    def pages(self) -> int:
        """All pages; a version of a page counts once, however many links were added to it."""
        return sum(self.pages_by_candidates.values())

    def quantile(self, percent: int) -> int:
        """Return the smallest number of candidates that at least so many percent of the pages do not exceed."""
        seen = 0
        for candidates, pages in sorted(self.pages_by_candidates.items()):
            seen += pages
            if 100 * seen >= percent * self.pages:
                return candidates
        raise ValueError(f"a quantile is asked for with {percent} %, of {self.pages} pages")

    def ccdf(self) -> list[tuple[int, float]]:
        """Return each number of candidates that occurs, with the share of the pages that have so many or more."""
        found, seen = [], 0
        for candidates, pages in sorted(self.pages_by_candidates.items(), reverse=True):
            seen += pages
            found.append((candidates, seen / self.pages))
        return found[::-1]


@dataclass(frozen=True, slots=True)
class RejectCount:
    """What a command set aside: how often, and why."""

    command: Command
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The counts of some folders: a record for each language in the order of their tags, and what holds for all."""

    folders: tuple[tuple[Path, Command], ...]
    languages: tuple[LanguageCounts, ...]
    total: LanguageCounts
    scenarios: tuple[ScenarioCounts, ...]
    candidates: tuple[CandidateCounts, ...]
    rejects: tuple[RejectCount, ...]

    @property
    def micro(self) -> ScenarioCounts:
        """All insertions together: a language weighs as much as it has insertions."""
        return ScenarioCounts("micro", {s: sum(of.counts[s] for of in self.scenarios) for s in Scenario})

    @property
    def macro(self) -> dict[Scenario, float]:
        """The mean of the languages' shares: every language that has insertions weighs the same."""
        shares = [of.shares for of in self.scenarios if of.total]
        return {s: sum(of[s] for of in shares) / len(shares) for s in Scenario} if shares else {}

    def holds(self, command: Command) -> bool:
        """Return whether a folder of this command was counted."""
        return any(command is made_by for _path, made_by in self.folders)

    def candidates_of(self, source: Command) -> tuple[CandidateCounts, ...]:
        """Return the candidates of the languages that have pages of this source."""
        return tuple(of for of in self.candidates if of.source is source)

    def all_candidates_of(self, source: Command) -> CandidateCounts:
        """Return the candidates of all languages together."""
        pages: Counter[int] = Counter()
        for of in self.candidates_of(source):
            pages.update(of.pages_by_candidates)
        return CandidateCounts(source, TOTAL, pages)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
