"""History: the insertions along one page's revisions, and what was known at the time of each."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from linkspot.insertions.rejects import Reject
from linkspot.insertions.rules import HistoryRules, Rule
from linkspot.insertions.scenarios import AddedLink, added_links
from linkspot.insertions.versions import Version
from linkspot.insertions.windows import LOOK_AHEAD, LOOK_BACK, HistoryWindow
from linkspot.links.addresses import Naming
from linkspot.links.precedents import precedent_at
from linkspot.parsing import link_targets, redirect_target
from linkspot.records import Article, Page, Precedent, Revision


@dataclass(frozen=True)
class Added:
    """An insertion: the page before and after, and the keys of the pages that the prose linked to before.

    `section` is the title of the section that the link belonged in, or of the section that was added with it.
    """

    before: Article
    after: Article
    before_revision: Revision
    after_revision: Revision
    added: AddedLink
    section: str
    linked_before: frozenset[str]


@dataclass(frozen=True, slots=True)
class Mentioned:
    """The time from which a page links to a target by these words."""

    time: datetime | None
    target: str
    mention: str


@dataclass(frozen=True, slots=True)
class Linked:
    """The time from which a page links to a target, and where."""

    time: datetime | None
    target: str
    where: Precedent


@dataclass(frozen=True, slots=True)
class KnownLead:
    """The time from which a page has this lead."""

    time: datetime | None
    lead: str


@dataclass(frozen=True, slots=True)
class HistoryFacts:
    """What a page said at which time; only its first revision and those with new links are parsed for that."""

    mentions: list[Mentioned] = field(default_factory=list)
    linked: list[Linked] = field(default_factory=list)
    leads: list[KnownLead] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The insertions of a window, counts of other added links by the reason that excludes them, and the facts."""

    added: list[Added] = field(default_factory=list)
    rejects: Counter[str] = field(default_factory=Counter)
    facts: HistoryFacts = field(default_factory=HistoryFacts)


def judge(window: HistoryWindow, naming: Naming, rules: HistoryRules) -> Judgement:
    """Judge each link that one of the window's own revisions has more often than the revision before it.

    However a history is cut into windows, its insertions and rejects are the same.
    """
    history = _History(window, naming, rules)
    for index in window.own:
        history.judge(index)
    return history.judgement


