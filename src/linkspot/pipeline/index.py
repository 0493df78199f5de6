"""`linkspot index`: corpora → articles, links, redirects, mentions, entities."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import ibis
from ibis import _

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.dumps.id_files import IdFile
from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.links.graph import in_degrees, mention_counts
from linkspot.links.index import LINK_SAMPLES
from linkspot.links.redirects import addresses, redirect_ends, resolve, unique_tails
from linkspot.pipeline.identities import (
    counts_of_identities,
    id_files,
    identified,
    plan_of_ids,
    rejected_facts,
    temporary_tables,
)
from linkspot.pipeline.pages import EXISTING_LINK, PAGE, ParsePages
from linkspot.pipeline.table_run import Summary, TableRun, count_by, plan_of, sum_of_rejects
from linkspot.progress import SILENT, Progress

TABLES = ("articles", "links", "redirects", "mentions", "entities")
_SAMPLED_IN_PAGE, _SAMPLED_IN_LANGUAGE = 2, 100  # links, which show how addresses are written
_NAMESAKE = "a second page of the same name"
_PARSED, _JUDGED_PAGES, _JUDGED_LINKS = "parsed", "judged_pages", "judged_links"


def index(
    sources: Sequence[CorpusSource],
    out: Path,
    engine: Engine,
    at: datetime | None = None,
    licence: str = "",
    progress: Progress = SILENT,
    *,
    entities: Path | None = None,
) -> Summary:
    """Make the tables of some corpora, as they stood at a time or as they are now; continues an interrupted run.

    Files beside the dumps say what pages are about in every language, and so does the user's table `entities`.
    """
    files = id_files(sources, entities)
    settings = {"at": at.isoformat() if at else None, "licence": licence, **plan_of_ids(files)}
    with TableRun.begin(out, plan_of("index", sources, settings), engine, progress) as run:
        return run.summary() or _index(run, sources, at, files)


def _index(run: TableRun, sources: Sequence[CorpusSource], at: datetime | None, files: Sequence[IdFile]) -> Summary:
    parsed = run.work(_PARSED, ParsePages(at), sources)
    known = identified(run, parsed.filter(_.key.notnull()).select(*PAGE, has_lead=_.lead != ""), files)
    pages = run.table(_JUDGED_PAGES, lambda: judged_pages(known))
    links = run.table(_JUDGED_LINKS, lambda: judged_links(parsed, pages))
    kept = run.table("articles", lambda: articles(parsed, pages))
    kept_links = run.table("links", lambda: links.filter(_.verdict.isnull()).drop("verdict", "address", "form"))
    run.table("redirects", lambda: redirect_ends(pages))
    run.table("mentions", lambda: mention_counts(kept_links))
    targets = run.table("entities", lambda: entities(kept, kept_links, parsed))
    run.table(LINK_SAMPLES, lambda: link_samples(links.filter(_.verdict.isnull()), targets))
    rejects = sum_of_rejects(parsed) + count_by(pages, "verdict") + count_by(links, "verdict")
    identities = counts_of_identities(pages.filter(_.verdict.isnull()))
    summary = run.summarise(TABLES, rejects + rejected_facts(run, files), identities)
    if not summary.rows["articles"]:
        raise UnusableInput(f"{_names(sources)} gave no article: {_reasons(rejects)}")
    return run.finish(summary, (_PARSED, _JUDGED_PAGES, _JUDGED_LINKS, *temporary_tables(files)))


def judged_pages(pages: ibis.Table) -> ibis.Table:
    """Return the pages with a verdict: the reason why a page is left out, or null."""
    window = ibis.window(group_by=["language", "key"], order_by=["id"])
    counted = pages.mutate(namesake=ibis.row_number().over(window))
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


def entities(kept: ibis.Table, links: ibis.Table, parsed: ibis.Table) -> ibis.Table:
    """Return the entities that links can lead to: names, lead, where the page is, and how many pages link to it."""
    located = parsed.filter(_.key.notnull()).select("language", "key", "id", "path", "slug")
    slim = kept.select("language", "key", "id", "entity", "title", "lead")
    slim = slim.inner_join(located, ["language", "key", "id"]).drop("id")
    counted = slim.left_join(in_degrees(links), ["language", "key"]).drop("language_right", "key_right")
    return counted.mutate(in_degree=counted.in_degree.fill_null(0))


def link_samples(links: ibis.Table, known: ibis.Table) -> ibis.Table:
    """Return some links of each language as they are written, from many pages, with where both pages are."""
    written = links.filter(_.address.notnull())
    in_page = ibis.window(group_by=["language", "source_key"], order_by=["sentence", "mention_start"])
    written = written.mutate(number=ibis.row_number().over(in_page)).filter(_.number < _SAMPLED_IN_PAGE)
    # Backwards, since the pages of one folder may all be alike.
    mixed = ibis.window(group_by="language", order_by=[_.source_key.reverse(), _.number])
    sampled = written.mutate(rank=ibis.row_number().over(mixed)).filter(_.rank < _SAMPLED_IN_LANGUAGE)
    sampled = sampled.select("language", "source_key", "target_key", "address", "form")
    for page in ("source", "target"):
        names = {f"{page}_key": _.key, f"{page}_path": _.path, f"{page}_slug": _.slug}
        sampled = sampled.inner_join(known.select("language", **names), ["language", f"{page}_key"])
    return sampled.drop("source_key", "target_key")


def _names(sources: Sequence[CorpusSource]) -> str:
    return ", ".join(source.path.name for source in sources[:3]) + (" …" if len(sources) > 3 else "")


def _reasons(rejects: Counter[str]) -> str:
    return "; ".join(f"{count} × {reason}" for reason, count in rejects.most_common(3)) or "it holds no pages"
