"""What training shows: a bar for each stage with loss, speed and time left, and a line for each validation."""

import sys
import time

from rich.progress import TaskID, TextColumn

from linkspot.cli.progress import SECONDS_BETWEEN_LINES, Bars
from linkspot.training.progress import PhaseReport, Report, StepReport, ValidationReport

_MEMORY = 0.9  # of the loss before, in the mean that is shown


class TrainingBars(Bars):
    """Watches a training and draws it; where nobody looks at a terminal, it writes a line now and then."""

    def __init__(self) -> None:
        super().__init__(TextColumn("{task.fields[told]}", style="cyan"))
        self._stage: _Stage | None = None

    def see(self, report: Report) -> None:
        """Draw a report."""
        match report:
            case ValidationReport():
                figures = f"Hits@1 {report.hits_at_1:.3f}, MRR {report.mrr:.3f} ({report.queries:,} queries)"
                self._console.print(f"{report.stage}, step {report.step:,}: {figures}", highlight=False)
            case StepReport():
                stage = self._on(report.stage, begun=(report.step - 1) / report.steps)
                self._show(stage, report.step / report.steps, stage.learn(report))
            case PhaseReport():
                self._show(self._on(report.phase), report.share, f"{report.count:,} done")

    def _on(self, name: str, begun: float = 0.0) -> "_Stage":
        if self._stage is None or self._stage.name != name:
            self._stage = _Stage(name, self._progress.add_task(name, total=1.0, told=""), begun)
        return self._stage

    def _show(self, stage: "_Stage", share: float, told: str) -> None:
        if self._console.is_terminal:
            self._progress.update(stage.task, completed=share, told=told)
        elif line := stage.line(share, told):
            sys.stderr.write(line + "\n")


class _Stage:
    """What is shown of one stage: how long it runs, what it lost and learned from since it began to be watched."""

    def __init__(self, name: str, task: TaskID, begun: float) -> None:
        self.name, self.task, self._begun = name, task, begun
        self._started = self._told = time.monotonic()
        self._loss: float | None = None
        self._examples = 0

    def learn(self, report: StepReport) -> str:
        """Return what a step says, with the mean loss of the last ones."""
        self._loss = report.loss if self._loss is None else _MEMORY * self._loss + (1 - _MEMORY) * report.loss
        self._examples += report.examples
        speed = self._examples / max(time.monotonic() - self._started, 1e-9)
        return f"loss {self._loss:.3f}, {speed:,.1f} examples/s"

    def line(self, share: float, told: str) -> str:
        """Return a line, if it is time for one."""
        now = time.monotonic()
        if now - self._told < SECONDS_BETWEEN_LINES and share < 1:
            return ""
        self._told = now
        left = (now - self._started) * (1 - share) / max(share - self._begun, 1e-9)
        return f"{self.name}: {share:.0%}, {told}, {left:,.0f} s left"
