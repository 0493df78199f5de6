"""The engine protocol and the table of engines: they run the work on shards, and the expressions on tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from linkspot.errors import BrokenRun, UnusableInput
from linkspot.plugins import resolved
from linkspot.progress import StageProgress
from linkspot.tables.schemas import Row

if TYPE_CHECKING:
    import ibis


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of a source: its content, how many records it holds, and the share of the source read so far (0 to 1)."""

    content: Any
    size: int
    share: float


class ShardWork(Protocol):
    """The work on every shard of every source. It is sent to other processes, so it is plain data."""

    @property
    def schema(self) -> pa.Schema:
        """The schema of the rows."""
        ...

    def weight(self, source: Any) -> float:
        """Return how large a source is, compared with the others."""
        ...

    def shards(self, source: Any) -> Iterator[Shard]:
        """Cut a source into shards, always in the same way."""
        ...

    def run(self, shard: Shard) -> list[Row]:
        """Return the rows of one shard; they depend on nothing else."""
        ...


class Engine(Protocol):
    """Runs stages: per-page work on shards, and Ibis expressions on tables."""

    def run(self, work: ShardWork, sources: Sequence[Any], folder: Path, progress: StageProgress) -> None:
        """Run the work on every shard of every source, into one table; what an earlier run has done is not done again.

        The folder appears when all is done.
        """
        ...

    def read(self, folder: Path) -> "ibis.Table":
        """Return a table that is kept in a folder."""
        ...

    def write(self, table: "ibis.Table", folder: Path) -> None:
        """Write a table into a folder, which appears when all is written."""
        ...

    def explained(self, error: Exception) -> BrokenRun | None:
        """Return one line for an error of the library that computes tables, None for any other error."""
        ...

    def close(self) -> None:
        """Release processes and memory."""
        ...


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """How many processes an engine may use, or where its cluster is."""

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
