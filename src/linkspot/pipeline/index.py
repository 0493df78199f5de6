"""`linkspot index`: corpora → articles, links, redirects, mentions, entities."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import ibis
from ibis import _

from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.links.graph import in_degrees, mention_counts
from linkspot.links.redirects import addresses, redirect_ends, resolve, unique_tails, with_identities
from linkspot.pipeline.pages import EXISTING_LINK, PAGE, ParsePages
from linkspot.pipeline.table_run import Summary, TableRun, count_by, plan_of, sum_of_rejects
from linkspot.progress import SILENT, Progress

TABLES = ("articles", "links", "redirects", "mentions", "entities")
_NAMESAKE = "a second page of the same name"
_PARSED, _JUDGED_PAGES, _JUDGED_LINKS = "parsed", "judged_pages", "judged_links"


def index(
    sources: Sequence[CorpusSource],
    out: Path,
    engine: Engine,
    at: datetime | None = None,
    licence: str = "",
    progress: Progress = SILENT,
) -> Summary:
    """Make the tables of some corpora, as they stood at a time or as they are now; continues an interrupted run."""
    plan = plan_of("index", sources, {"at": at.isoformat() if at else None, "licence": licence})
    with TableRun.begin(out, plan, engine, progress) as run:
        return run.summary() or _index(run, sources, at)


def _index(run: TableRun, sources: Sequence[CorpusSource], at: datetime | None) -> Summary:
    parsed = run.work(_PARSED, ParsePages(at), sources)
    pages = run.table(_JUDGED_PAGES, lambda: judged_pages(parsed))
    links = run.table(_JUDGED_LINKS, lambda: judged_links(parsed, pages))
    kept = run.table("articles", lambda: articles(parsed, pages))
    kept_links = run.table("links", lambda: links.filter(_.verdict.isnull()).drop("verdict"))
    run.table("redirects", lambda: redirect_ends(pages))
    run.table("mentions", lambda: mention_counts(kept_links))
    run.table("entities", lambda: entities(kept, kept_links))
    rejects = sum_of_rejects(parsed) + count_by(pages, "verdict") + count_by(links, "verdict")
    summary = run.summarise(TABLES, rejects)
    if not summary.rows["articles"]:
        raise UnusableInput(f"{_names(sources)} gave no article: {_reasons(rejects)}")
    return run.finish(summary, (_PARSED, _JUDGED_PAGES, _JUDGED_LINKS))


def judged_pages(parsed: ibis.Table) -> ibis.Table:
    """Return the pages with their names and a verdict: the reason why a page is left out, or null."""
    pages = parsed.filter(_.key.notnull())
    slim = pages.select(*PAGE, has_lead=_.lead != "")
    window = ibis.window(group_by=["language", "key"], order_by=["id"])
    counted = with_identities(slim).mutate(namesake=ibis.row_number().over(window))
    verdict = ibis.cases(
        (counted.namesake > 0, _NAMESAKE),
        (counted.redirect != "", None),
        (counted.entity == "", "a page without an entity id"),
        (~counted.has_lead, "a page without a lead"),
    )
    return counted.mutate(verdict=verdict).drop("namesake", "has_lead")


def judged_links(parsed: ibis.Table, pages: ibis.Table) -> ibis.Table:
    """Return the links with the pages that they lead to and a verdict: the reason why a link is dropped, or null."""
    unnested = parsed.filter(_.redirect == "").select(
        "language", source_key=_.key, source_id=_.id, source_title=_.title, link=_.links.unnest()
    )
    fields = {field.name: unnested.link[field.name] for field in EXISTING_LINK}
    links = unnested.select("language", "source_key", "source_id", "source_title", **fields)
    known = pages.filter(_.verdict.fill_null("") != _NAMESAKE)
    resolved = resolve(links, addresses(known), unique_tails(known))
    of_source = pages.filter(_.redirect == "").select(
        "language", source_key=_.key, source_id=_.id, source_entity=_.entity, source_verdict=_.verdict
    )
    of_target = known.filter(_.redirect == "").select(
        "language",
        target_key=_.key,
        target_id=_.id,
        target_title=_.title,
        target_entity=_.entity,
        target_verdict=_.verdict,
    )
    joined = resolved.left_join(of_source, ["language", "source_key", "source_id"]).drop(
        "language_right", "source_key_right", "source_id_right"
    )
    joined = joined.left_join(of_target, ["language", "target_key"]).drop("language_right", "target_key_right")
    verdict = ibis.cases(
        (joined.source_verdict.notnull(), "a link from a page that is left out"),
        (joined.target_key.isnull(), "a link to a page that the corpus lacks"),
        (joined.target_verdict.notnull(), "a link to a page that is left out"),
        (joined.target_key == joined.source_key, "a link from a page to itself"),
    )
    return joined.mutate(verdict=verdict).drop("target", "target_tail", "source_verdict", "target_verdict")


def articles(parsed: ibis.Table, pages: ibis.Table) -> ibis.Table:
    """Return the articles of the pages that are kept, with their sections."""
    kept = pages.filter(_.verdict.isnull() & (_.redirect == "")).select("language", "key", "id", "entity")
    joined = parsed.filter(_.key.notnull()).drop("entity").inner_join(kept, ["language", "key", "id"])
    return joined.select("language", "key", "id", "title", "entity", "revision", "time", "lead", "sections")


def entities(kept: ibis.Table, links: ibis.Table) -> ibis.Table:
    """Return the entities that links can lead to: each article's names and lead, and how many pages link to it."""
    slim = kept.select("language", "key", "entity", "title", "lead")
    counted = slim.left_join(in_degrees(links), ["language", "key"]).drop("language_right", "key_right")
    return counted.mutate(in_degree=counted.in_degree.fill_null(0))


def _names(sources: Sequence[CorpusSource]) -> str:
    return ", ".join(source.path.name for source in sources[:3]) + (" …" if len(sources) > 3 else "")


def _reasons(rejects: Counter[str]) -> str:
    return "; ".join(f"{count} × {reason}" for reason, count in rejects.most_common(3)) or "it holds no pages"
