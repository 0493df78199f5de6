"""Snapshots: the links that a corpus had at one time and lacked before, and the edits between the two times."""

from datetime import datetime, timedelta
from pathlib import Path

import ibis
from ibis import _

from linkspot.engines.engine import Engine
from linkspot.insertions.rules import HistoryRules
from linkspot.insertions.snapshot_links import SnapshotTimes
from linkspot.links.redirects import addresses, resolve, unique_tails
from linkspot.tables.folder import TableFolder

#: The folders of two indexes, or two times of the history.
Snapshots = tuple[Path, Path] | SnapshotTimes
_PAIR = ("language", "source_key", "target_key")
_MOMENT = timedelta(microseconds=1)


def names_of(snapshots: Snapshots | None) -> list[str]:
    """Return what a manifest says of the snapshots."""
    if isinstance(snapshots, SnapshotTimes):
        return [snapshots.earlier.isoformat(), snapshots.later.isoformat()]
    return list(map(str, snapshots or ()))


def rules_between(rules: HistoryRules, snapshots: Snapshots | None) -> HistoryRules:
    """Return the rules for edits between the snapshots, as far as their times are known without reading them."""
    if not isinstance(snapshots, SnapshotTimes):
        return rules
    return rules.between(snapshots.earlier + _MOMENT, snapshots.later)


def check(snapshots: Snapshots | None) -> None:
    """Refuse folders that are not indexes, before any work is done."""
    if isinstance(snapshots, tuple):
        for path in snapshots:
            TableFolder.open(path, "index")


def difference(
    engine: Engine, histories: ibis.Table, pages: ibis.Table, snapshots: Snapshots | None
) -> ibis.Table | None:
    """Return the pairs of pages that only the later snapshot links, and the time between them: `first`, `last`.

    A page's own revisions in the snapshots are its borders. If a snapshot lacks the page, its newest revision is.
    """
    if snapshots is None:
        return None
    if isinstance(snapshots, SnapshotTimes):
        earlier, later = (_linked_at(histories, pages, is_later) for is_later in (False, True))
        pairs = _only_later(earlier, later)
        return pairs.mutate(first=_time(snapshots.earlier), last=_time(snapshots.later))
    old, new = (TableFolder.open(path, "index") for path in snapshots)
    earlier, later = (engine.read(folder.table("links")).select(*_PAIR) for folder in (old, new))
    pairs = _only_later(earlier, later)
    return _with_border(_with_border(pairs, engine, old, "first"), engine, new, "last")


def _only_later(earlier: ibis.Table, later: ibis.Table) -> ibis.Table:
    return later.distinct().anti_join(earlier, list(_PAIR))


def _linked_at(histories: ibis.Table, pages: ibis.Table, is_later: bool) -> ibis.Table:
    """Return the pairs of pages that were linked at the time of a snapshot, as far as the source changed since."""
    rows = histories.filter(_.key.notnull()).select("language", source_key=_.key, link=_.snapshot_links.unnest())
    fields = {name: rows.link[name] for name in ("target", "target_tail", "is_later")}
    links = rows.select("language", "source_key", **fields)
    links = links.filter(links.is_later == is_later).drop("is_later")
    resolved = resolve(links, addresses(pages), unique_tails(pages))
    return resolved.filter(_.target_key.notnull()).select(*_PAIR)


def _with_border(pairs: ibis.Table, engine: Engine, folder: TableFolder, border: str) -> ibis.Table:
    """Add the time of the source page's revision in a snapshot."""
    articles = engine.read(folder.table("articles"))
    (newest,) = articles.agg(time=_.time.max()).to_pyarrow().to_pylist()
    times = articles.group_by("language", source_key=_.key).agg(**{border: _.time.max()})
    joined = pairs.left_join(times.view(), ["language", "source_key"]).select(*pairs.columns, border)
    return joined.mutate(**{border: joined[border].fill_null(_time(newest["time"]))})


def _time(time: datetime | None) -> ibis.Value:
    return ibis.literal(time, type="timestamp('UTC')")
