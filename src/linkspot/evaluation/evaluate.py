"""`linkspot evaluate`: every query ranked once by every ranker, the scores kept as tables."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from linkspot.engines.engine import Engine, Shard
from linkspot.errors import UnusableInput
from linkspot.evaluation.queries import Queries, Query
from linkspot.evaluation.stored import QUERIES, QUERY, RANKING, RANKINGS
from linkspot.files import unfinished
from linkspot.progress import SILENT, Progress
from linkspot.ranking.fingerprint import fingerprint
from linkspot.ranking.ranker import Ranker, RankerOptions, is_quick, open_ranker
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity
from linkspot.tables.folder import TableFolder
from linkspot.tables.schemas import Row

# Queries that are stored together: the most that a process loses when a run is killed.
_SHARD = 20
_SHARD_OF_QUICK = 200  # for rankers that take no longer than storing their scores
_NO_LABEL = frozenset('/\\:*?"<>|')


def evaluate(
    queries: Queries,
    rankers: Mapping[str, str],
    out: Path,
    engine: Engine,
    progress: Progress = SILENT,
    options: RankerOptions | None = None,
) -> None:
    """Rank all queries with every ranker, each under its label; rankings that are stored are not made again.

    Further rankers may join later, but the queries must stay the same.
    """
    ranker_options = options or RankerOptions()
    with TableFolder.making(out, {"command": "evaluate", **queries.plan}, worth_keeping=QUERIES) as folder:
        for label, ranker in rankers.items():
            opened = open_ranker(ranker, ranker_options)  # what cannot be opened should fail before hours of work
            _join(folder, label, ranker, opened, queries.given(opened))
        if not folder.has(QUERIES):
            _write_queries(queries, folder)
        for label, ranker in rankers.items():
            work = RankQueries(queries, ranker, ranker_options)
            engine.run(work, [queries.count], folder.table(f"{RANKINGS}/{label}"), progress.stage(label))
        folder.record({"finished": True})


def _join(folder: TableFolder, label: str, ranker: str, opened: Ranker, given: str) -> None:
    """Record which ranker a label means; a label that already means another ranker is refused."""
    if not label or label.startswith(".") or _NO_LABEL & set(label):
        raise UnusableInput(f"{label!r} cannot name a ranker's table; give it a plain name: --ranker NAME=…")
    known = folder.manifest().get("rankers", {})
    facts = {"mark": fingerprint(ranker), "logits": _gives_logits(opened), **({"given": given} if given else {})}
    if known.get(label, facts) != facts:
        raise UnusableInput(
            f"{folder.path} holds rankings of another {label!r}, or from before it changed; "
            f"give this one its own name: --ranker NAME={ranker}"
        )
    folder.record({"rankers": {**known, label: facts}})


def _gives_logits(ranker: Ranker) -> bool:
    """Ask about a page without candidates, which costs nothing: the scores of all pages are of one kind."""
    return ranker.score(Entity("Nothing"), Article("Nothing", "en", ())).are_logits


def _write_queries(queries: Queries, folder: TableFolder) -> None:
    rejects: Counter[str] = Counter()
    rows = [{"query": number, **query.facts} for number, query in enumerate(queries.read(rejects))]
    folder.record({"rows": {QUERIES: len(rows)}, "rejects": dict(rejects.most_common())})
    with unfinished(folder.table(QUERIES)) as temporary:
        temporary.mkdir()
        pq.write_table(pa.Table.from_pylist(rows, QUERY), temporary / "queries.parquet", compression="zstd")


@dataclass(frozen=True, slots=True)
class RankQueries:
    """Ranks queries in shards; a source is their number."""

    queries: Queries
    ranker: str
    options: RankerOptions

    @property
    def schema(self) -> pa.Schema:
        """The schema of rankings."""
        return RANKING

    def weight(self, count: int) -> float:
        """Return how many queries there are."""
        return count

    def shards(self, count: int) -> Iterator[Shard]:
        """Cut the queries into shards, each query with its number."""
        numbered = enumerate(self.queries.read(Counter()))
        size = _SHARD_OF_QUICK if is_quick(self.ranker) else _SHARD
        while part := list(islice(numbered, size)):
            yield Shard(part, len(part), (part[-1][0] + 1) / count)

    def run(self, shard: Shard) -> list[Row]:
        """Return the rankings of a shard of queries."""
        ranker = _opened(self.ranker, self.options)
        return [self._row(number, query, query.scores(ranker)) for number, query in shard.content]

    def _row(self, number: int, query: Query, scores: Scores) -> Row:
        if any(map(math.isnan, scores.places)):
            facts = query.facts
            raise UnusableInput(
                f"{self.ranker} gives a score that is not a number to a place of {facts['source_title']!r} "
                f"for {facts['target_title']!r}; nothing is stored for it, fix it and run the same command"
            )
        return {"query": number, "scores": list(scores.places), "nowhere": scores.nowhere}


@lru_cache(1)
def _opened(ranker: str, options: RankerOptions) -> Ranker:
    return open_ranker(ranker, options)
