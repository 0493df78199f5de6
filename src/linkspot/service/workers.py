"""The pool of workers: a short queue of tasks, and processes that are killed and replaced when they take too much."""

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from queue import SimpleQueue

from linkspot.errors import LinkspotError
from linkspot.service.faults import Overloaded, ServiceFault, TooExpensive, WarmingUp, WorkerDied
from linkspot.service.settings import ServiceLimits
from linkspot.service.worker_process import TaskResult, WorkerSetup, WorkerTask, serve_tasks

_ATTEMPTS = 2  # workers that may die at one task: the first may have been killed by chance
_ATTEMPTS_TO_OPEN = 3
_LOOK_EVERY = 0.05  # seconds between two looks at a worker's memory
_SECONDS_TO_OPEN = 600.0
_LONGEST_PAUSE = 30.0  # between two attempts to start a worker
_RETRY_AFTER = 5  # seconds
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4_096


@dataclass(slots=True)
class PoolCounts:
    """What the pool has done so far, for the metrics."""

    started: int = 0
    killed: int = 0
    died: int = 0
    refused: int = 0


@dataclass(slots=True)
class _Job:
    """A task that waits for a worker or is with one; its result goes to the future of an event loop."""

    task: WorkerTask
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[object]"
    is_begun: bool = False

    def finish(self, value: object, error: LinkspotError | None = None) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(self._settle, value, error)

    def _settle(self, value: object, error: LinkspotError | None) -> None:
        if self.future.done():  # nobody waits for it any more
            return
        if error is None:
            self.future.set_result(value)
        else:
            self.future.set_exception(error)


