"""Tasks for workers that no page would ask for: they wait, take memory, or die."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from linkspot.errors import WrongValue
from linkspot.service.worker_process import Workplace


@dataclass(frozen=True)
class Echo:
    """Returns a value, after some time."""

    value: str
    seconds: float = 0.0

    def run(self, _workplace: Workplace) -> str:
        time.sleep(self.seconds)
        return self.value


@dataclass(frozen=True)
class Greedy:
    """Takes memory without end."""

    def run(self, _workplace: Workplace) -> None:
        kept = []
        while True:
            kept.append(b"x" * 50_000_000)
            time.sleep(0.02)


@dataclass(frozen=True)
class Endless:
    """Computes without end, deaf to every signal but SIGKILL."""

    def run(self, _workplace: Workplace) -> None:
        while True:
            pass


@dataclass(frozen=True)
class Deadly:
    """Kills its worker as often as a file has letters left."""

    letters: Path

    def run(self, _workplace: Workplace) -> str:
        left = self.letters.read_text()
        if left:
            self.letters.write_text(left[1:])
            os.kill(os.getpid(), signal.SIGKILL)
        return "alive"


@dataclass(frozen=True)
class Faulty:
    """Fails, with an error that users should know or with another one."""

    is_known: bool

    def run(self, _workplace: Workplace) -> None:
        raise WrongValue("known") if self.is_known else KeyError("a secret of the page")
