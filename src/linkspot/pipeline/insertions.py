"""`linkspot insertions`: histories → the links that editors added, each with the page as it stood before."""

from collections.abc import Sequence
from pathlib import Path

import ibis
from ibis import _

from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import Engine
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
    """Find the added links along the histories of some corpora; goes on where it was stopped.

    With the indexes of two snapshots, only links count that the later one has and the earlier one has not, each where
    it was added last. Links to pages that the corpora lack can be kept: of those, only the title is known.
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
        return run.finish(run.summarise(TABLES, rejects), (_HISTORIES, _PAGES, _JUDGED))


def history_pages(histories: ibis.Table, keep_unknown: bool = False) -> ibis.Table:
    """Return each page once, as the last window of its history has it; and those that are only linked to, if wanted."""
    named = histories.filter(_.key.notnull()).select(*PAGE, "window")
    newest = ibis.window(group_by=["language", "key"], order_by=[ibis.desc("window"), "id"])
    last = named.mutate(place=ibis.row_number().over(newest)).filter(_.place == 0).select(*PAGE)
    pages = with_identities(last)
    return pages.union(_unknown_pages(histories, pages).select(*pages.columns)) if keep_unknown else pages


def _unknown_pages(histories: ibis.Table, pages: ibis.Table) -> ibis.Table:
    """Return the targets of added links that no page of the corpora has the name of; they are known by it alone."""
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
    """Return the added links with what they lead to, each with the reason why it is dropped, or null.

    `difference` holds the pairs of pages (`language, source_key, target_key`) that may count, if not all may.
    """
    names, tails = addresses(pages), unique_tails(pages)
    found = _unnested(histories, "insertions", ("event", "target", "target_tail", "after_time", "after_revision"))
    found = resolve(found, names, tails)
    linked = _unnested(histories, "linked_before", ("event", "target", "target_tail"))
    linked = resolve(linked, names, tails).select("event", "target_key", is_linked=ibis.literal(True)).distinct()
    found = _joined(found, linked, ["event", "target_key"], "is_linked")
    found = _with_pages(found, pages)
    found = _joined(found, _leads_as_of(found, histories), ["event"], "target_lead")
    if not needs_lead:
        found = found.mutate(target_lead=found.target_lead.fill_null(""))
    if difference is None:
        found = found.mutate(is_between=ibis.literal(True), later=ibis.literal(0, type="int64"))
    else:
        newest = ibis.window(
            group_by=["language", "source_key", "target_key"], order_by=[ibis.desc("after_time"), "event"]
        )
        pairs = difference.mutate(is_between=ibis.literal(True))
        found = _joined(found, pairs, ["language", "source_key", "target_key"], "is_between")
        found = found.mutate(later=ibis.row_number().over(newest))
    twins = ibis.window(group_by=["language", "source_key", "after_revision", "target_key"], order_by=["event"])
    found = found.mutate(twin=ibis.row_number().over(twins))
    verdict = ibis.cases(
        (found.target_key.isnull(), "an added link to a page that the corpus lacks"),
        (found.target_key == found.source_key, "an added link from a page to itself"),
        (found.is_linked.notnull(), "an added link to a page that was linked by another name"),
        (found.twin > 0, "a second added link to the same page"),
        (found.is_between.isnull(), "an added link that is not in the difference of the snapshots"),
        (found.later > 0, "an added link that was added again later"),
        ((found.source_entity == "") | (found.target_entity == ""), "an added link of a page without an entity id"),
        (found.target_lead.isnull(), "an added link to a page that did not exist yet"),
        ((found.target_lead == "") & ibis.literal(needs_lead), "an added link to a page without a lead"),
    )
    extra = ("target", "target_tail", "after_revision", "is_linked", "is_between", "later", "twin")
    return found.mutate(verdict=verdict).drop(*extra)


def kept_insertions(histories: ibis.Table, judged: ibis.Table, pages: ibis.Table) -> ibis.Table:
    """Return the added links that are kept, whole: with the page before the edit and the target's known mentions."""
    kept = judged.filter(_.verdict.isnull()).drop("verdict")
    mentions = best_mentions(_mentions_as_of(kept, histories, pages), ("event",))
    facts = _joined(kept, mentions, ["event"], "mentions")
    facts = _joined(facts, _precedents_as_of(kept, histories, pages), ["event"], "precedents")
    facts = facts.drop("language", "source_key", "after_time")
    added = _unnested(histories, "insertions", _ADDED)
    whole = added.inner_join(facts, "event").select(*added.columns, *(c for c in facts.columns if c != "event"))
    nothing = {name: ibis.literal([], type=whole[name].type()) for name in ("mentions", "precedents")}
    return whole.mutate(**{name: ibis.coalesce(whole[name], none) for name, none in nothing.items()}).drop("event")


