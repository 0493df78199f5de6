"""Decisions for tests, and a writer that a test may kill."""

import sys
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from linkspot.service.decisions.decision import Decision, EditorVerdict, RejectionReason

SESSION = "session-of-a-test"


def decision(number: int = 1, **changes: Any) -> Decision:
    """Return a decision whose id is a number."""
    values = {
        "id": str(UUID(int=number)),
        "session": SESSION,
        "verdict": EditorVerdict.ACCEPTED,
        "page": "Dhow",
        "target": "Monsoon",
        "wiki": "https://sw.wikipedia.org/w/api.php",
        "revision": 1234567,
        "sentence": "A dhow sails with the monsoon.",
        "before": "A dhow sails with the monsoon.",
        "after": "A dhow sails with the [[monsoon]].",
        "words": "monsoon",
        "start": 22,
        "end": 29,
        "probability": 0.875,
        "action": "link_words",
        "model": "linkspot",
    }
    return Decision(**(values | changes))


def strange_decisions() -> Iterator[Decision]:
    """Yield decisions with texts that databases often spoil."""
    texts = ["𝒜 😀 مهاجرة 緑茶", "O'Brien \"; DROP TABLE x; --", "%s %(a)s {b} \\ \\n", " \r\n\t end ", "é é ", "A"]
    reasons = list(RejectionReason)
    for number, text in enumerate(texts, start=1):
        changes = {"page": text, "target": text, "words": text, "note": text, "before": text, "after": text * 9}
        reason = reasons[number % len(reasons)]
        yield decision(number, verdict=EditorVerdict.REJECTED, reason=reason, probability=None, **changes)


if __name__ == "__main__":  # writes without end and says the number of each decision that is acknowledged
    from linkspot.service.decisions.store import DecisionStore

    database, first = sys.argv[1], int(sys.argv[2])
    with DecisionStore(database) as opened:
        number = first
        while True:
            opened.add(decision(number))
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()
            number += 1
