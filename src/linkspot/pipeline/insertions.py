"""`linkspot insertions`: histories → the links that editors added, each with the page as it stood before."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import ibis
from ibis import _

from linkspot.corpora.corpus import CorpusSource, revisions_of
from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.insertions.history import HistoryRules
from linkspot.links.graph import best_mentions
from linkspot.links.precedents import MOST_PRECEDENTS
from linkspot.links.redirects import addresses, resolve, unique_tails, with_identities
from linkspot.pipeline.histories import ADDED_LINK, WHERE, JudgeHistories
from linkspot.pipeline.pages import PAGE
from linkspot.pipeline.table_run import Summary, TableRun, count_by, plan_of, sum_of_rejects
from linkspot.progress import SILENT, Progress
from linkspot.tables.folder import TableFolder

TABLES = ("insertions",)
_HISTORIES, _PAGES, _JUDGED = "histories", "history_pages", "judged_insertions"

Snapshots = tuple[Path, Path]


def insertions(
    sources: Sequence[CorpusSource],
    out: Path,
    engine: Engine,
    rules: HistoryRules | None = None,
    snapshots: Snapshots | None = None,
    licence: str = "",
    *,
    keep_unknown: bool = False,
    progress: Progress = SILENT,
) -> Summary:
    """Find the added links along the histories of some corpora; continues where an earlier run stopped.

    With the indexes of two snapshots, a link counts only if the later one has it and the earlier one does not, and only
    where it was added last. Links to pages that are missing in the corpora can be kept; only their titles are known.
    """
    rules = rules or HistoryRules()
    settings = {
        "rules": str(rules),
        "snapshots": [str(path) for path in snapshots or ()],
        "licence": licence,
        "keep_unknown": keep_unknown,
    }
    with TableRun.begin(out, plan_of("insertions", sources, settings), engine, progress) as run:
        finished = run.summary()
        if finished:
            return finished
        difference = _difference(engine, snapshots)
        histories = run.work(_HISTORIES, JudgeHistories(rules), sources)
        pages = run.table(_PAGES, lambda: history_pages(histories, keep_unknown))
        judged = run.table(_JUDGED, lambda: judged_insertions(histories, pages, difference, not keep_unknown))
        run.table("insertions", lambda: kept_insertions(histories, judged, pages))
        rejects = sum_of_rejects(histories) + count_by(judged, "verdict")
        summary = run.summarise(TABLES, rejects)
        if not summary.rows["insertions"] and not any(map(_has_history, sources)):
            names = ", ".join(str(source.path) for source in sources)
            raise UnusableInput(
                f"{names} has no history: every page has one revision, so no added links can be found; "
                "expected a dump with all revisions (pages-meta-history) or a git repository"
            )
        return run.finish(summary, (_HISTORIES, _PAGES, _JUDGED))


def _has_history(source: CorpusSource) -> bool:
    """Return whether any page of a corpus has a second revision."""
    revisions = revisions_of(source.open())
    pages = pairwise((revision.page.id, revision.page.title) for revision in revisions)
    return any(page == next_page for page, next_page in pages)


def history_pages(histories: ibis.Table, keep_unknown: bool = False) -> ibis.Table:
    """Return each page once, as the last window of its history has it; if wanted, also pages that are only linked."""
    named = histories.filter(_.key.notnull()).select(*PAGE, "window")
    newest = ibis.window(group_by=["language", "key"], order_by=[ibis.desc("window"), "id"])
    last = named.mutate(rank=ibis.row_number().over(newest)).filter(_.rank == 0).select(*PAGE)
    pages = with_identities(last)
    return pages.union(_unknown_pages(histories, pages).select(*pages.columns)) if keep_unknown else pages


def _unknown_pages(histories: ibis.Table, pages: ibis.Table) -> ibis.Table:
    """Return the targets of added links that are missing in the corpora; only their names are known."""
    targets = _unnested(histories, "insertions", ("target", "target_tail"))
    unknown = resolve(targets, addresses(pages), unique_tails(pages)).filter(_.target_key.isnull())
    names = unknown.select("language", "target").distinct()
    return names.select(
        "language",
        key=_.target,
        tail=ibis.null("string"),
        id=ibis.literal(""),
        title=_.target,
        entity=_.target,
        redirect=ibis.literal(""),
        aliases=ibis.literal([], type="array<string>"),
    )


def judged_insertions(
    histories: ibis.Table, pages: ibis.Table, difference: ibis.Table | None = None, needs_lead: bool = True
) -> ibis.Table:
    """Return the added links with their targets and a verdict: the reason why a link is dropped, or null.

    `difference` holds the pairs of pages (`language, source_key, target_key`) that may count, if not all may.
    """
    names, tails = addresses(pages), unique_tails(pages)
    added = _unnested(histories, "insertions", ("event", "target", "target_tail", "after_time", "after_revision"))
    added = resolve(added, names, tails)
    linked = _unnested(histories, "linked_before", ("event", "target", "target_tail"))
    linked = resolve(linked, names, tails).select("event", "target_key", is_linked=ibis.literal(True)).distinct()
    added = _joined(added, linked, ["event", "target_key"], "is_linked")
    added = _with_pages(added, pages)
    added = _joined(added, _leads_as_of(added, histories), ["event"], "target_lead")
    if not needs_lead:
        added = added.mutate(target_lead=added.target_lead.fill_null(""))
    added = _between_snapshots(added, difference)
    twins = ibis.window(group_by=["language", "source_key", "after_revision", "target_key"], order_by=["event"])
    added = added.mutate(twin=ibis.row_number().over(twins))
    extra = ("target", "target_tail", "after_revision", "is_linked", "is_between", "later", "twin")
    return added.mutate(verdict=_verdict(added, needs_lead)).drop(*extra)


def _between_snapshots(added: ibis.Table, difference: ibis.Table | None) -> ibis.Table:
    """Add whether a link is in the snapshots' difference, and how many later edits added the same link again."""
    if difference is None:
        return added.mutate(is_between=ibis.literal(True), later=ibis.literal(0, type="int64"))
    newest = ibis.window(group_by=["language", "source_key", "target_key"], order_by=[ibis.desc("after_time"), "event"])
    pairs = difference.mutate(is_between=ibis.literal(True))
    added = _joined(added, pairs, ["language", "source_key", "target_key"], "is_between")
    return added.mutate(later=ibis.row_number().over(newest))