_ADDED = tuple(field.name for field in ADDED_LINK if field.name not in {"target", "target_tail"})


def _unnested(histories: ibis.Table, column: str, fields: Sequence[str]) -> ibis.Table:
    """Return one row for each element of a list, with the language and the key of its page."""
    rows = histories.filter(_.key.notnull()).select("language", source_key=_.key, element=histories[column].unnest())
    return rows.select("language", "source_key", **{name: rows.element[name] for name in fields})


def _joined(left: ibis.Table, right: ibis.Table, on: list[str], *columns: str) -> ibis.Table:
    """Return the left table with columns of the right one where there is a row with the same values."""
    joined = left.left_join(right.select(*on, *columns).view(), on)
    # The filter keeps Ibis from merging this join with the next one, whose columns it would then confuse.
    return joined.select(*(left[name] for name in left.columns), *columns).filter(ibis.literal(True))


def _with_pages(found: ibis.Table, pages: ibis.Table) -> ibis.Table:
    sources = pages.select("language", source_key=_.key, source_id=_.id, source_title=_.title, source_entity=_.entity)
    targets = pages.select("language", target_key=_.key, target_id=_.id, target_title=_.title, target_entity=_.entity)
    found = _joined(found, sources, ["language", "source_key"], "source_id", "source_title", "source_entity")
    return _joined(found, targets, ["language", "target_key"], "target_id", "target_title", "target_entity")


def _leads_as_of(found: ibis.Table, histories: ibis.Table) -> ibis.Table:
    """Return `event, target_lead`: the target's lead as it stood when the link was added."""
    leads = _unnested(histories, "leads", ("time", "lead")).select(
        "language", target_key=_.source_key, time=_.time, target_lead=_.lead
    )
    pairs = (
        found.select("event", "language", "target_key", "after_time")
        .view()
        .inner_join(leads, ["language", "target_key"])
    )
    pairs = pairs.select("event", "after_time", "time", "target_lead").filter(_.time <= _.after_time)
    newest = ibis.window(group_by="event", order_by=[ibis.desc("time"), "target_lead"])
    return pairs.mutate(place=ibis.row_number().over(newest)).filter(_.place == 0).select("event", "target_lead")


def _mentions_as_of(kept: ibis.Table, histories: ibis.Table, pages: ibis.Table) -> ibis.Table:
    """Return `event, mention, count`: in how many other pages these words led to the target by then."""
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
    whole = few.select("event", one=ibis.struct({"language": few.elsewhere, **{name: few[name] for name in where}}))
    return whole.group_by("event").agg(precedents=_.one.collect().sort())


def _difference(engine: Engine, snapshots: Snapshots | None) -> ibis.Table | None:
    """Return the pairs of pages that are linked in the later snapshot and not in the earlier one."""
    if snapshots is None:
        return None
    pair = ("language", "source_key", "target_key")
    earlier, later = (engine.read(TableFolder.open(path, "index").table("links")).select(*pair) for path in snapshots)
    return later.distinct().anti_join(earlier, list(pair))
