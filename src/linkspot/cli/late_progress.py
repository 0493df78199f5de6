"""Progress for commands that are usually quick: nothing for two seconds, then a bar, and only on a terminal."""

import sys
from threading import Lock, Timer
from types import TracebackType
from typing import TYPE_CHECKING, Self

from linkspot.progress import SILENT, StageProgress

if TYPE_CHECKING:
    from rich.console import Console

    from linkspot.cli.progress import TerminalProgress

_SECONDS = 2.0


class LateProgress:
    """Begins to draw when the work has lasted some seconds; where standard error is not a terminal, never."""

    def __init__(self, console: "Console | None" = None, seconds: float = _SECONDS) -> None:
        self._console = console
        self._drawn: TerminalProgress | None = None
        self._stage = _LateStage("")
        self._is_over = False
        self._lock = Lock()  # the timer runs in a thread of its own
        self._timer = Timer(seconds, self._begin)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        if self._console.is_terminal if self._console else sys.stderr.isatty():
            self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._timer.cancel()
        with self._lock:
            self._is_over = True
            if self._drawn:
                self._drawn.__exit__(kind, error, trace)

    def part(self, name: str, /) -> None:
        """Write which part begins, if it is late enough."""
        with self._lock:
            if self._drawn:
                self._drawn.part(name)

    def stage(self, name: str, /, begun: float = 0.0) -> StageProgress:
        """Return what draws the stage that begins now, as soon as it is late enough."""
        with self._lock:
            self._stage = _LateStage(name, begun)
            if self._drawn:
                self._stage.draw_in(self._drawn)
            return self._stage

    def _begin(self) -> None:
        from linkspot.cli.progress import TerminalProgress

        with self._lock:
            if not self._is_over:
                self._drawn = TerminalProgress(self._console)
                self._stage.draw_in(self._drawn)


class _LateStage:
    """A stage that remembers how far it is until it is drawn."""

    def __init__(self, name: str, begun: float = 0.0) -> None:
        self._name, self._begun = name, begun
        self._last: tuple[float, int, str] = (begun, 0, "")
        self._drawn: StageProgress = SILENT

    def draw_in(self, progress: "TerminalProgress") -> None:
        """Draw the stage from now on."""
        self._drawn = progress.stage(self._name, self._begun)
        self._drawn.update(*self._last)

    def update(self, share: float, count: int, note: str = "") -> None:
        """Note how far the stage is, and draw it if it is late enough."""
        self._last = share, count, note
        self._drawn.update(share, count, note)

    def say(self, line: str) -> None:
        """Write a line if it is late enough."""
        self._drawn.say(line)
