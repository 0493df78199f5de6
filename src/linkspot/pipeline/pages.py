"""Pages → rows: the work on each page of a corpus that `linkspot index` runs in many processes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

import pyarrow as pa

from linkspot.corpora.corpus import Corpus, CorpusSource, last_revisions
from linkspot.engines.engine import Shard
from linkspot.errors import LinkspotError
from linkspot.examples.candidates import Candidate, candidates
from linkspot.links.addresses import Naming, tail_of
from linkspot.parsing import parse
from linkspot.parsing.wikitext import redirect_target
from linkspot.records import Article, Link, LinkKind, Markup, Page, Revision
from linkspot.tables.schemas import LINK_IN_TEXT, REJECTS, SECTIONS, STRINGS, TIME, Row, reject_rows, section_rows

_SHARD_PAGES = 250
_SHARD_CHARACTERS = 4_000_000

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
PARSED_PAGE = pa.schema(
    {
        "language": pa.string(),
        "key": pa.string(),
        "tail": pa.string(),
        "id": pa.string(),
        "title": pa.string(),
        "entity": pa.string(),
        "revision": pa.string(),
        "time": TIME,
        "redirect": pa.string(),
        "aliases": STRINGS,
        "lead": pa.string(),
        "sections": SECTIONS,
        "links": pa.list_(EXISTING_LINK),
        "rejects": REJECTS,
    }
)
# A parser that fails on one page in a million must not end the run; anything else is a fault of the run itself.
PARSE_ERRORS = (LinkspotError, ValueError, LookupError, RecursionError)


@dataclass(frozen=True, slots=True)
class PageBatch:
    """Pages of one corpus, how its links name pages, and what its reader set aside since the batch before."""

    revisions: tuple[Revision, ...]
    naming: Naming
    rejects: Counter[str]


@dataclass(frozen=True, slots=True)
class ParsePages:
    """Parses the pages of corpora as they stood at a time, or as they are now."""

    at: datetime | None = None

    @property
    def schema(self) -> pa.Schema:
        """The schema of the rows: one for each page, and one for what was set aside."""
        return PARSED_PAGE

    def weight(self, source: CorpusSource) -> float:
        """Return how large the corpus is."""
        return source.size

    def shards(self, source: CorpusSource) -> Iterator[Shard]:
        """Cut a corpus into batches of pages."""
        corpus = source.open()
        return shards_of(corpus, _batches(last_revisions(corpus.revisions(), self.at)))

    def run(self, shard: Shard) -> list[Row]:
        """Return a row for each page of the batch, and one for the rejects."""
        batch: PageBatch = shard.content
        rejects = Counter(batch.rejects)
        rows = []
        for revision in batch.revisions:
            try:
                rows.append(_row(revision, batch.naming))
            except PARSE_ERRORS as error:
                rejects[f"a page that cannot be parsed ({type(error).__name__})"] += 1
        return [*rows, {"rejects": reject_rows(rejects)}] if rejects else rows


def shards_of(corpus: Corpus, batches: Iterable[tuple[Revision, ...]]) -> Iterator[Shard]:
    """Yield the batches of a corpus as shards, each with what its reader set aside meanwhile."""
    seen: Counter[str] = Counter()
    for batch in batches:
        rejects, seen = corpus.rejects - seen, Counter(corpus.rejects)
        yield Shard(PageBatch(batch, Naming(corpus.layout), rejects), len(batch), corpus.share)
    rest = corpus.rejects - seen
    if rest:
        yield Shard(PageBatch((), Naming(), rest), 0, 1.0)


def _batches(revisions: Iterable[Revision]) -> Iterator[tuple[Revision, ...]]:
    batch: list[Revision] = []
    characters = 0
    for revision in revisions:
        batch.append(revision)
        characters += len(revision.page.text)
        if len(batch) >= _SHARD_PAGES or characters >= _SHARD_CHARACTERS:
            yield tuple(batch)
            batch, characters = [], 0
    if batch:
        yield tuple(batch)


def page_row(page: Page, naming: Naming) -> Row:
    """Return what tables say of a page whatever it holds: its names, its identity, and where it redirects."""
    redirect = page.redirect or (redirect_target(page.text) if page.markup is Markup.WIKITEXT else "")
    key = naming.key_of(page)
    return {
        "language": page.language,
        "key": key,
        "tail": tail_of(key) if "/" in key else None,
        "id": page.id,
        "title": page.title,
        "entity": page.entity,
        "redirect": naming.target_key(redirect, page) if redirect else "",
        "aliases": [naming.target_key(alias, page) for alias in page.redirects],
    }


def target_tail(key: str, naming: Naming) -> str | None:
    """Return the last name by which a page may be found that is not where a link says."""
    return tail_of(key) if "/" in key or naming.layout is not None else None


def _row(revision: Revision, naming: Naming) -> Row:
    article = parse(revision.page)
    page = replace(revision.page, title=article.title, language=article.language)
    names = page_row(page, naming)

    def key(target: str) -> str:
        return naming.target_key(target, page)

    return {
        **names,
        "revision": revision.id,
        "time": revision.time,
        "lead": article.lead,
        "sections": section_rows(article, key),
        "links": [] if names["redirect"] else list(_link_rows(article, key, naming)),
    }


def _link_rows(article: Article, key: Callable[[str], str], naming: Naming) -> Iterator[Row]:
    for number, candidate in enumerate(candidates(article)):
        sentence = candidate.sentence
        own = [link for link in _page_links(candidate) if sentence.start <= link.start < sentence.end]
        if not own:
            continue
        start = candidate.start
        context_links = [
            {"target": target, "start": link.start - start, "end": link.end - start}
            for link in _page_links(candidate)
            if (target := key(link.target))
        ]
        for link in own:
            target = key(link.target)
            yield {
                "target": target,
                "target_tail": target_tail(target, naming),
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
