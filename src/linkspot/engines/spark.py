"""A cluster, or one machine that plays one: Apache Spark."""

import os
import pickle
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from linkspot.engines.engine import EngineSettings, ShardWork
from linkspot.errors import BrokenRun, first_line
from linkspot.extras import Extra, require
from linkspot.files import unfinished, writing
from linkspot.progress import StageProgress
from linkspot.scratch import scratch_folder

if TYPE_CHECKING:
    import ibis

_SHARD_BATCH = 4  # shards that Spark hands to Python at once; each holds some megabytes of pages
_SOURCES_AT_ONCE = 64  # a killed run loses at most these
_TASKS_PER_CORE = 4  # so that one slow page does not delay the rest
_LIBRARIES = frozenset({"pyspark", "py4j"})  # whose errors are Spark's
_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.log.level": "ERROR",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(_SHARD_BATCH),
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}

_JAVA_OPTIONS = "spark.driver.extraJavaOptions"

_ArrowFunction = Callable[[Iterable[pa.RecordBatch]], Iterable[pa.RecordBatch]]


class SparkEngine:
    """Runs on the cluster that `master` names; every machine of it must see the sources and the folder of tables."""

    def __init__(self, master: str, settings: Mapping[str, str]) -> None:
        require(Extra.SPARK, "the engine spark")
        import ibis
        from pyspark.sql import SparkSession

        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.master(master).appName("linkspot")
        for name, value in {**_SETTINGS, **_local_settings(master), **settings, **_java_options(settings)}.items():
            builder = builder.config(name, value)
        try:
            self._session = builder.getOrCreate()
        except Exception as error:  # whatever Java raised
            raise BrokenRun(
                f"Spark does not start ({first_line(error)}); install Java 17, and name a --master that can be reached"
            ) from error
        self._views = count()
        self._connection = ibis.pyspark.connect(self._session)

    @classmethod
    def of(cls, settings: EngineSettings) -> "SparkEngine":
        """Connect to the master of the settings, or run on this machine without one."""
        return cls(settings.master or f"local[{settings.jobs}]", settings.spark)

    def run(self, work: ShardWork, sources: Sequence[Any], folder: Path, progress: StageProgress) -> None:
        """Run the work on every shard: some sources at a time, one task to read each, then one for each shard."""
        if folder.exists():
            return
        growing = folder.with_name(f".{folder.name}.sources")
        for first in range(0, len(sources), _SOURCES_AT_ONCE):
            part = growing / f"{first:04}"
            if not part.exists():
                self._run_sources(work, sources[first : first + _SOURCES_AT_ONCE], part)
            done = min(first + _SOURCES_AT_ONCE, len(sources))
            progress.update(done / len(sources), done)
        with writing(folder):
            growing.rename(folder)

    def _run_sources(self, work: ShardWork, sources: Sequence[Any], folder: Path) -> None:
        from pyspark.sql.pandas.types import from_arrow_schema

        context = self._session.sparkContext
        numbers = context.parallelize([(number,) for number in range(len(sources))], len(sources))
        shards = self._session.createDataFrame(numbers, "source int").mapInArrow(_reader(work, sources), "shard binary")
        rows = shards.repartition(context.defaultParallelism * _TASKS_PER_CORE).mapInArrow(
            _runner(work), from_arrow_schema(work.schema)
        )
        with unfinished(folder) as path:
            rows.write.parquet(str(path))

    def read(self, folder: Path) -> "ibis.Table":
        """Return a table that is kept in a folder."""
        frame = self._session.read.option("recursiveFileLookup", "true").parquet(_plain(folder))
        name = f"t{next(self._views)}_{folder.name.strip('.')}"
        frame.createOrReplaceTempView(name)
        return self._connection.table(name)

    def write(self, table: "ibis.Table", folder: Path) -> None:
        """Write a table into Parquet files of a folder."""
        with unfinished(folder) as path:
            self._connection.to_parquet_dir(table, str(path))

    def explained(self, error: Exception) -> BrokenRun | None:
        """Return one line for what Spark raises, which may happen wherever a table is computed."""
        if type(error).__module__.partition(".")[0] not in _LIBRARIES:
            return None
        return BrokenRun(
            f"Spark cannot read or write a table ({first_line(error)}); "
            "if a file is damaged, delete the folder it lies in, and run the command again that made it"
        )

    def close(self) -> None:
        """Stop the session."""
        self._session.stop()


@cache
def _scratch() -> Path:
    """Return where Spark keeps temporary files; Java is started once in a process and knows no other folder then."""
    return scratch_folder()


def _local_settings(master: str) -> dict[str, str]:
    """Return what holds for one machine: few partitions to shuffle in, and temporary files that do not outlive it."""
    if not master.startswith("local"):
        return {}
    return {"spark.sql.shuffle.partitions": "4", "spark.local.dir": str(_scratch())}


def _java_options(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the options of the driver's Java, with a temporary directory that is removed even after a kill."""
    return {_JAVA_OPTIONS: f'"-Djava.io.tmpdir={_scratch()}" {settings.get(_JAVA_OPTIONS, "")}'.strip()}


def _plain(folder: Path) -> str:
    """Return a path for Spark, which takes a name with such signs for a pattern."""
    return re.sub(r"[*?\[\]{}\\]", r"\\\g<0>", str(folder))


def _reader(work: ShardWork, sources: Sequence[Any]) -> _ArrowFunction:
    """Return a function that cuts sources, given by their numbers, into shards."""

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for shard in work.shards(sources[number]):
                    # The pickle never leaves this run.
                    yield pa.RecordBatch.from_arrays([pa.array([pickle.dumps(shard)], pa.binary())], ["shard"])

    return read


def _runner(work: ShardWork) -> _ArrowFunction:
    """Return a function that runs the work on shards."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for data in batch.column(0).to_pylist():
                yield from pa.Table.from_pylist(work.run(pickle.loads(data)), work.schema).to_batches()

    return run
