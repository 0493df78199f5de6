"""Sampled links: existing links of indexes that train, with their targets and the articles that they stand in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import ibis
import pyarrow as pa
from ibis import _

from linkspot.corpora.removal import TEST, VALIDATION, part_of
from linkspot.engines.engine import Engine
from linkspot.links.graph import best_mentions
from linkspot.tables.folder import TableFolder

SOURCE_AND_TARGET = ["language", "source_key", "target_key"]
_LINK = ["corpus", *SOURCE_AND_TARGET, "sentence", "mention_start"]


@dataclass(frozen=True)
class Indexes:
    """Folders that `linkspot index` made, by the names of their corpora, read as one."""

    engine: Engine
    folders: Mapping[str, TableFolder]

    def table(self, name: str) -> ibis.Table:
        """Return one table of all folders, with the corpus in the column `corpus`."""
        tables = [
            self.engine.read(folder.table(name)).mutate(corpus=ibis.literal(corpus))
            for corpus, folder in self.folders.items()
        ]
        return ibis.union(*tables) if len(tables) > 1 else tables[0]


def sampled_links(
    indexes: Indexes,
    tests: ibis.Table | None,
    *,
    languages: Sequence[str],
    hold_out: Sequence[str],
    per_language: int,
    seed: int,
    by_page: Sequence[str] = (),
) -> ibis.Table:
    """Draw by the seed at most `per_language` existing links of each language (of all languages, if none is named).

    Links that an insertion of validation or test asks for are never drawn, nor are links of a page that such an
    insertion is about, if the index has a later version of that page. Nor are links of the pages of the corpora
    `by_page` that removals test or validate on.
    """
    links = indexes.table("links")
    if languages:
        links = links.filter(links.language.isin(languages))
    if hold_out:
        links = links.filter(~links.language.isin(hold_out))
    if tests is not None:
        later = later_versions(indexes.table("articles"), tests)
        links = links.anti_join(tests, SOURCE_AND_TARGET).anti_join(later, ["corpus", "language", "source_key"])
    if by_page:
        links = links.anti_join(_pages_apart(indexes.table("articles"), by_page), ["corpus", "language", "source_key"])
    page_and_target = ibis.literal(f"{seed}/") + links.corpus + "/" + links.source_key + "/" + links.target_key
    name = page_and_target + "/" + links.sentence.cast("string") + "/" + links.mention_start.cast("string")
    # A digest draws the same rows on every engine, whatever their order.
    drawn = links.mutate(draw=name.hexdigest("md5"))
    window = ibis.window(group_by="language", order_by=["draw", "source_key", "sentence", "mention_start"])
    numbered = drawn.mutate(number=ibis.row_number().over(window))
    return numbered.filter(_.number < per_language).drop("draw", "number")


def later_versions(articles: ibis.Table, tests: ibis.Table) -> ibis.Table:
    """Return the articles with the title of a test's page, unless they are known to be as old as in the test."""
    test_pages = tests.group_by("language", title=_.source_title).aggregate(earliest=_.before_time.min())
    pages = articles.select("corpus", "language", "title", "revision", "time", source_key=_.key)
    both = pages.inner_join(test_pages, ["language", "title"])
    is_earlier = (both.revision != "") & (both.time <= both.earliest)  # a file's time says nothing about its text
    return both.filter(~is_earlier).select("corpus", "language", "source_key")


def _pages_apart(articles: ibis.Table, corpora: Sequence[str]) -> ibis.Table:
    """Return the articles of these corpora that belong to a part that tests or validates."""
    names = ("corpus", "language", "source_key")
    pages = articles.filter(articles.corpus.isin(corpora)).select(*names[:2], "title", source_key=_.key)
    rows = [
        {name: page[name] for name in names}
        for page in pages.to_pyarrow().to_pylist()
        if part_of(page["title"]) in {TEST, VALIDATION}
    ]
    return ibis.memtable(pa.Table.from_pylist(rows, schema=pa.schema([(name, pa.string()) for name in names])))


def with_entities(indexes: Indexes, sample: ibis.Table) -> ibis.Table:
    """Return the links with the target's lead and mentions; a link's own words count only if other links use them."""
    target = ["corpus", "language", "target_key"]
    leads = indexes.table("entities").select("corpus", "language", target_key=_.key, target_lead=_.lead)
    links = sample.left_join(leads, target).select(*sample.columns, "target_lead")
    mentions = indexes.table("mentions")
    known = mentions.select("corpus", "language", target_key=_.key, known=_.mention, uses=_["count"])
    pairs = sample.select(*_LINK, "mention").inner_join(known, target).select(*_LINK, "mention", "known", "uses")
    others = pairs.mutate(count=_.uses - (_.known == _.mention).cast("int64")).filter(_["count"] > 0)
    others = others.select(*_LINK, "count", mention=_.known)
    best = best_mentions(others, tuple(_LINK))
    joined = links.left_join(best.view(), _LINK).select(*links.columns, "mentions")
    return joined.mutate(mentions=ibis.coalesce(_.mentions, ibis.literal([], type="array<string>")))


def articles_of(indexes: Indexes, sample: ibis.Table) -> ibis.Table:
    """Return the whole articles that the links stand in."""
    pages = sample.select("corpus", "language", key=_.source_key).distinct()
    return indexes.table("articles").semi_join(pages, ["corpus", "language", "key"])
