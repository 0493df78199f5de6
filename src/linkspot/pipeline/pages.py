"""Pages → rows: the work on each page of a corpus that `linkspot index` runs in many processes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

import pyarrow as pa

from linkspot.corpora.corpus import CorpusSource, last_revisions, revisions_of
from linkspot.engines.engine import Shard
from linkspot.examples.candidates import Candidate, candidates
from linkspot.links.addresses import Naming
from linkspot.parsing import parse, redirect_target
from linkspot.pipeline.batches import Batch, CorpusWork, Size, rows_of, shards_of
from linkspot.records import Article, Link, LinkKind, Page, Revision
from linkspot.tables.schemas import LINK_IN_TEXT, REJECTS, SECTIONS, STRINGS, TIME, Row, section_rows

EXISTING_LINK = pa.struct(
    {
        "target": pa.string(),
        "target_tail": pa.string(),
        "mention": pa.string(),
        "section": pa.string(),
        "sentence": pa.int32(),
        "context": pa.string(),
        "mention_start": pa.int32(),
        "mention_end": pa.int32(),
        "sentence_start": pa.int32(),
        "sentence_end": pa.int32(),
        "context_links": pa.list_(LINK_IN_TEXT),
    }
)
#: The columns that every page has, even a redirect; `page_row` fills them.
PAGE = {
    "language": pa.string(),
    "key": pa.string(),
    "tail": pa.string(),
    "id": pa.string(),
    "title": pa.string(),
    "entity": pa.string(),
    "redirect": pa.string(),
    "aliases": STRINGS,
}
PARSED_PAGE = pa.schema(
    {
        **PAGE,
        "revision": pa.string(),
        "time": TIME,
        "lead": pa.string(),
        "sections": SECTIONS,
        "links": pa.list_(EXISTING_LINK),
        "rejects": REJECTS,
    }
)

_LARGEST_SHARD = Size(revisions=250, characters=4_000_000)


@dataclass(frozen=True, slots=True)
class ParsePages(CorpusWork):
    """Parses the pages of corpora, as they stood at a time or as they are now."""

    at: datetime | None = None

    @property
    def schema(self) -> pa.Schema:
        """The schema of the rows: a row for each page, and one for the rejects."""
        return PARSED_PAGE

    def shards(self, source: CorpusSource) -> Iterator[Shard]:
        """Cut a corpus into batches of pages."""
        corpus = source.open()
        return shards_of(corpus, last_revisions(revisions_of(corpus), self.at), _size_of, _LARGEST_SHARD)

    def run(self, shard: Shard) -> list[Row]:
        """Return a row for each page of the batch, and one for the rejects."""
        batch: Batch[Revision] = shard.content
        return rows_of(batch, lambda revision, _rejects: _row(revision, batch.naming))


def _size_of(revision: Revision) -> Size:
    return Size(1, len(revision.page.text))


def page_row(page: Page, naming: Naming) -> Row:
    """Return the columns that every page has: its names, its identity, and where it redirects."""
    redirect = page.redirect or redirect_target(page)
    return {
        "language": page.language,
        "key": naming.key_of(page),
        "tail": naming.page_tail(page) or None,
        "id": page.id,
        "title": page.title,
        "entity": page.entity,
        "redirect": naming.target_key(redirect, page) if redirect else "",
        "aliases": [naming.target_key(alias, page) for alias in page.redirects],
    }


def _row(revision: Revision, naming: Naming) -> Row:
    article = parse(revision.page)
    page = replace(revision.page, title=article.title, language=article.language)
    names = page_row(page, naming)
    return {
        **names,
        "revision": revision.id,
        "time": revision.time,
        "lead": article.lead,
        "sections": section_rows(article, lambda target: naming.target_key(target, page)),
        "links": [] if names["redirect"] else list(_link_rows(article, page, naming)),
    }


def _link_rows(article: Article, page: Page, naming: Naming) -> Iterator[Row]:
    for number, candidate in enumerate(candidates(article)):
        sentence = candidate.sentence
        links = list(_page_links(candidate))
        own = [link for link in links if sentence.start <= link.start < sentence.end]
        if not own:
            continue
        start = candidate.start
        context_links = [
            {"target": target, "start": link.start - start, "end": link.end - start}
            for link in links
            if (target := naming.target_key(link.target, page))
        ]
        for link in own:
            yield {
                "target": naming.target_key(link.target, page),
                "target_tail": naming.target_tail(link.target, page) or None,
                "mention": link.mention,
                "section": candidate.section.title,
                "sentence": number,
                "context": candidate.context,
                "mention_start": link.start - start,
                "mention_end": link.end - start,
                "sentence_start": sentence.start - start,
                "sentence_end": sentence.end - start,
                "context_links": context_links,
            }


def _page_links(candidate: Candidate) -> Iterator[Link]:
    links = candidate.section.links_in(candidate.start, candidate.end)
    return (
        link
        for link in links
        if link.kind is LinkKind.PAGE and candidate.start <= link.start and link.end <= candidate.end
    )
