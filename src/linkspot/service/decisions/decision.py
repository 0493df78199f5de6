"""A decision: what an editor did with a place that was suggested."""

import re
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from enum import StrEnum

from linkspot.errors import WrongValue

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SESSION = re.compile(r"[0-9A-Za-z_-]{8,64}")
_NOT_STORABLE = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL takes no NUL, no database takes half a character
LONGEST_TEXT = 100_000  # characters of one field
LONGEST_NOTE = 2_000
_LARGEST_NUMBER = 2**63 - 1


class EditorVerdict(StrEnum):
    """What the editor did."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    SKIPPED = "skipped"


class RejectionReason(StrEnum):
    """Why a place was rejected, in the words of GrowthExperiments."""

    EVERYDAY = "everyday"
    WRONG_TARGET = "wrong-target"
    MORE_FEWER_WORDS = "more-fewer-words"
    OTHER = "other"


def now() -> str:
    """Return the time as it is stored: in UTC, of equal length, so that it sorts."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision on one place.

    `id` is made by the client, so that a request that is sent twice is one decision; `session` is an opaque name. The
    place is `sentence`, in the section with the title `section`; `start` and `end` are the range of the page's markup
    that the edit replaces. `words` are those that were linked, `before` and `after` the sentence's markup without and
    with the edit.
    """

    id: str
    session: str
    verdict: EditorVerdict
    page: str
    target: str
    wiki: str = ""
    revision: int = 0
    section: str = ""
    sentence: str = ""
    start: int = 0
    end: int = 0
    rank: int = 1
    action: str = ""
    probability: float | None = None
    words: str = ""
    before: str = ""
    after: str = ""
    reason: RejectionReason | None = None
    note: str = ""
    model: str = ""
    time: str = field(default_factory=now)

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise WrongValue(f"{self.id[:60]!r} is not an id; make one like 0b6f8c1e-3b1d-4c55-9f0e-2b1f4d8a7c63")
        if not _SESSION.fullmatch(self.session):
            raise WrongValue("the session's name is not 8 to 64 letters, digits, - or _")
        if (self.verdict is EditorVerdict.REJECTED) != (self.reason is not None):
            reasons = ", ".join(RejectionReason)
            raise WrongValue(f"a rejection has a reason ({reasons}), and nothing else has one")
        for name, text in self._texts():
            _check_text(name, text)
        for number in (self.revision, self.start, self.end, self.rank):
            if not 0 <= number <= _LARGEST_NUMBER:
                raise WrongValue(f"{number} is out of range; expected 0 to {_LARGEST_NUMBER}")
        if self.start > self.end:
            raise WrongValue(f"the place ends at {self.end}, before it begins at {self.start}")
        if self.probability is not None and not 0 <= self.probability <= 1:
            raise WrongValue(f"{self.probability} is not a probability; expected a number from 0 to 1")

    def _texts(self) -> list[tuple[str, str]]:
        values = ((one.name, getattr(self, one.name)) for one in fields(self))
        return [(name, value) for name, value in values if isinstance(value, str)]


def _check_text(name: str, text: str) -> None:
    most = LONGEST_NOTE if name == "note" else LONGEST_TEXT
    if len(text) > most:
        raise WrongValue(f"{name} has {len(text):,} characters; at most {most:,} can be stored")
    if sign := _NOT_STORABLE.search(text):
        raise WrongValue(f"{name} has the character {sign[0]!a}, which no database stores; leave it out")
