"""Ctrl-C and SIGTERM: a command ends within seconds, with one line, whatever it is busy with."""

import os
import signal
import socket
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType

from linkspot.cli.early_signals import SIGNALS, code_after, handle_signals
from linkspot.scratch import remove_all_scratch

SIGINT_CODE = code_after(signal.SIGINT)
_GRACE = 5.0  # seconds that a command has to end in good order
_SHOW_CURSOR = b"\x1b[?25h"


@dataclass
class Interruption:
    """The exit code that Ctrl-C or SIGTERM asks for, 0 before; and what is said then, nothing if it has been said."""

    code: int = 0
    message: str = "stopped"


INTERRUPTION = Interruption()


def end_soon_after_signals() -> None:
    """Raise KeyboardInterrupt at Ctrl-C and SIGTERM; if the command still runs seconds later or at the next, end it.

    Libraries lose a KeyboardInterrupt or turn it into another error, and Python raises none while one of them
    computes. So another thread hears of the signal, through the file that Python writes its number to.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    hearing, speaking = socket.socketpair()
    speaking.setblocking(False)
    signal.set_wakeup_fd(speaking.detach(), warn_on_full_buffer=False)
    handle_signals(_interrupt)
    sys.unraisablehook = _end_if_lost
    threading.Thread(target=_end_soon, args=(hearing,), daemon=True).start()


def end_now_after_signals() -> None:
    """End the process at Ctrl-C and SIGTERM without raising anything: the command itself has ended."""
    handle_signals(_interrupt_at_the_end)


def _interrupt(number: int, _frame: FrameType | None) -> None:
    INTERRUPTION.code = code_after(number)
    raise KeyboardInterrupt


def _interrupt_at_the_end(number: int, _frame: FrameType | None) -> None:
    INTERRUPTION.code = code_after(number)
    end_now()


def _end_if_lost(lost: "sys.UnraisableHookArgs") -> None:
    """End the process if a KeyboardInterrupt came where Python can raise nothing, such as in a finalizer."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        end_now()
    sys.__unraisablehook__(lost)


def _end_soon(hearing: socket.socket) -> None:
    number = _wait_for_signal(hearing)
    hearing.settimeout(_GRACE)
    with suppress(TimeoutError):
        _wait_for_signal(hearing)
    INTERRUPTION.code = INTERRUPTION.code or code_after(number)
    end_now()


def _wait_for_signal(hearing: socket.socket) -> int:
    while True:
        for number in hearing.recv(64):
            if number in SIGNALS:
                return number


def end_now() -> None:
    """End the process without waiting for anything; tables are whole at every moment, so nothing breaks."""
    if sys.stderr is not None and INTERRUPTION.message:
        cursor = _SHOW_CURSOR if sys.stderr.isatty() else b""
        os.write(sys.stderr.fileno(), cursor + f"linkspot: {INTERRUPTION.message}\n".encode())
    remove_all_scratch()
    os._exit(INTERRUPTION.code)
