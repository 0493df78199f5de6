"""Ctrl-C and SIGTERM while the commands are imported: the process ends at once. This imports next to nothing."""

import os
import signal
import sys
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def end_at_once_after_signals() -> None:
    """End the process with one line at Ctrl-C or SIGTERM; for the time before there is anything to tidy up."""
    handle_signals(_end_at_once)


def handle_signals(handler: "signal._HANDLER") -> None:
    """Have a function called at Ctrl-C and SIGTERM; in another thread than the main one, nothing changes."""
    try:
        for number in SIGNALS:
            signal.signal(number, handler)
    except ValueError:  # Python lets only the main thread do so
        return


def code_after(number: int) -> int:
    """Return the exit code of what a signal ends, as shells have it."""
    return 128 + number


def _end_at_once(number: int, _frame: FrameType | None) -> None:
    if sys.stderr is not None:
        os.write(sys.stderr.fileno(), b"linkspot: stopped\n")
    os._exit(code_after(number))
