"""What a long command shows: a bar with rate and time left while it works, a summary at its end."""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from linkspot.pipeline.table_run import Summary

SECONDS_BETWEEN_LINES = 30.0  # where nobody watches
_REJECTS_SHOWN = 12


class _Rate(ProgressColumn):
    """Records per second."""

    def render(self, task: Task) -> Text:
        records, elapsed = task.fields.get("records", 0), task.elapsed or 0
        return Text(f"{records:,} done, {records / elapsed:,.0f}/s" if records and elapsed else "", style="cyan")


class Bars:
    """Bars with time passed and time left, and a column for what else there is to tell; drawn on a terminal alone."""

    def __init__(self, told: ProgressColumn) -> None:
        self._console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), told)
        self._progress = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=self._console)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._progress.start()
        return self

    def __exit__(self, _type: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        if self._console.is_terminal:
            self._progress.stop()


class ProgressBars(Bars):
    """Listens to a run and draws a bar for each stage; where nobody watches, it writes a line now and then."""

    def __init__(self) -> None:
        super().__init__(_Rate())

    def stage(self, name: str, /) -> Callable[[float, int], None]:
        """Return what draws the progress of the stage that begins now."""
        words = name.replace("_", " ")
        return self._bar(words) if self._console.is_terminal else _lines(words)

    def _bar(self, name: str) -> Callable[[float, int], None]:
        task = self._progress.add_task(name, total=1.0, records=0)
        return lambda share, records: self._progress.update(task, completed=share, records=records)


def _lines(name: str) -> Callable[[float, int], None]:
    started = last = time.monotonic()

    def watch(share: float, records: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < SECONDS_BETWEEN_LINES:
            return
        last = now
        rate = f", {records:,} done, {records / (now - started):,.0f}/s" if records else ""
        left = f", {(now - started) * (1 - share) / share:,.0f} s left" if share else ""
        sys.stderr.write(f"{name}: {share:.0%}{rate}{left}\n")

    return watch


def show_summary(summary: Summary) -> None:
    """Write what a run made, and what it set aside and why."""
    console = Console(highlight=False)
    made = Table.grid(padding=(0, 2))
    for name, rows in summary.rows.items():
        made.add_row(f"{rows:>9,}", name)
    console.print(f"Tables in [bold]{summary.folder}[/]")
    console.print(made)
    if summary.rejects:
        console.print("\nSet aside")
        table = Table.grid(padding=(0, 2))
        shown = list(summary.rejects.items())
        for reason, count in shown[:_REJECTS_SHOWN]:
            table.add_row(f"{count:>9,}", reason)
        console.print(table)
        if len(shown) > _REJECTS_SHOWN:
            console.print(f"{'':>9}  and {len(shown) - _REJECTS_SHOWN} other reasons, in manifest.json")
