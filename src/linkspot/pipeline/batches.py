"""Batches: records that are sent to worker processes, and what happens to a page that cannot be parsed."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from linkspot.corpora.corpus import Corpus, CorpusSource
from linkspot.corpora.dumps.id_files import wiki_of
from linkspot.engines.engine import Shard
from linkspot.errors import LinkspotError, TooLarge, UnknownLanguage
from linkspot.links.addresses import Naming
from linkspot.tables.schemas import Row, reject_rows

_NO_LANGUAGE = "a page that does not say its language; tell it with --lang"
# A parser that fails on one page in a million must not end the run; any other error is a bug and does.
_PARSE_ERRORS = (LinkspotError, ValueError, LookupError, RecursionError)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Size:
    """The size of some records: their revisions and characters."""

    revisions: int
    characters: int

    def __add__(self, other: "Size") -> "Size":
        return Size(self.revisions + other.revisions, self.characters + other.characters)


@dataclass(frozen=True, slots=True)
class Batch(Generic[T]):
    """Some records of a corpus, how its links name pages, and what its reader set aside since the previous batch.

    `wiki` names the wiki whose titles say what its pages are about; it is None where slugs do, in every language alike.
    """

    records: tuple[T, ...]
    naming: Naming
    rejects: Counter[str]
    wiki: str | None = None


def shards_of(
    source: CorpusSource, corpus: Corpus, records: Iterable[T], size: Callable[[T], Size], most: Size
) -> Iterator[Shard]:
    """Cut the records of a corpus into shards, each with what its reader set aside meanwhile."""
    reported: Counter[str] = Counter()
    batch: list[T] = []
    batch_size = Size(0, 0)

    def shard() -> Shard:
        nonlocal reported
        rejects, reported = corpus.rejects - reported, Counter(corpus.rejects)
        naming = Naming(corpus.layout, corpus.capitalises)
        wiki = None if naming.layout is not None and naming.layout.slug_is_identity else wiki_of(source)
        return Shard(Batch(tuple(batch), naming, rejects, wiki), batch_size.revisions, corpus.share)

    for record in records:
        batch.append(record)
        batch_size += size(record)
        if batch_size.revisions >= most.revisions or batch_size.characters >= most.characters:
            yield shard()
            batch, batch_size = [], Size(0, 0)
    if batch or corpus.rejects != reported:
        yield shard()


def rows_of(batch: Batch[T], row: Callable[[T, Counter[str]], Row]) -> list[Row]:
    """Return a row for each record, and one for the rejects, to which the function `row` may add."""
    rejects = Counter(batch.rejects)
    rows = []
    for record in batch.records:
        try:
            rows.append({"wiki": batch.wiki, **row(record, rejects)})
        except UnknownLanguage:
            rejects[_NO_LANGUAGE] += 1
        except TooLarge as error:
            rejects[error.reason] += 1
        except _PARSE_ERRORS as error:
            rejects[f"a page that cannot be parsed ({type(error).__name__})"] += 1
    return [*rows, {"rejects": reject_rows(rejects)}] if rejects else rows


class CorpusWork:
    """What all work on corpora has in common."""

    __slots__ = ()

    def weight(self, source: CorpusSource) -> float:
        """Return how large the corpus is."""
        return source.size
