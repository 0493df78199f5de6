"""A run of the pipeline: tables made one after another in one folder, each once, whatever interrupts it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import ibis
import pyarrow.parquet as pq
from ibis import _

from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import Engine, ShardWork
from linkspot.progress import Progress
from linkspot.tables.folder import TableFolder


@dataclass(frozen=True)
class Summary:
    """What a run made: the rows of each table, and what was set aside, by reason."""

    folder: Path
    rows: dict[str, int]
    rejects: dict[str, int]


@dataclass(frozen=True)
class TableRun:
    """One folder of tables in the making."""

    folder: TableFolder
    engine: Engine
    progress: Progress

    @classmethod
    @contextmanager
    def begin(cls, out: Path, plan: Mapping[str, Any], engine: Engine, progress: Progress) -> Iterator["TableRun"]:
        """Begin a run, or go on with one of the same plan; no other run may write to its folder meanwhile."""
        folder = TableFolder.begin(out, plan)
        with folder.alone():
            yield cls(folder, engine, progress)

    def work(self, name: str, work: ShardWork, sources: Sequence[CorpusSource]) -> ibis.Table:
        """Return the table that the work on all shards of the sources makes."""
        self.engine.run(work, sources, self.folder.table(name), self.progress.stage(name))
        return self.engine.read(self.folder.table(name))

    def table(self, name: str, make: Callable[[], ibis.Table]) -> ibis.Table:
        """Return the table of this name: the one that is there, else the one that the expression makes."""
        if not self.folder.has(name):
            stage = self.progress.stage(name)
            self.engine.write(make(), self.folder.table(name))
            stage.update(1.0, 0)
        return self.engine.read(self.folder.table(name))

    def summarise(self, tables: Sequence[str], rejects: Mapping[str, int]) -> Summary:
        """Return what was made, and what was set aside, the most frequent reason first."""
        rows = {name: row_count(self.folder.table(name)) for name in tables}
        return Summary(self.folder.path, rows, dict(sorted(rejects.items(), key=lambda item: (-item[1], item[0]))))

    def finish(self, summary: Summary, scaffolding: Sequence[str]) -> Summary:
        """Record that all is made, and remove the tables that only others were made of."""
        self.folder.record({"rows": summary.rows, "rejects": summary.rejects, "finished": True})
        for name in scaffolding:
            self.folder.clear(name)
        return summary

    def summary(self) -> Summary | None:
        """Return what an earlier run with the same plan has made, if it came to its end."""
        manifest = self.folder.manifest()
        if not manifest.get("finished"):
            return None
        return Summary(self.folder.path, manifest["rows"], manifest["rejects"])


def row_count(folder: Path) -> int:
    """Return how many rows the Parquet files of a folder have."""
    return sum(pq.read_metadata(path).num_rows for path in folder.rglob("*.parquet"))


def sum_of_rejects(rows: ibis.Table) -> Counter[str]:
    """Return what the work on shards set aside, by reason."""
    unnested = rows.filter(_.rejects.notnull()).select(reject=_.rejects.unnest())
    return _counter(unnested.group_by(reason=unnested.reject["reason"]).agg(n=unnested.reject["count"].sum()))


def count_by(table: ibis.Table, column: str) -> Counter[str]:
    """Return how often each value stands in a column; null is not counted."""
    return _counter(table.filter(table[column].notnull()).group_by(reason=table[column]).agg(n=_.count()))


def _counter(table: ibis.Table) -> Counter[str]:
    return Counter({row["reason"]: int(row["n"]) for row in table.to_pyarrow().to_pylist()})


def plan_of(command: str, sources: Sequence[CorpusSource], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what tells a run from another: what is done, of what, and how."""
    return {
        "command": command,
        "linkspot": version("linkspot"),
        "sources": [
            {
                "path": str(source.path),
                "size": source.size,
                "kind": source.kind,
                "language": source.language,
                "pages": source.pages,
                "link_base": source.link_base,
            }
            for source in sources
        ],
        **settings,
    }