def _verdict(added: ibis.Table, needs_lead: bool) -> ibis.Value:
    return ibis.cases(
        (added.target_key.isnull(), "an added link to a page that the corpus lacks"),
        (added.target_key == added.source_key, "an added link from a page to itself"),
        (added.is_linked.notnull(), "an added link to a page that was linked by another name"),
        (added.twin > 0, "a second added link to the same page"),
        (added.is_between.isnull(), "an added link that is not in the difference of the snapshots"),
        (added.later > 0, "an added link that was added again later"),
        ((added.source_entity == "") | (added.target_entity == ""), "an added link of a page without an entity id"),
        (added.target_lead.isnull(), "an added link to a page that did not exist yet"),
        ((added.target_lead == "") & ibis.literal(needs_lead), "an added link to a page without a lead"),
    )


def kept_insertions(histories: ibis.Table, judged: ibis.Table, pages: ibis.Table) -> ibis.Table:
    """Return the added links that are kept, with the page before the edit and the target's mentions and precedents."""
    kept = judged.filter(_.verdict.isnull()).drop("verdict")
    mentions = best_mentions(_mentions_as_of(kept, histories, pages), ("event",))
    facts = _joined(kept, mentions, ["event"], "mentions")
    facts = _joined(facts, _precedents_as_of(kept, histories, pages), ["event"], "precedents")
    facts = facts.drop("language", "source_key", "after_time")
    added = _unnested(histories, "insertions", _ADDED)
    joined = added.inner_join(facts, "event").select(*added.columns, *(c for c in facts.columns if c != "event"))
    empty = {name: ibis.literal([], type=joined[name].type()) for name in ("mentions", "precedents")}
    return joined.mutate(**{name: ibis.coalesce(joined[name], none) for name, none in empty.items()}).drop("event")


_ADDED = tuple(field.name for field in ADDED_LINK if field.name not in {"target", "target_tail"})


def _unnested(histories: ibis.Table, column: str, fields: Sequence[str]) -> ibis.Table:
    """Return one row for each element of a list, with the language and the key of its page."""
    rows = histories.filter(_.key.notnull()).select("language", source_key=_.key, element=histories[column].unnest())
    return rows.select("language", "source_key", **{name: rows.element[name] for name in fields})


def _joined(left: ibis.Table, right: ibis.Table, on: list[str], *columns: str) -> ibis.Table:
    """Return the left table with columns of the right one, joined by equal values; null where the right has no row."""
    joined = left.left_join(right.select(*on, *columns).view(), on)
    # The filter keeps Ibis from merging this join with the next one, whose columns it would then confuse.
    return joined.select(*(left[name] for name in left.columns), *columns).filter(ibis.literal(True))


