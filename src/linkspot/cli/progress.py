"""What a long command shows: a bar with rate and time left for each stage while it works, a summary at its end."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress
from rich.table import Table
from rich.text import Text

from linkspot.cli.safe_console import safe_console
from linkspot.pipeline.table_run import Summary
from linkspot.progress import StageProgress
from linkspot.text.display import displayed

_SECONDS_BETWEEN_LINES = 30.0
_REJECTS_SHOWN = 12


class TerminalProgress:
    """Draws a bar for each stage; where standard error is not a terminal, it writes a line now and then.

    Only the stage that runs is redrawn: the bars of earlier stages stay above it as they were.
    """

    def __init__(self, console: Console | None = None, seconds_between_lines: float = _SECONDS_BETWEEN_LINES) -> None:
        self._console = console or safe_console(stderr=True)
        self._seconds_between_lines = seconds_between_lines
        self._bar: _Bar | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _type: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        self._stop_bar()

    def part(self, name: str, /) -> None:
        """Write which part begins."""
        self._stop_bar()
        _write(self._console, name)

    def stage(self, name: str, /, begun: float = 0.0) -> StageProgress:
        """Return what draws the progress of the stage that begins now."""
        self._stop_bar()
        words = name.replace("_", " ")
        if not self._console.is_terminal:
            return _StageLines(words, self._console, begun, self._seconds_between_lines)
        self._bar = _Bar(words, self._console)
        return self._bar

    def _stop_bar(self) -> None:
        if self._bar:
            self._bar.stop()
        self._bar = None


class _Bar:
    """One stage on a terminal."""

    def __init__(self, name: str, console: Console) -> None:
        self._console = console
        self._bars = RichProgress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            _Facts(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._task = self._bars.add_task(name, total=1.0, count=0, note="")
        self._bars.start()

    def update(self, share: float, count: int, note: str = "") -> None:
        """Draw the bar as far as the stage is."""
        self._bars.update(self._task, completed=share, count=count, note=note)

    def say(self, line: str) -> None:
        """Write a line above the bar."""
        _write(self._console, line)

    def stop(self) -> None:
        """Leave the bar as it is."""
        self._bars.stop()


class _Facts(ProgressColumn):
    """What stands behind a bar: the note, and how many records are done, with their rate."""

    def render(self, task: Task) -> Text:
        return Text(_facts(task.fields["note"], task.fields["count"], task.elapsed or 0.0), style="cyan")


class _StageLines:
    """One stage as lines, for instance in a log."""

    def __init__(self, name: str, console: Console, begun: float, seconds_between_lines: float) -> None:
        self._name, self._console, self._begun = name, console, begun
        self._seconds_between_lines = seconds_between_lines
        self._start = self._last = time.monotonic()

    def update(self, share: float, count: int, note: str = "") -> None:
        """Write how far the stage is, if it is time for a line; a stage with notes also writes the last one."""
        now = time.monotonic()
        if now - self._last < self._seconds_between_lines and not (note and share >= 1):
            return
        self._last, elapsed = now, now - self._start
        facts, done = _facts(note, count, elapsed), share - self._begun
        left = f"{elapsed * (1 - share) / done:,.0f} s left" if done > 0 else ""
        self.say(f"{self._name}: {', '.join(filter(None, (f'{share:.0%}', facts, left)))}")

    def say(self, line: str) -> None:
        """Write a line."""
        _write(self._console, line)


def _facts(note: str, count: int, elapsed: float) -> str:
    rate = count / elapsed if elapsed else 0.0
    counted = f"{count:,} done, {rate:,.{0 if rate >= 10 else 1}f}/s" if rate else ""
    return ", ".join(filter(None, (note, counted)))


def _write(console: Console, line: str) -> None:
    console.print(displayed(line), highlight=False, markup=False, soft_wrap=True)


def show_summary(summary: Summary, hint: str = "") -> None:
    """Write what a run made, and what it set aside and why, with a hint what to do about that."""
    console = safe_console(highlight=False)
    made = Table.grid(padding=(0, 2))
    for name, rows in summary.rows.items():
        made.add_row(f"{rows:>9,}", Text(name))
    console.print(Text.assemble("Tables in ", (displayed(str(summary.folder)), "bold")))
    console.print(made)
    if summary.rejects:
        console.print("\nSet aside")
        table = Table.grid(padding=(0, 2))
        shown = list(summary.rejects.items())
        for reason, count in shown[:_REJECTS_SHOWN]:
            table.add_row(f"{count:>9,}", Text(displayed(reason)))
        console.print(table)
        if len(shown) > _REJECTS_SHOWN:
            console.print(f"{'':>9}  and {len(shown) - _REJECTS_SHOWN} other reasons, in manifest.json")
    if hint:
        console.print(Text(f"\n{hint}"), soft_wrap=True)
    for note in summary.notes:
        console.print(Text(f"\n{displayed(note)}."))