class _History:
    """Judges a window's revisions one by one; pages are parsed only if a quick look at their links shows a change."""

    def __init__(self, window: HistoryWindow, naming: Naming, rules: HistoryRules) -> None:
        self.judgement = Judgement()
        self._revisions = window.revisions
        self._naming = naming
        self._rules = rules
        self._keys: dict[str, str] = {}
        self._counts: dict[int, Counter[str]] = {}
        self._versions: dict[int, Version] = {}
        self._mentions: set[tuple[str, str]] = set()
        self._linked: set[str] = set()

    def judge(self, index: int) -> None:
        """Judge the links that the revision at this index added to the one before it."""
        if index == 0:
            self._note(index)
            return
        old, new = self._counts_at(index - 1), self._counts_at(index)
        risen = [key for key, number in new.items() if number > old[key]]
        quick_rejects = {key: self._quick_reject(index, key) for key in risen}
        may_matter = any(reject is None for reject in quick_rejects.values())
        if may_matter:
            self._note(index)
        if not risen or not self._rules.covers(self._revisions[index].time):
            return
        new_targets = [key for key in risen if not old[key] and quick_rejects[key] is not Reject.RESTORED]
        edit_reject = self._reject_of_edit(index, len(new_targets))
        verdicts: dict[str, AddedLink | Reject] = {}
        if edit_reject is None and may_matter:
            verdicts = added_links(self._version(index - 1), self._version(index), set(risen), self._rules)
        for key in risen:
            verdict = edit_reject or quick_rejects[key] or verdicts.get(key) or self._reject_outside(index, key)
            self._record(index, verdict)

    def _record(self, index: int, verdict: AddedLink | Reject) -> None:
        if isinstance(verdict, Reject):
            self.judgement.rejects[verdict.value] += 1
            return
        before, after = self._version(index - 1), self._version(index)
        if verdict.gold:
            section = before.article.sections[before.article.sentences[verdict.gold[0]][0]]
        else:
            section = after.article.sections[after.article.sentences[verdict.sentence][0]]
        revisions = self._revisions[index - 1], self._revisions[index]
        self.judgement.added.append(
            Added(before.article, after.article, *revisions, verdict, section.title, before.linked)
        )

    def _reject_of_edit(self, index: int, new_targets: int) -> Reject | None:
        """Return why no link of this edit counts, given how many targets it linked for the first time."""
        before, after = self._revisions[index - 1], self._revisions[index]
        if _is_void(before.page):
            return Reject.NO_PAGE_BEFORE
        rules = self._rules
        if after.touched > rules.max_pages and rules.applies(Rule.MAX_PAGES):
            return Reject.MANY_PAGES
        has_many_links = new_targets > rules.max_links and rules.applies(Rule.MAX_LINKS)
        return Reject.MANY_LINKS if has_many_links else None

    def _quick_reject(self, index: int, key: str) -> Reject | None:
        """Return why a link does not count, as far as counting links tells that without parsing."""
        rules = self._rules
        if rules.applies(Rule.SELF_LINK) and key == self._naming.key_of(self._revisions[index].page):
            return Reject.TO_ITSELF
        if rules.applies(Rule.RESTORED) and self._was_there(index, key):
            return Reject.RESTORED
        following = self._following(index) if rules.applies(Rule.SURVIVAL) else []
        survived = sum(key in self._counts_at(later) for later in following)
        return Reject.SHORT_LIVED if survived * rules.survive_of < rules.survive * len(following) else None

    def _was_there(self, index: int, key: str) -> bool:
        """Return whether one of the revisions before had a link as often."""
        number = self._counts_at(index)[key]
        return any(self._counts_at(past)[key] >= number for past in range(max(0, index - LOOK_BACK), index))

    def _following(self, index: int) -> list[int]:
        """Return the next revisions in which a link could survive; a page's deletion says nothing about its links."""
        end = min(index + 1 + self._rules.survive_of, len(self._revisions))
        return [later for later in range(index + 1, end) if not self._revisions[later].is_deletion]

    def _reject_outside(self, index: int, key: str) -> Reject:
        """Return why a link that the prose does not have for the first time does not count."""
        return Reject.ALREADY_LINKED if key in self._version(index - 1).linked else Reject.NOT_IN_PROSE

    def _note(self, index: int) -> None:
        """Keep the mentions, links and lead of this revision that earlier revisions did not have."""
        time, version, facts = self._revisions[index].time, self._version(index), self.judgement.facts
        for key, number, link in version.links:
            if key not in self._linked:
                self._linked.add(key)
                facts.linked.append(Linked(time, key, precedent_at(version.article, number)))
            if (key, link.mention) not in self._mentions:
                self._mentions.add((key, link.mention))
                facts.mentions.append(Mentioned(time, key, link.mention))
        if not facts.leads or facts.leads[-1].lead != version.article.lead:
            facts.leads.append(KnownLead(time, version.article.lead))

    def _counts_at(self, index: int) -> Counter[str]:
        """Return how often the revision's markup names each page of the corpus."""
        if index not in self._counts:
            page = self._revisions[index].page
            counts: Counter[str] = Counter()
            for target, number in link_targets(page).items():
                if target not in self._keys:
                    self._keys[target] = self._naming.target_key(target, page)
                counts[self._keys[target]] += number
            del counts[""]
            self._counts[index] = counts
            self._counts.pop(index - LOOK_BACK - LOOK_AHEAD - 1, None)
        return self._counts[index]

    def _version(self, index: int) -> Version:
        if index not in self._versions:
            self._versions = {past: version for past, version in self._versions.items() if past == index - 1}
            self._versions[index] = Version.of(self._revisions[index].page, self._naming)
        return self._versions[index]


def _is_void(page: Page) -> bool:
    return redirect_target(page) is not None or not page.text.strip()