class WorkerPool:
    """Some workers, each with a thread that hands it one task after another."""

    def __init__(self, setup: WorkerSetup, size: int, limits: ServiceLimits) -> None:
        self._setup, self.size, self._limits = setup, size, limits
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._workers: set[_Worker] = set()
        self._lock = threading.Lock()
        self._is_stopped = threading.Event()
        self._threads: list[threading.Thread] = []
        self._unfinished = 0
        self.counts = PoolCounts()
        self.fault = ""

    def start(self) -> None:
        """Start the workers; they open the model while this returns."""
        for number in range(self.size):
            thread = threading.Thread(target=self._serve, name=f"worker-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def close(self) -> None:
        """End the workers; tasks that have begun are given up."""
        self._is_stopped.set()
        for _ in self._threads:
            self._jobs.put(None)
        with self._lock:
            workers = list(self._workers)
        for worker in workers:
            worker.kill()
        for thread in self._threads:
            thread.join(self._limits.seconds)

    @property
    def ready(self) -> int:
        """How many workers have opened the model."""
        with self._lock:
            return sum(worker.is_open for worker in self._workers)

    @property
    def busy(self) -> int:
        """How many tasks are with a worker."""
        return min(self._unfinished, self.size)

    @property
    def waiting(self) -> int:
        """How many tasks wait for a worker."""
        return max(0, self._unfinished - self.size)

    @property
    def is_full(self) -> bool:
        """Whether the next task would be refused."""
        return self.waiting >= self._limits.waiting

    @property
    def memory(self) -> int:
        """The bytes that all workers have in memory together."""
        with self._lock:
            return sum(_memory(worker.pid) for worker in self._workers)

    @property
    def processes(self) -> list[int]:
        """The numbers of the workers' processes."""
        with self._lock:
            return [worker.pid for worker in self._workers]

    async def run(self, task: WorkerTask) -> object:
        """Return the result of a task; a ServiceFault says why there is none."""
        if self._is_stopped.is_set() or not self.ready:
            reason = f": {self.fault}" if self.fault else ""
            raise WarmingUp(f"the service is not ready yet{reason}; ask again in a few seconds", _RETRY_AFTER)
        if self.is_full:
            self.counts.refused += 1
            raise Overloaded(f"{self.waiting} requests wait already; ask again in a few seconds", _RETRY_AFTER)
        loop = asyncio.get_running_loop()
        job = _Job(task, loop, loop.create_future())
        expiry = loop.call_later(self._limits.waiting_seconds, self._expire, job)
        self._unfinished += 1
        self._jobs.put(job)
        try:
            return await job.future
        finally:
            self._unfinished -= 1
            expiry.cancel()

    def _expire(self, job: _Job) -> None:
        """Give up a job that no worker has begun."""
        if not job.is_begun and not job.future.done():
            self.counts.refused += 1
            seconds = self._limits.waiting_seconds
            fault = Overloaded(f"no worker was free for {seconds:g} s; ask again in a few seconds", _RETRY_AFTER)
            job.future.set_exception(fault)

    def _serve(self) -> None:
        """Hand tasks to one worker after another, until the pool is closed; this runs in a thread."""
        # A new process inherits this: signals are for the main process, which ends the others.
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        failures = 0
        worker: _Worker | None = None
        while not self._is_stopped.is_set():
            worker = worker or self._opened()
            if worker is None:
                failures += 1
                self._is_stopped.wait(min(_LONGEST_PAUSE, 2.0**failures))
                continue
            failures = 0
            job = self._jobs.get()
            if job is None:
                break
            worker = self._do(job, worker)
            if worker and worker.tasks >= self._limits.recycled_after:
                self._end(worker)
                worker = None
        if worker:
            self._end(worker)

    def _do(self, job: _Job, worker: "_Worker | None") -> "_Worker | None":
        """Do a job, and return the worker if it can do another one."""
        if job.future.done():  # nobody waits for it any more
            return worker
        job.is_begun = True
        deaths = failures = 0
        while deaths < _ATTEMPTS and failures < _ATTEMPTS_TO_OPEN:
            worker = worker or self._opened()
            if worker is None:
                failures += 1
                continue
            try:
                result = worker.ask(job.task, self._limits)
            except (EOFError, OSError):  # the process is gone
                deaths += 1
                self.counts.died += 1
                self._end(worker)
                worker = None
                continue
            except ServiceFault as fault:
                self.counts.killed += 1
                self._end(worker)
                job.finish(None, fault)
                return None
            job.finish(result.value, _error_of(result))
            return worker
        job.finish(None, WorkerDied("two workers died at this request, perhaps because memory ran out"))
        return None

    def _opened(self) -> "_Worker | None":
        """Return a worker that has opened the model, None if it cannot."""
        if self._is_stopped.is_set():
            return None
        worker = _Worker(self._setup)
        self.counts.started += 1
        with self._lock:
            self._workers.add(worker)
        try:
            worker.open(self._is_stopped.is_set)
        except (EOFError, OSError):
            self._end(worker)
            self.fault = "" if self._is_stopped.is_set() else "its workers cannot open the model"
            return None
        self.fault = ""
        return worker

    def _end(self, worker: "_Worker") -> None:
        with self._lock:
            self._workers.discard(worker)
        worker.kill()
        worker.close()


class _Worker:
    """One process and the connection to it."""

    def __init__(self, setup: WorkerSetup) -> None:
        # A new process, not a copy of this one, whose threads would be missing in it.
        context = multiprocessing.get_context("spawn")
        self._connection: Connection
        self._connection, there = context.Pipe()
        self._process: SpawnProcess = context.Process(target=serve_tasks, args=(there, setup), daemon=True)
        self._process.start()
        there.close()  # so that the connection ends with the process
        self.pid = self._process.pid or 0
        self.tasks = 0
        self.is_open = False

    def open(self, is_stopped: Callable[[], bool]) -> None:
        """Wait until the model is open; EOFError or OSError if it cannot be opened."""
        end = time.monotonic() + _SECONDS_TO_OPEN
        while not self._connection.poll(_LOOK_EVERY):
            if is_stopped() or time.monotonic() > end:
                raise EOFError
        self._connection.recv()
        self.is_open = True

    def ask(self, task: WorkerTask, limits: ServiceLimits) -> TaskResult:
        """Have the task done; EOFError or OSError if the process dies, a ServiceFault if it takes too much."""
        self.tasks += 1
        end = time.monotonic() + limits.seconds
        self._connection.send(task)
        while not self._connection.poll(_LOOK_EVERY):
            if time.monotonic() > end:
                raise TooExpensive(f"this page takes more than {limits.seconds:g} s; send a shorter one")
            if _memory(self.pid) > limits.memory_bytes:
                megabytes = limits.memory_bytes // 1_000_000
                raise TooExpensive(f"this page takes more than {megabytes:,} MB of memory; send a shorter one")
        result: TaskResult = self._connection.recv()
        return result

    def kill(self) -> None:
        """End the process at once."""
        self.is_open = False
        self._process.kill()

    def close(self) -> None:
        """Forget the process, which has been killed."""
        self._process.join()
        self._process.close()
        self._connection.close()


def _error_of(result: TaskResult) -> LinkspotError | None:
    if result.failure:
        return ServiceFault("something went wrong here; the service's log has more")
    return result.error


def _memory(pid: int) -> int:
    """Return the bytes that a process has in memory; 0 where the system does not say."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0
