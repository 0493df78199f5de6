"""Rules: which added links count. A protocol is a set of rules; each rule can be lifted alone."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from linkspot.insertions.windows import LOOK_AHEAD


class Rule(StrEnum):
    """A reason to leave an added link out, by the name that `--lift` takes."""

    SURVIVAL = "survival"
    MAX_LINKS = "max-links"
    MAX_PAGES = "max-pages"
    RESTORED = "restored"
    RETARGET = "retarget"
    REPAIR = "repair"
    MOVED_TEXT = "moved-text"
    NAVIGATION = "navigation"
    REPLACED = "replaced"
    REWRITTEN = "rewritten"
    NO_PLACE = "no-place"
    TARGET_EXISTS = "target-exists"
    SELF_LINK = "self-link"
    LEAD = "lead"
    ENTITY_ID = "entity-id"


class Protocol(StrEnum):
    """Rules that belong together."""

    STRICT = "strict"
    PAPER = "paper"


#: What the paper leaves out; it also ignores links outside of the prose, which have no place.
_PAPER = frozenset({Rule.SELF_LINK, Rule.LEAD, Rule.ENTITY_ID})


@dataclass(frozen=True, slots=True)
class HistoryRules:
    """Which edits count, and how long a link has to stay: in `survive` of the next `survive_of` revisions.

    If fewer revisions follow, it has to stay in the same share of them. `since` and `until` are the first and the last
    time of an edit. A number counts only if its rule is among the rules that are `applied`.
    """

    survive: int = 8
    survive_of: int = 10
    max_links: int = 5
    max_pages: int = 5
    since: datetime | None = None
    until: datetime | None = None
    applied: frozenset[Rule] = frozenset(Rule)

    def __post_init__(self) -> None:
        if not 0 <= self.survive <= self.survive_of <= LOOK_AHEAD:
            raise ValueError(
                f"a link has to survive in {self.survive} of {self.survive_of} revisions; expected two numbers from 0 "
                f"to {LOOK_AHEAD}, the smaller first"
            )

    def applies(self, rule: Rule) -> bool:
        """Return whether links can fall to this rule."""
        return rule in self.applied

    def lifting(self, *rules: Rule) -> "HistoryRules":
        """Return the same rules without these."""
        return replace(self, applied=self.applied - {*rules})

    def applying(self, *rules: Rule) -> "HistoryRules":
        """Return the same rules with these added."""
        return replace(self, applied=self.applied | {*rules})

    def between(self, since: datetime | None, until: datetime | None) -> "HistoryRules":
        """Return the same rules for edits that are also within this time."""
        first = max(filter(None, (since, self.since)), default=None)
        last = min(filter(None, (until, self.until)), default=None)
        return replace(self, since=first, until=last)

    def covers(self, time: datetime | None) -> bool:
        """Return whether an edit of this time counts; an edit without a time counts only if there are no limits."""
        if time is None:
            return self.since is None and self.until is None
        return not (self.since and time < self.since) and not (self.until and time > self.until)

    @property
    def protocol(self) -> str:
        """The name of the protocol with these rules; "own" if they are another choice."""
        return next((name for name, rules in PROTOCOLS.items() if rules.applied == self.applied), "own")

    def settings(self) -> dict[str, Any]:
        """Return the rules as a manifest holds them, in a fixed order."""
        return {
            "protocol": self.protocol,
            "applied": ordered(self.applied),
            "survive": f"{self.survive}/{self.survive_of}",
            "max_links": self.max_links,
            "max_pages": self.max_pages,
            "since": self.since.isoformat() if self.since else None,
            "until": self.until.isoformat() if self.until else None,
        }


def ordered(rules: Iterable[Rule]) -> list[str]:
    """Return the names of rules in the order in which they are listed."""
    chosen = {*rules}
    return [rule.value for rule in Rule if rule in chosen]


STRICT = HistoryRules()
PAPER = HistoryRules(applied=_PAPER)
PROTOCOLS = {Protocol.STRICT: STRICT, Protocol.PAPER: PAPER}
