"""One machine: a pool of processes for the work on pages, DuckDB for the tables."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import ibis

from linkspot.engines.engine import EngineSettings, Shard, ShardWork
from linkspot.engines.shard_process import end_with_parent, run_shard
from linkspot.errors import BrokenRun, first_line
from linkspot.files import unfinished, writing
from linkspot.progress import StageProgress

# Shards that wait for each further process: enough while this one is busy, and few enough to bound the memory.
_WAITING = 6
_MEMORY = "1GB"  # for DuckDB; it spills the rest to disk
_FILE_SIZE = "256MB"

_Pool = ProcessPoolExecutor | None
_Done = Callable[[Shard], None]


@dataclass(frozen=True, slots=True)
class _ShardTask:
    """A shard that was left to another process, and what to call when it is done."""

    work: ShardWork
    shard: Shard
    path: Path
    done: _Done

    def run(self) -> None:
        """Run the work in this process."""
        run_shard(self.work, self.shard, self.path)
        self.done(self.shard)


_Waiting = dict[Future[None], _ShardTask]


class LocalEngine:
    """Runs on this machine, in `jobs` processes: this one, which also reads, and further ones."""

    def __init__(self, jobs: int = 1) -> None:
        self._jobs = jobs
        self._spill = TemporaryDirectory(prefix="linkspot-")
        self._connection = ibis.duckdb.connect(threads=jobs, memory_limit=_MEMORY, temp_directory=self._spill.name)
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
        with self._pool() as pool:
            shares = _Shares([work.weight(source) for source in sources], progress)
            waiting: _Waiting = {}
            for number, source in enumerate(sources):
                self._run_source(work, source, growing / f"{number:04}", pool, waiting, shares.of(number))
            _help_with(waiting)
            while waiting:
                _finish(waiting, timeout=None)
        with writing(folder):
            growing.rename(folder)

    def _run_source(
        self, work: ShardWork, source: Any, folder: Path, pool: "_Pool", waiting: "_Waiting", done: "_Done"
    ) -> None:
        """Run the shards of a source that are not done yet, here or in the pool."""
        for number, shard in enumerate(work.shards(source)):
            path = folder / f"{number:06}.parquet"
            if path.exists():
                done(shard)
            elif pool is not None and len(waiting) < (self._jobs - 1) * _WAITING:
                with _without_interrupts():
                    future = pool.submit(run_shard, work, shard, path)
                waiting[future] = _ShardTask(work, shard, path, done)
            else:  # the others have enough to do, so none of them waits for this one
                _ShardTask(work, shard, path, done).run()
                _finish(waiting, timeout=0)

    @contextmanager
    def _pool(self) -> "Iterator[_Pool]":
        """Give further processes; they end at once if the work here is stopped."""
        if self._jobs == 1:
            yield None
            return
        # A new process, not a fork of this one: it would hang with the threads of DuckDB and Arrow.
        context = multiprocessing.get_context("spawn")
        listening, speaking = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(self._jobs - 1, context, end_with_parent, (listening,))
        try:
            yield pool
        except BaseException:
            speaking.close()
            raise
        finally:
            pool.shutdown(cancel_futures=True)
            listening.close()

    def read(self, folder: Path) -> ibis.Table:
        """Return a table that is kept in a folder."""
        return self._connection.read_parquet(f"{folder}/**/*.parquet")

    def write(self, table: ibis.Table, folder: Path) -> None:
        """Write a table into Parquet files of a folder."""
        with unfinished(folder) as path:
            try:
                self._connection.to_parquet(table, path, file_size_bytes=_FILE_SIZE, compression="zstd")
            except duckdb.IOException as error:
                raise OSError(first_line(error)) from error

    def close(self) -> None:
        """Close DuckDB."""
        self._connection.disconnect()
        self._spill.cleanup()


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


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let Ctrl-C wait a moment. A process that starts meanwhile never hears of it: this one says when to end."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _help_with(waiting: "_Waiting") -> None:
    """Take back the shards that no process has begun: all is read, and this process has nothing else to do."""
    for future in reversed(list(waiting)):
        if future.cancel():
            waiting.pop(future).run()


def _finish(waiting: "_Waiting", timeout: float | None) -> None:
    """Count the shards that the others have finished; without a timeout, wait for at least one."""
    finished, _ = wait(waiting, timeout, return_when=FIRST_COMPLETED)
    for future in finished:
        task = waiting.pop(future)
        try:
            future.result()
        except BrokenProcessPool as error:
            raise BrokenRun(
                "a process was killed, perhaps because memory ran out; the same command with fewer --jobs continues"
            ) from error
        task.done(task.shard)
