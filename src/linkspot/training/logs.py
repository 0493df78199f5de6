"""Logs of training: what it reports while it runs, shown as progress or written to files."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from linkspot.errors import MissingExtra
from linkspot.files import unfinished
from linkspot.progress import SILENT, Progress, StageProgress

_KEPT_OF_LOSS = 0.9  # of the mean before, in the mean loss that is shown


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
    """How a model ranks insertions that it does not learn from, where these have a right place."""

    stage: str
    step: int
    hits_at_1: float
    mrr: float
    queries: int


Report = StepReport | ValidationReport


class TrainingLog(Protocol):
    """Takes every report of a training."""

    def write(self, report: Report) -> None:
        """Take a report."""
        ...


class Logs:
    """Several logs as one."""

    def __init__(self, logs: Sequence[TrainingLog]) -> None:
        self._logs = logs

    def write(self, report: Report) -> None:
        """Write a report to all of them."""
        for log in self._logs:
            log.write(report)


class ShownLog:
    """Shows the reports as progress: each stage with its mean loss and speed, each validation as a line."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._name = ""
        self._stage: StageProgress = SILENT
        self._loss = 0.0
        self._examples = 0

    def write(self, report: Report) -> None:
        """Show a report."""
        if isinstance(report, ValidationReport):
            figures = f"Hits@1 {report.hits_at_1:.3f}, MRR {report.mrr:.3f} ({report.queries:,} queries)"
            self._stage.say(f"{report.stage}, step {report.step:,}: {figures}")
            return
        if report.stage != self._name:
            begun = (report.step - 1) / report.steps
            self._name, self._stage = report.stage, self._progress.stage(report.stage, begun)
            self._loss, self._examples = report.loss, 0
        self._loss = _KEPT_OF_LOSS * self._loss + (1 - _KEPT_OF_LOSS) * report.loss
        self._examples += report.examples
        self._stage.update(report.step / report.steps, self._examples, f"loss {self._loss:.3f}")


class JsonLog:
    """Writes each report as a line of JSON; a run that continues from a checkpoint continues the same file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def continue_from(self, is_known: Callable[[str, int], bool]) -> None:
        """Keep the lines of a stopped run whose stage and step are known; the other steps are taken again."""
        if not self._path.exists():
            return
        lines = self._path.read_text(encoding="utf-8").splitlines(keepends=True)
        complete = [line for line in lines if line.endswith("\n")]
        kept = [line for line in complete if is_known(*(json.loads(line)[name] for name in ("stage", "step")))]
        with unfinished(self._path) as path:
            path.write_text("".join(kept), encoding="utf-8")

    def write(self, report: Report) -> None:
        """Append a report of a step or a validation."""
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

    def write(self, report: Report) -> None:
        """Write the report's numbers as points of curves."""
        names = ("loss", "rate") if isinstance(report, StepReport) else ("hits_at_1", "mrr")
        for name in names:
            self._writer.add_scalar(f"{report.stage}/{name}", getattr(report, name), report.step)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
