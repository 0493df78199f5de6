"""The engine protocol and the table of engines: what runs the work on every shard, and the expressions on tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from linkspot.errors import UnusableInput
from linkspot.plugins import resolved
from linkspot.progress import StageProgress
from linkspot.tables.schemas import Row

if TYPE_CHECKING:
    import ibis


@dataclass(frozen=True, slots=True)
class Shard:
    """A piece of work: what it is about, how many records it holds, how much of its source is read with it (0 to 1)."""

    content: Any
    size: int
    share: float


class ShardWork(Protocol):
    """What is done on every shard of every source. It travels to other processes, so it is plain data itself."""

    @property
    def schema(self) -> pa.Schema:
        """The schema of the rows."""
        ...

    def weight(self, source: Any) -> float:
        """Return how large a source is, compared with the others."""
        ...

    def shards(self, source: Any) -> Iterator[Shard]:
        """Cut a source into shards, always in the same way, whatever runs beside it."""
        ...

    def run(self, shard: Shard) -> list[Row]:
        """Return the rows of one shard; they depend on nothing else."""
        ...


class Engine(Protocol):
    """Runs stages: per-page work on shards, and Ibis expressions on tables."""

    def run(self, work: ShardWork, sources: Sequence[Any], folder: Path, progress: StageProgress) -> None:
        """Run the work on every shard of every source, into one table; what an earlier run has done is not done again.

        The folder is there when all is done, and not before.
        """
        ...

    def read(self, folder: Path) -> "ibis.Table":
        """Return a table that is kept in a folder."""
        ...

    def write(self, table: "ibis.Table", folder: Path) -> None:
        """Write a table into a folder, which is there when all is written, and not before."""
        ...

    def close(self) -> None:
        """Let go of processes and memory."""
        ...


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """How much of a machine an engine may take, or where its cluster is."""

    jobs: int = 1
    master: str = ""
    spark: dict[str, str] = field(default_factory=dict)


# Names of classes, so that naming one engine never imports another's libraries; `Class.of(settings)` opens it.
ENGINES = {"local": "linkspot.engines.local:LocalEngine", "spark": "linkspot.engines.spark:SparkEngine"}


def open_engine(name: str, settings: EngineSettings) -> Engine:
    """Return the engine with this name, ready to run."""
    if name not in ENGINES:
        raise UnusableInput(f"no engine is called {name!r}; there are: {', '.join(ENGINES)}")
    engine: Engine = resolved(ENGINES[name]).of(settings)
    return engine
