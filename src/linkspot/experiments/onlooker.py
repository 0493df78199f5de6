"""Onlookers: who is told how a long run of many parts goes on, in which models are trained and tables made."""

from contextlib import AbstractContextManager
from typing import Protocol

from linkspot.pipeline.table_run import Listener
from linkspot.training.progress import Watcher


class Onlooker(Protocol):
    """Is told what is done next, and gives whom to show it to."""

    def begins(self, what: str) -> None:
        """Take note of what is done next."""
        ...

    def tables(self) -> AbstractContextManager[Listener]:
        """Return whom to show the making of tables to, until they are made."""
        ...


class TrainingOnlooker(Onlooker, Protocol):
    """Looks on where models are trained, too."""

    def training(self) -> AbstractContextManager[Watcher]:
        """Return whom to show a training to, until it ends."""
        ...
