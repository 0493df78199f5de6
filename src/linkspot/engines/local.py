"""One machine: a pool of processes for the work on pages, DuckDB for the tables."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import ibis

from linkspot.engines.engine import EngineSettings, Shard, ShardWork
from linkspot.engines.workers import ShardTask, Workers
from linkspot.errors import BrokenRun, first_line
from linkspot.files import unfinished, writing
from linkspot.progress import StageProgress
from linkspot.scratch import remove_scratch, scratch_folder

_MEMORY = "1GB"  # for DuckDB; it spills the rest to disk
_FILE_SIZE = "256MB"
_INTERRUPTED = "Query interrupted"  # what DuckDB says at Ctrl-C

_Done = Callable[[Shard], None]


class LocalEngine:
    """Runs on this machine, in `jobs` processes: this one, which also reads, and further ones."""

    def __init__(self, jobs: int = 1) -> None:
        self._jobs = jobs
        self._spill = scratch_folder()
        self._connection = ibis.duckdb.connect(threads=jobs, memory_limit=_MEMORY, temp_directory=self._spill)
        self._connection.raw_sql("SET preserve_insertion_order = false; SET TimeZone = 'UTC'")

    @classmethod
    def of(cls, settings: EngineSettings) -> "LocalEngine":
        """Start as many processes as the settings allow."""
        return cls(settings.jobs)

    def run(self, work: ShardWork, sources: Sequence[Any], folder: Path, progress: StageProgress) -> None:
        """Run the work on every shard, each into a file of its own; a file that is there is not made again."""
        if folder.exists():
            return
        growing = folder.with_name(f".{folder.name}.shards")
        with writing(growing):
            growing.mkdir(parents=True, exist_ok=True)
        with Workers(self._jobs - 1) as workers:
            shares = _Shares([work.weight(source) for source in sources], progress)
            for number, source in enumerate(sources):
                _run_source(work, source, growing / f"{number:04}", workers, shares.of(number))
            # All has been read, and this process has nothing else to do.
            while task := workers.take_back():
                task.run()
            workers.wait()
        with writing(folder):
            growing.rename(folder)

    def read(self, folder: Path) -> ibis.Table:
        """Return a table that is kept in a folder."""
        # A name of its own may look like a pattern: in brackets, each sign only stands for itself.
        plain = re.sub(r"[*?\[]", r"[\g<0>]", str(folder))
        return self._connection.read_parquet(f"{plain}/**/*.parquet")

    def write(self, table: ibis.Table, folder: Path) -> None:
        """Write a table into Parquet files of a folder."""
        with unfinished(folder) as path:
            try:
                self._connection.to_parquet(table, path, file_size_bytes=_FILE_SIZE, compression="zstd")
            except duckdb.IOException as error:
                raise OSError(first_line(error)) from error
            except RuntimeError as error:
                if str(error) != _INTERRUPTED:
                    raise
                raise KeyboardInterrupt from error

    def explained(self, error: Exception) -> BrokenRun | None:
        """Return one line for what DuckDB raises, which may happen wherever a table is computed."""
        if not isinstance(error, duckdb.Error):
            return None
        return BrokenRun(
            f"DuckDB cannot read or write a table ({first_line(error)}); "
            "if a file is damaged, delete the folder it lies in, and run the command again that made it"
        )

    def close(self) -> None:
        """Close DuckDB."""
        self._connection.disconnect()
        remove_scratch(self._spill)


class _Shares:
    """Adds up what is done over all sources, weighted by their sizes."""

    def __init__(self, weights: list[float], progress: StageProgress) -> None:
        total = sum(weights) or 1.0
        self._weights = [weight / total for weight in weights]
        self._progress = progress
        self._size = 0
        self._share = 0.0

    def of(self, number: int) -> _Done:
        """Return the function to call with each finished shard of a source."""

        def done(shard: Shard) -> None:
            self._size += shard.size
            # Shards may finish in another order than they were read.
            self._share = max(self._share, sum(self._weights[:number]) + self._weights[number] * shard.share)
            self._progress.update(self._share, self._size)

        return done


def _run_source(work: ShardWork, source: Any, folder: Path, workers: Workers, done: _Done) -> None:
    """Run what is not done yet of a source, or leave it to others: the last of one and the first of the next."""
    for number, shard in enumerate(work.shards(source)):
        task = ShardTask(work, shard, folder / f"{number:06}.parquet", done)
        if task.path.exists():
            done(shard)
        elif workers.have_enough:  # so nobody waits for the reader
            task.run()
            workers.count_done()
        else:
            workers.submit(task)
