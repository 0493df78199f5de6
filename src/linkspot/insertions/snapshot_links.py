"""Snapshots of a history: the pages that a page's prose linked to at two times."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from linkspot.insertions.versions import Version
from linkspot.insertions.windows import HistoryWindow
from linkspot.links.addresses import Naming


@dataclass(frozen=True, slots=True)
class SnapshotTimes:
    """The times of two snapshots."""

    earlier: datetime
    later: datetime


@dataclass(frozen=True, slots=True)
class SnapshotLink:
    """A page that the prose linked to at the time of a snapshot."""

    target: str
    is_later: bool


def snapshot_links(window: HistoryWindow, naming: Naming, times: SnapshotTimes) -> Iterator[SnapshotLink]:
    """Yield the links of the window's own revisions that stood at the snapshots.

    A page that did not change between them has no difference, so it yields nothing and need not be parsed.
    """
    earlier, later = (_last(window, time) for time in (times.earlier, times.later))
    if earlier == later:
        return
    for index, is_later in ((earlier, False), (later, True)):
        # Of the revision after an own one, a window knows the time. So the last one by then is known to be the last.
        if index in window.own and not window.revisions[index].is_deletion:
            version = Version.of(window.revisions[index].page, naming)
            # Pages without a lead are not part of a snapshot.
            linked = version.linked if version.article.lead else ()
            yield from (SnapshotLink(target, is_later) for target in sorted(linked))


def _last(window: HistoryWindow, time: datetime) -> int:
    """Return the index of the last revision by a time; -1 if there is none."""
    indexes = (index for index, revision in enumerate(window.revisions) if revision.time and revision.time <= time)
    return max(indexes, default=-1)