def _with_pages(links: ibis.Table, pages: ibis.Table) -> ibis.Table:
    """Return links with the id, title and entity of their source and target pages."""
    sources = pages.select("language", source_key=_.key, source_id=_.id, source_title=_.title, source_entity=_.entity)
    targets = pages.select("language", target_key=_.key, target_id=_.id, target_title=_.title, target_entity=_.entity)
    links = _joined(links, sources, ["language", "source_key"], "source_id", "source_title", "source_entity")
    return _joined(links, targets, ["language", "target_key"], "target_id", "target_title", "target_entity")


def _leads_as_of(added: ibis.Table, histories: ibis.Table) -> ibis.Table:
    """Return `event, target_lead`: the target's lead as it stood when the link was added."""
    leads = _unnested(histories, "leads", ("time", "lead")).select(
        "language", target_key=_.source_key, time=_.time, target_lead=_.lead
    )
    pairs = (
        added.select("event", "language", "target_key", "after_time")
        .view()
        .inner_join(leads, ["language", "target_key"])
    )
    pairs = pairs.select("event", "after_time", "time", "target_lead").filter(_.time <= _.after_time)
    newest = ibis.window(group_by="event", order_by=[ibis.desc("time"), "target_lead"])
    return pairs.mutate(rank=ibis.row_number().over(newest)).filter(_.rank == 0).select("event", "target_lead")


def _mentions_as_of(kept: ibis.Table, histories: ibis.Table, pages: ibis.Table) -> ibis.Table:
    """Return `event, mention, count`: in how many other pages these words linked to the target by then."""
    seen = _unnested(histories, "mentions", ("time", "target", "target_tail", "mention"))
    seen = resolve(seen, addresses(pages), unique_tails(pages)).filter(_.target_key.notnull())
    first = seen.group_by("language", "target_key", "mention", page=_.source_key).agg(time=_.time.min())
    events = kept.select("event", "language", "target_key", "source_key", "after_time").view()
    pairs = events.inner_join(first, ["language", "target_key"])
    pairs = pairs.select("event", "source_key", "after_time", "page", "time", "mention")
    pairs = pairs.filter((_.time < _.after_time) & (_.page != _.source_key))
    return pairs.group_by("event", "mention").agg(count=_.count())


def _precedents_as_of(kept: ibis.Table, histories: ibis.Table, pages: ibis.Table) -> ibis.Table:
    """Return `event, precedents`: where versions of the page in other languages linked the target by then."""
    where = [field.name for field in WHERE]
    seen = _unnested(histories, "linked", ("time", "target", "target_tail", *where))
    seen = _with_pages(resolve(seen, addresses(pages), unique_tails(pages)).filter(_.target_key.notnull()), pages)
    seen = seen.select("source_entity", "target_entity", "time", *where, elsewhere=_.language)
    events = kept.select("event", "language", "source_entity", "target_entity", "after_time").view()
    pairs = events.inner_join(seen, ["source_entity", "target_entity"])
    pairs = pairs.select("event", "language", "after_time", "time", "elsewhere", *where)
    pairs = pairs.filter((_.time < _.after_time) & (_.elsewhere != _.language))
    newest = ibis.window(group_by=["event", "elsewhere"], order_by=[ibis.desc("time"), "place"])
    of_languages = pairs.mutate(rank=ibis.row_number().over(newest)).filter(_.rank == 0)
    best = ibis.window(group_by=["event"], order_by=[ibis.desc("time"), "elsewhere"])
    few = of_languages.mutate(number=ibis.row_number().over(best)).filter(_.number < MOST_PRECEDENTS)
    fields = {"language": few.elsewhere, **{name: few[name] for name in where}}
    precedents = few.select("event", precedent=ibis.struct(fields))
    return precedents.group_by("event").agg(precedents=_.precedent.collect().sort())


def _difference(engine: Engine, snapshots: Snapshots | None) -> ibis.Table | None:
    """Return the pairs of pages that are linked in the later snapshot and not in the earlier one."""
    if snapshots is None:
        return None
    pair = ("language", "source_key", "target_key")
    earlier, later = (engine.read(TableFolder.open(path, "index").table("links")).select(*pair) for path in snapshots)
    return later.distinct().anti_join(earlier, list(pair))
