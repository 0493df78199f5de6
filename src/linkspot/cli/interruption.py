"""Ctrl-C: a command ends within seconds, with one line and the code 130, whatever it is busy with."""

import os
import signal
import socket
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType

from linkspot.scratch import remove_all_scratch

STOPPED = 130  # the exit code of what SIGINT ends, as shells have it
_GRACE = 5.0  # seconds that a command has to end in good order
_SHOW_CURSOR = b"\x1b[?25h"


@dataclass
class Interruption:
    """Whether Ctrl-C was pressed, and what is said then; nothing if it has been said."""

    was_pressed: bool = False
    message: str = "stopped"


INTERRUPTION = Interruption()


def end_soon_after_interrupts() -> None:
    """Raise KeyboardInterrupt at Ctrl-C as always; if the command still runs seconds later or at the next, end it.

    Libraries lose a KeyboardInterrupt or turn it into another error, and Python raises none while one of them
    computes. So another thread hears of the signal, through the file that Python writes its number to.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    hearing, speaking = socket.socketpair()
    speaking.setblocking(False)
    signal.set_wakeup_fd(speaking.detach(), warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, _interrupt)
    threading.Thread(target=_end_soon, args=(hearing,), daemon=True).start()


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    INTERRUPTION.was_pressed = True
    raise KeyboardInterrupt


def _end_soon(hearing: socket.socket) -> None:
    _wait_for_interrupt(hearing)
    hearing.settimeout(_GRACE)
    with suppress(TimeoutError):
        _wait_for_interrupt(hearing)
    _end_now()


def _wait_for_interrupt(hearing: socket.socket) -> None:
    while signal.SIGINT not in hearing.recv(64):
        pass


def _end_now() -> None:
    """End the process without waiting for anything; tables are whole at every moment, so nothing breaks."""
    if sys.stderr is not None and INTERRUPTION.message:
        cursor = _SHOW_CURSOR if sys.stderr.isatty() else b""
        os.write(sys.stderr.fileno(), cursor + f"linkspot: {INTERRUPTION.message}\n".encode())
    remove_all_scratch()
    os._exit(STOPPED)
