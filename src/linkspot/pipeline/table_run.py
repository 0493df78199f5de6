"""A run of a data stage: tables made one after another in one folder; a run that is interrupted can continue."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import ibis
import pyarrow as pa
import pyarrow.parquet as pq
from ibis import _

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.dumps.id_files import IdFile
from linkspot.engines.engine import Engine, ShardWork
from linkspot.errors import UnusableInput
from linkspot.links.identity import note_on_languages
from linkspot.progress import Progress
from linkspot.tables.folder import TableFolder


@dataclass(frozen=True)
class Summary:
    """What a run made: the rows of each table, and how many records were set aside, by reason.

    `identities` are the articles of each language by what says which entity they are about, where a run looks for that.
    """

    folder: Path
    rows: dict[str, int]
    rejects: dict[str, int]
    identities: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know besides the numbers."""
        return tuple(filter(None, [note_on_languages(self.identities)]))


@dataclass(frozen=True)
class TableRun:
    """The making of one folder of tables."""

    folder: TableFolder
    engine: Engine
    progress: Progress

    @classmethod
    @contextmanager
    def begin(cls, out: Path, plan: Mapping[str, Any], engine: Engine, progress: Progress) -> Iterator["TableRun"]:
        """Begin a run, or continue one with the same plan; no other run may write to its folder meanwhile."""
        with TableFolder.making(out, plan) as folder:
            yield cls(folder, engine, progress)

    def work(self, name: str, work: ShardWork, sources: Sequence[CorpusSource | IdFile]) -> ibis.Table:
        """Run the work on all shards of the sources, and return the table of its rows."""
        self.engine.run(work, sources, self.folder.table(name), self.progress.stage(name))
        if not any(self.folder.table(name).rglob("*.parquet")):
            names = ", ".join(str(source.path) for source in sources)
            raise UnusableInput(f"{names} holds no pages; expected a dump, a repository or a folder with pages in it")
        return self.engine.read(self.folder.table(name))

    def table(self, name: str, make: Callable[[], ibis.Table]) -> ibis.Table:
        """Return the table of this name; make it from the expression if it does not exist yet."""
        if not self.folder.has(name):
            stage = self.progress.stage(name)
            self.engine.write(make(), self.folder.table(name))
            stage.update(1.0, 0)
        return self.engine.read(self.folder.table(name))

    def summarise(
        self, tables: Sequence[str], rejects: Mapping[str, int], identities: Mapping[str, dict[str, int]] | None = None
    ) -> Summary:
        """Return a summary of the tables and rejects, the most frequent reason first."""
        rows = {name: row_count(self.folder.table(name)) for name in tables}
        ordered = dict(sorted(rejects.items(), key=lambda item: (-item[1], item[0])))
        return Summary(self.folder.path, rows, ordered, dict(identities or {}))

    def finish(self, summary: Summary, temporary: Sequence[str]) -> Summary:
        """Record that the run is finished, and remove its temporary tables."""
        facts: dict[str, Any] = {"rows": summary.rows, "rejects": summary.rejects}
        if summary.identities:
            facts |= {"identities": summary.identities, "notes": list(summary.notes)}
        self.folder.record({**facts, "finished": True})
        for name in temporary:
            self.folder.clear(name)
        return summary

    def summary(self) -> Summary | None:
        """Return the summary of an earlier run with the same plan, if that finished."""
        manifest = self.folder.manifest()
        if not manifest.get("finished"):
            return None
        return Summary(self.folder.path, manifest["rows"], manifest["rejects"], manifest.get("identities", {}))


def row_count(folder: Path) -> int:
    """Return the number of rows in the Parquet files of a folder."""
    try:
        return sum(pq.read_metadata(path).num_rows for path in folder.rglob("*.parquet"))
    except (pa.ArrowException, OSError) as error:
        raise UnusableInput(f"{folder} cannot be read as Parquet; delete it and run the same command again") from error


def sum_of_rejects(rows: ibis.Table) -> Counter[str]:
    """Return how many records the work on shards set aside, by reason."""
    unnested = rows.filter(_.rejects.notnull()).select(reject=_.rejects.unnest())
    return _counter(unnested.group_by(reason=unnested.reject["reason"]).agg(n=unnested.reject["count"].sum()))


def count_by(table: ibis.Table, column: str) -> Counter[str]:
    """Return how often each value stands in a column; null is not counted."""
    return _counter(table.filter(table[column].notnull()).group_by(reason=table[column]).agg(n=_.count()))


def _counter(table: ibis.Table) -> Counter[str]:
    return Counter({row["reason"]: int(row["n"]) for row in table.to_pyarrow().to_pylist()})


def plan_of(command: str, sources: Sequence[CorpusSource], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what identifies a run: the command, the sources and the settings."""
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
