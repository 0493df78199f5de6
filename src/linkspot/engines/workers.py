"""Further processes that work on shards. One that is killed is replaced, and all of them end when the work stops."""

import multiprocessing
import pickle
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Self

from linkspot.engines.engine import Shard, ShardWork
from linkspot.engines.shard_process import run_shard, serve_shards
from linkspot.errors import BrokenRun

# Shards for each process: enough while this one is busy with a long one, and so few that memory stays bounded.
_WAITING = 6
_ATTEMPTS = 2  # processes that may die on one shard: the first may have been killed by chance


@dataclass(frozen=True, slots=True)
class ShardTask:
    """A shard, where its rows go, and what to call when it is done."""

    work: ShardWork
    shard: Shard
    path: Path
    done: Callable[[Shard], None]

    def run(self) -> None:
        """Do it here."""
        run_shard(self.work, self.shard, self.path)
        self.done(self.shard)


@dataclass(frozen=True, slots=True)
class _TaskOutcome:
    """A task that is over, and what went wrong with it, if anything."""

    task: ShardTask
    error: BaseException | None


class Workers:
    """Some processes, each with a thread that hands it one task after another; a context that ends them all.

    The threads also start the processes: Python handles Ctrl-C in the main thread only, so it interrupts no start.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._threads = 0
        self._unfinished = 0
        self._tasks: SimpleQueue[ShardTask] = SimpleQueue()
        self._outcomes: SimpleQueue[_TaskOutcome] = SimpleQueue()
        self._processes: list[SpawnProcess] = []
        self._starting = threading.Lock()
        self._is_stopped = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _type: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        """Kill what runs: nothing is left to do, or nobody wants the rest. A file that was begun is not kept."""
        with self._starting:
            self._is_stopped = True
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()

    @property
    def have_enough(self) -> bool:
        """Whether more tasks would only wait."""
        return self._unfinished >= self._size * _WAITING

    def submit(self, task: ShardTask) -> None:
        """Leave a task to the next process that is free."""
        self._unfinished += 1
        self._tasks.put(task)
        if self._threads < self._size:
            self._threads += 1
            threading.Thread(target=self._serve, daemon=True).start()

    def take_back(self) -> ShardTask | None:
        """Return a task that nobody has begun, to be done here."""
        try:
            task = self._tasks.get_nowait()
        except Empty:
            return None
        self._unfinished -= 1
        return task

    def count_done(self) -> None:
        """Count what is done by now."""
        while self._unfinished and not self._outcomes.empty():
            self._count_next()

    def wait(self) -> None:
        """Count what is done until everything is."""
        while self._unfinished:
            self._count_next()

    def _count_next(self) -> None:
        outcome = self._outcomes.get()
        self._unfinished -= 1
        if outcome.error is not None:
            raise outcome.error
        outcome.task.done(outcome.task.shard)

    def _serve(self) -> None:
        """Hand tasks to one process, as long as there are any; this runs in a thread."""
        # A new process inherits this: Ctrl-C reaches only the main process, which ends the others.
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        connection = None
        while not self._is_stopped:
            task = self._tasks.get()
            for _ in range(_ATTEMPTS):
                connection = connection or self._start()
                if connection is None:
                    return
                try:
                    error = _ask(connection, task)
                    break
                except (EOFError, OSError):  # the process is gone
                    connection.close()
                    connection = None
            else:
                error = BrokenRun(
                    "a process was killed twice at the same pages, perhaps because memory ran out; "
                    "run the same command with fewer --jobs to continue"
                )
            self._outcomes.put(_TaskOutcome(task, error))

    def _start(self) -> Connection | None:
        """Start a process and return the connection to it, or None if the work has stopped."""
        # A new process, not a copy of this one: copies of threads that DuckDB and Arrow started would hang.
        context = multiprocessing.get_context("spawn")
        with self._starting:
            if self._is_stopped:
                return None
            here, there = context.Pipe()
            process = context.Process(target=serve_shards, args=(there,), daemon=True)
            process.start()
            there.close()  # so that the connection ends with the process
            self._processes.append(process)
            return here


def _ask(connection: Connection, task: ShardTask) -> BaseException | None:
    """Have a process do a task, and return what went wrong, if anything."""
    try:
        message = ForkingPickler.dumps((task.work, task.shard, task.path))
    except (pickle.PicklingError, TypeError, AttributeError) as error:  # it cannot travel to another process
        return error
    connection.send_bytes(message)
    answer: BaseException | None = connection.recv()
    return answer
