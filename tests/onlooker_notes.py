"""An onlooker that notes what is done."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from linkspot.pipeline.table_run import Listener, Silent
from linkspot.training.progress import Report, StepReport, Watcher


@dataclass
class Notes:
    """Notes which parts begin, and all that is told of trainings."""

    begun: list[str] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)

    def begins(self, what: str) -> None:
        self.begun.append(what)

    def training(self) -> AbstractContextManager[Watcher]:
        return nullcontext(self)

    def tables(self) -> AbstractContextManager[Listener]:
        return nullcontext(Silent())

    def see(self, report: Report) -> None:
        self.reports.append(report)

    @property
    def steps(self) -> int:
        return sum(isinstance(report, StepReport) for report in self.reports)
