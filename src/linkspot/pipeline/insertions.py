"""`linkspot insertions`: histories → the links that editors added, each with the page as it stood before."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import ibis
from ibis import _

from linkspot.corpora.corpus import CorpusSource, revisions_of
from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.insertions.rejects import Reject
from linkspot.insertions.rules import STRICT, HistoryRules, Rule
from linkspot.insertions.snapshot_links import SnapshotTimes
from linkspot.links.graph import best_mentions
from linkspot.links.identity import IdentifiedBy
from linkspot.links.precedents import MOST_PRECEDENTS
from linkspot.links.redirects import addresses, resolve, unique_tails
from linkspot.pipeline.histories import ADDED_LINK, WHERE, JudgeHistories
from linkspot.pipeline.identities import (
    counts_of_identities,
    id_files,
    identified,
    plan_of_ids,
    rejected_facts,
    temporary_tables,
)
from linkspot.pipeline.pages import PAGE
from linkspot.pipeline.snapshots import Snapshots, check, difference, names_of, rules_between
from linkspot.pipeline.table_run import Summary, TableRun, count_by, plan_of, sum_of_rejects
from linkspot.progress import SILENT, Progress

TABLES = ("insertions",)
_HISTORIES, _KNOWN, _PAGES, _JUDGED = "histories", "known_pages", "history_pages", "judged_insertions"


def insertions(
    sources: Sequence[CorpusSource],
    out: Path,
    engine: Engine,
    rules: HistoryRules = STRICT,
    snapshots: Snapshots | None = None,
    licence: str = "",
    *,
    keep_unknown: bool = False,
    entities: Path | None = None,
    progress: Progress = SILENT,
) -> Summary:
    """Find the added links along the histories of some corpora; continues where an earlier run stopped.

    With two snapshots, a link counts only if the later one has it and the earlier one does not, and only where it was
    added last between them. Links to pages that are missing in the corpora can be kept; only their titles are known.
    Files beside the dumps say what pages are about in every language, and so does the user's table `entities`.
    """
    files = id_files(sources, entities)
    settings = {
        "rules": rules.settings(),
        "snapshots": names_of(snapshots),
        "licence": licence,
        "keep_unknown": keep_unknown,
        **plan_of_ids(files),
    }
    with TableRun.begin(out, plan_of("insertions", sources, settings), engine, progress) as run:
        finished = run.summary()
        if finished:
            return finished
        check(snapshots)
        times = snapshots if isinstance(snapshots, SnapshotTimes) else None
        histories = run.work(_HISTORIES, JudgeHistories(rules_between(rules, snapshots), times), sources)
        named = identified(run, last_pages(histories), files)
        known = run.table(_KNOWN, lambda: named)
        pages = run.table(_PAGES, lambda: with_unknown_pages(known, histories)) if keep_unknown else known
        pairs = difference(engine, histories, pages, snapshots)
        judged = run.table(_JUDGED, lambda: judged_insertions(histories, pages, rules, pairs, keep_unknown))
        run.table("insertions", lambda: kept_insertions(histories, judged, pages))
        rejects = sum_of_rejects(histories) + count_by(judged, "verdict") + rejected_facts(run, files)
        summary = run.summarise(TABLES, rejects, counts_of_identities(known))
        if not summary.rows["insertions"] and not any(map(_has_history, sources)):
            names = ", ".join(str(source.path) for source in sources)
            raise UnusableInput(
                f"{names} has no history: every page has one revision, so no added links can be found; "
                "expected a dump with all revisions (pages-meta-history) or a git repository"
            )
        return run.finish(summary, (_HISTORIES, _KNOWN, _PAGES, _JUDGED, *temporary_tables(files)))


def _has_history(source: CorpusSource) -> bool:
    """Return whether any page of a corpus has a second revision."""
    revisions = revisions_of(source.open())
    pages = pairwise((revision.page.id, revision.page.title) for revision in revisions)
    return any(page == next_page for page, next_page in pages)


def last_pages(histories: ibis.Table) -> ibis.Table:
    """Return each page once, as the last window of its history has it."""
    named = histories.filter(_.key.notnull()).select(*PAGE, "window")
    newest = ibis.window(group_by=["language", "key"], order_by=[ibis.desc("window"), "id"])
    return named.mutate(rank=ibis.row_number().over(newest)).filter(_.rank == 0).select(*PAGE)


def with_unknown_pages(pages: ibis.Table, histories: ibis.Table) -> ibis.Table:
    """Return the pages and the targets of added links that are missing in the corpora; only their names are known."""
    targets = _unnested(histories, "insertions", ("target", "target_tail"))
    unknown = resolve(targets, addresses(pages), unique_tails(pages)).filter(_.target_key.isnull())
    names = unknown.select("language", "target").distinct()
    with_slugs = pages.filter(_.identified_by == IdentifiedBy.SLUG.value).select("language", has_slugs=True).distinct()
    names = _joined(names, with_slugs, ["language"], "has_slugs")
    missing = names.select(
        "language",
        key=_.target,
        tail=ibis.null("string"),
        id=ibis.literal(""),
        title=_.target,
        entity=ibis.ifelse(names.has_slugs.notnull(), names.target, names.language + ":" + names.target),
        redirect=ibis.literal(""),
        aliases=ibis.literal([], type="array<string>"),
        identified_by=ibis.literal(IdentifiedBy.TITLE.value),
    )
    return pages.union(missing.select(*pages.columns))


def judged_insertions(
    histories: ibis.Table,
    pages: ibis.Table,
    rules: HistoryRules = STRICT,
    pairs: ibis.Table | None = None,
    keep_unknown: bool = False,
) -> ibis.Table:
    """Return the added links with their targets and a verdict: the reason why a link is dropped, or null.

    `pairs` holds the pairs of pages (`language, source_key, target_key, first, last`) that may count, and when, if not
    all may.
    """
    names, tails = addresses(pages), unique_tails(pages)
    added = _unnested(histories, "insertions", ("event", "target", "target_tail", "after_time", "after_revision"))
    added = resolve(added, names, tails)
    linked = _unnested(histories, "linked_before", ("event", "target", "target_tail"))
    linked = resolve(linked, names, tails).select("event", "target_key", is_linked=ibis.literal(True)).distinct()
    added = _joined(added, linked, ["event", "target_key"], "is_linked")
    added = _with_pages(added, pages)
    added = _joined(added, _leads_as_of(added, histories), ["event"], "target_lead")
    if not rules.applies(Rule.TARGET_EXISTS):
        added = _joined(added, _first_leads(histories), ["language", "target_key"], "first_lead")
        lead = ibis.coalesce(added.target_lead.nullif(""), added.first_lead, ibis.literal(""))
        added = added.mutate(target_lead=lead).drop("first_lead")
    if keep_unknown:
        added = added.mutate(target_lead=added.target_lead.fill_null(""))
    twins = ibis.window(group_by=["language", "source_key", "after_revision", "target_key"], order_by=["event"])
    added = _between_snapshots(added.mutate(twin=ibis.row_number().over(twins)), pairs)
    extra = ("target", "target_tail", "after_revision", "is_linked", "is_between", "is_in_time", "later", "twin")
    return added.mutate(verdict=_verdict(added, rules, keep_unknown)).drop(*extra)


def _between_snapshots(added: ibis.Table, pairs: ibis.Table | None) -> ibis.Table:
    """Add whether a link is in the snapshots' difference and its edit between them, and how many edits added it later.

    Only edits that could count themselves are later edits.
    """
    if pairs is None:
        yes = ibis.literal(True)
        return added.mutate(is_between=yes, is_in_time=yes, later=ibis.literal(0, type="int64"))
    in_both = pairs.mutate(is_between=ibis.literal(True))
    added = _joined(added, in_both, ["language", "source_key", "target_key"], "is_between", "first", "last")
    is_in_time = ((added.after_time > added.first) & (added.after_time <= added.last)).fill_null(True)
    added = added.mutate(is_in_time=is_in_time).drop("first", "last")
    may_count = added.is_linked.isnull() & (added.twin == 0) & added.is_between.notnull() & added.is_in_time
    added = added.mutate(may_count=may_count)
    pair = ["language", "source_key", "target_key", "may_count"]
    newest = ibis.window(group_by=pair, order_by=[ibis.desc("after_time"), "event"])
    return added.mutate(later=ibis.row_number().over(newest)).drop("may_count")


def _verdict(added: ibis.Table, rules: HistoryRules, keep_unknown: bool) -> ibis.Value:
    def only_if(rule: Rule, condition: ibis.Value) -> ibis.Value:
        return condition & ibis.literal(rules.applies(rule))

    has_no_id = (added.source_entity == "") | (added.target_entity == "")
    has_no_lead = (added.target_lead == "") & ibis.literal(not keep_unknown)
    return ibis.cases(
        (added.target_key.isnull(), Reject.UNKNOWN_TARGET.value),
        (only_if(Rule.SELF_LINK, added.target_key == added.source_key), Reject.FROM_ITSELF.value),
        (added.is_linked.notnull(), Reject.OTHER_NAME.value),
        (added.twin > 0, Reject.SECOND_LINK.value),
        (added.is_between.isnull(), Reject.NOT_IN_DIFFERENCE.value),
        (~added.is_in_time, Reject.NOT_BETWEEN.value),
        (added.later > 0, Reject.ADDED_AGAIN.value),
        (only_if(Rule.ENTITY_ID, has_no_id), Reject.NO_ENTITY.value),
        (added.target_lead.isnull(), Reject.NOT_YET.value),
        (only_if(Rule.LEAD, has_no_lead), Reject.NO_LEAD.value),
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


def _first_leads(histories: ibis.Table) -> ibis.Table:
    """Return `language, target_key, first_lead`: the first lead of each page that has any."""
    leads = _unnested(histories, "leads", ("time", "lead")).filter(_.lead != "")
    oldest = ibis.window(group_by=["language", "source_key"], order_by=["time", "lead"])
    first = leads.mutate(rank=ibis.row_number().over(oldest)).filter(_.rank == 0)
    return first.select("language", target_key=_.source_key, first_lead=_.lead)


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
    events = events.filter((_.source_entity != "") & (_.target_entity != ""))  # pages without an id are not one page
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
