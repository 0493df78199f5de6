"""A worker: a process of its own that opens the model once and then does one task after another."""

import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol, TypeVar, cast

from linkspot.errors import LinkspotError
from linkspot.limits import Limits
from linkspot.links.index import Index
from linkspot.ranking.ranker import Ranker, open_ranker
from linkspot.service.faults import where

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """What a worker opens before its first task."""

    ranker: str
    limits: Limits


@dataclass(slots=True)
class Workplace:
    """What a worker has open: the ranker with its name, and the indexes that its tasks have asked for."""

    ranker: Ranker
    ranker_name: str
    limits: Limits
    _indexes: dict[Path, Index] = field(default_factory=dict)
    _with_index: dict[tuple[type, Index], object] = field(default_factory=dict)

    def index(self, folder: Path) -> Index:
        """Return an index, opened once."""
        if folder not in self._indexes:
            self._indexes[folder] = Index(folder)
        return self._indexes[folder]

    def opened(self, kind: Callable[[Index], T], index: Index) -> T:
        """Return what works with an index, made once."""
        key = (cast("type", kind), index)
        if key not in self._with_index:
            self._with_index[key] = kind(index)
        return cast("T", self._with_index[key])


class WorkerTask(Protocol):
    """Something to do in a worker; it travels there, and its result travels back."""

    def run(self, workplace: Workplace) -> object:
        """Do it, and return the result."""
        ...


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What a worker sends back: the value; or the error that the user should know; or the name of any other."""

    value: object = None
    error: LinkspotError | None = None
    failure: str = ""


READY = TaskResult("ready")


def serve_tasks(connection: Connection, setup: WorkerSetup) -> None:
    """Do the tasks that come over a connection, until it is closed; this is all that a worker process runs."""
    # A signal to the whole group of processes, such as Ctrl-C, is for the main process, which ends its workers.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    workplace = Workplace(open_ranker(setup.ranker), setup.ranker, setup.limits)
    try:
        connection.send(READY)
        while True:
            task: WorkerTask = connection.recv()
            connection.send(_done(task, workplace))
    except (EOFError, OSError):  # the main process has closed the connection, or is gone
        return


def _done(task: WorkerTask, workplace: Workplace) -> TaskResult:
    try:
        return TaskResult(task.run(workplace))
    except LinkspotError as error:
        return TaskResult(error=error)
    except Exception as error:  # noqa: BLE001 - one broken task must not end the worker
        sys.stderr.write(f"linkspot: a task failed with {type(error).__name__} at {where(error)}\n")
        return TaskResult(failure=type(error).__name__)
