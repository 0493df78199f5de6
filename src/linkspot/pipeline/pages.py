"""Pages → rows: the work on each page of a corpus that `linkspot index` runs in many processes."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

import pyarrow as pa

from linkspot.corpora.corpus import CorpusSource, last_revisions, revisions_of
from linkspot.door import check_article
from linkspot.engines.engine import Shard
from linkspot.examples.candidates import Candidate, candidates
from linkspot.links.addresses import Naming
from linkspot.links.identity import own_id
from linkspot.links.locations import compared
from linkspot.parsing import parse, redirect_target
from linkspot.parsing.markup import markup_kind
from linkspot.pipeline.batches import Batch, CorpusWork, Size, rows_of, shards_of
from linkspot.pipeline.repetition import REPEATED, Repetition
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
        "address": pa.string(),
        "form": pa.string(),
    }
)
#: The columns that every page has, even a redirect; `page_row` fills them, but for the wiki, which its batch knows.
PAGE = {
    "wiki": pa.string(),
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
        "path": pa.string(),
        "slug": pa.string(),
        "revision": pa.string(),
        "time": TIME,
        "lead": pa.string(),
        "sections": SECTIONS,
        "links": pa.list_(EXISTING_LINK),
        "rejects": REJECTS,
    }
)

_LINK_SIZE = 20  # of a link in a context, as characters that take the same room
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
        return shards_of(source, corpus, last_revisions(revisions_of(corpus), self.at), _size_of, _LARGEST_SHARD)

    def run(self, shard: Shard) -> list[Row]:
        """Return a row for each page of the batch, and one for the rejects."""
        batch: Batch[Revision] = shard.content
        return rows_of(batch, lambda revision, rejects: _row(revision, batch.naming, rejects))


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
        "entity": _identity(page, naming),
        "redirect": naming.target_key(redirect, page) if redirect else "",
        "aliases": [naming.target_key(alias, page) for alias in page.redirects],
    }


def _identity(page: Page, naming: Naming) -> str:
    """Return what the page's corpus says that it is about; a slug that is a title holds in its language alone."""
    is_title = naming.layout is not None and not naming.layout.slug_is_identity
    return own_id(page.language, page.entity) if is_title and page.entity else page.entity


def _row(revision: Revision, naming: Naming, rejects: Counter[str]) -> Row:
    article = parse(revision.page)
    check_article(article)
    page = replace(revision.page, title=article.title, language=article.language)
    names = page_row(page, naming)
    return {
        **names,
        "path": page.id if naming.layout else "",
        "slug": _slug(article, page, naming),
        "revision": revision.id,
        "time": revision.time,
        "lead": article.lead,
        "sections": section_rows(article, lambda target: naming.target_key(target, page)),
        "links": [] if names["redirect"] else list(_link_rows(article, page, naming, rejects)),
    }


def _slug(article: Article, page: Page, naming: Naming) -> str:
    """Return what the page's address is made of: its slug with the capitals that the page itself gives it."""
    if naming.layout is None:
        return page.title.replace(" ", "_")
    return article.id if compared(article.id) == compared(page.entity) else page.entity


def _link_rows(article: Article, page: Page, naming: Naming, rejects: Counter[str]) -> Iterator[Row]:
    repetition, kind = Repetition(len(page.text)), markup_kind(page.markup)
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
        context = candidate.context
        for link in own:
            if not repetition.has_room(len(context) + _LINK_SIZE * len(context_links)):
                rejects[REPEATED] += 1
                continue
            yield {
                "target": naming.target_key(link.target, page),
                "target_tail": naming.target_tail(link.target, page) or None,
                "mention": link.mention,
                "section": candidate.section.title,
                "sentence": number,
                "context": context,
                "mention_start": link.start - start,
                "mention_end": link.end - start,
                "sentence_start": sentence.start - start,
                "sentence_end": sentence.end - start,
                "context_links": context_links,
                "address": None if kind.links_hold_titles else link.target,
                "form": kind.link_form(link.source.cut(page.text)),
            }


def _page_links(candidate: Candidate) -> Iterator[Link]:
    links = candidate.section.links_in(candidate.start, candidate.end)
    return (
        link
        for link in links
        if link.kind is LinkKind.PAGE and candidate.start <= link.start and link.end <= candidate.end
    )
