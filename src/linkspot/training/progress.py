"""What training tells while it runs: to whoever watches, and to a log."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from linkspot.errors import MissingExtra
from linkspot.files import unfinished


@dataclass(frozen=True, slots=True)
class StepReport:
    """A step that is done: `step` of `steps` in its stage, counted from 1."""

    stage: str
    step: int
    steps: int
    loss: float
    rate: float
    examples: int


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """How a model does on insertions that it does not learn from, where these have a right place."""

    stage: str
    step: int
    hits_at_1: float
    mrr: float
    queries: int


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """How far work without steps has come, such as fitting a head: a share, and how many of something are done."""

    phase: str
    share: float
    count: int


Report = StepReport | ValidationReport | PhaseReport


class Watcher(Protocol):
    """Sees every report."""

    def see(self, report: Report) -> None:
        """Take a report."""
        ...


class Watchers:
    """Several watchers as one."""

    def __init__(self, watchers: Sequence[Watcher]) -> None:
        self._watchers = watchers

    def see(self, report: Report) -> None:
        """Show a report to all of them."""
        for watcher in self._watchers:
            watcher.see(report)


class Phases:
    """Tells a watcher of work without steps."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def stage(self, name: str, /) -> Callable[[float, int], None]:
        """Return whom to tell how far the phase of that name is."""
        return lambda share, count: self._watcher.see(PhaseReport(name, share, count))


class JsonLog:
    """Writes each report as a line of JSON; a run that goes on from a checkpoint goes on in the same file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def go_on_from(self, is_known: Callable[[str, int], bool]) -> None:
        """Keep the lines of a stopped run that are known by their stage and step; the others come again."""
        if not self._path.exists():
            return
        lines = self._path.read_text(encoding="utf-8").splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]
        kept = [line for line in whole if is_known(*(json.loads(line)[name] for name in ("stage", "step")))]
        with unfinished(self._path) as path:
            path.write_text("".join(kept), encoding="utf-8")

    def see(self, report: Report) -> None:
        """Append a report of a step or a validation."""
        if isinstance(report, PhaseReport):
            return
        line: dict[str, Any] = {"kind": "step" if isinstance(report, StepReport) else "validation", **asdict(report)}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({key: _finite(value) for key, value in line.items()}) + "\n")


class TensorBoardLog:
    """Writes the reports for TensorBoard."""

    def __init__(self, folder: Path) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            raise MissingExtra("TensorBoard is not installed; run: pip install tensorboard") from error
        self._writer = SummaryWriter(str(folder))

    def see(self, report: Report) -> None:
        """Write the report's numbers as points of curves."""
        if isinstance(report, PhaseReport):
            return
        names = ("loss", "rate") if isinstance(report, StepReport) else ("hits_at_1", "mrr")
        for name in names:
            self._writer.add_scalar(f"{report.stage}/{name}", getattr(report, name), report.step)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
