"""Writing to standard output: any terminal's encoding will do, and a reader may close the pipe at any time."""

import codecs
import io
import json
import os
import re
import sys
from collections.abc import Mapping

from linkspot.text.display import UNSAFE_IN_LINES, displayed

_NOT_ASCII = re.compile(r"[^\x00-\x7e]")
_HANDLER = "linkspot.lookalikes"
# Signs that linkspot itself writes, and what stands for them where an encoding lacks them.
_LOOKALIKES = {
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("–—─━", "-"),
    **dict.fromkeys("│┃", "|"),
    **dict.fromkeys("†‡", "+"),
    "→": ">",
    "←": "<",
    "•": "*",
    "·": "-",
    "×": "x",
    "…": "...",
    "≤": "<=",
    "≥": ">=",
    "\N{NO-BREAK SPACE}": " ",
}


def prepare_output() -> None:
    """Let standard output take every character: one that its encoding lacks is replaced by a similar one or by "?"."""
    codecs.register_error(_HANDLER, _replace)
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = io.StringIO()
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=_HANDLER)


def say(text: object) -> None:
    """Print a line. `typer.echo` would write UTF-8 to a terminal that is set to ASCII."""
    sys.stdout.write(f"{displayed(str(text), is_one_line=False)}\n")


def say_bytes(data: bytes) -> None:
    """Write bytes as they are, as for another program; a terminal gets them as safe text."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None or sys.stdout.isatty():
        say(data.decode("utf-8", "replace").removesuffix("\n"))
    else:
        sys.stdout.flush()
        buffer.write(data)


def say_names(summaries: Mapping[str, str]) -> None:
    """Print names with a summary each, wrapped to the width of the terminal."""
    from rich.table import Table
    from rich.text import Text

    from linkspot.cli.safe_console import safe_console

    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column()
    for name, summary in summaries.items():
        table.add_row(Text(name, style="bold"), Text(summary))
    safe_console().print(table)


def say_json(text: str) -> None:
    """Print JSON that stays valid in every encoding: where that is not UTF-8, all but ASCII is escaped.

    In UTF-8, too, what is not safe to print is escaped, as JSON has it.
    """
    escaped = UNSAFE_IN_LINES if _is_utf8() else _NOT_ASCII
    say(escaped.sub(lambda character: json.dumps(character[0])[1:-1], text))


def say_html(text: str) -> None:
    """Print HTML that a browser reads the same in every encoding: where that is not UTF-8, all but ASCII is escaped."""
    say(text if _is_utf8() else text.encode("ascii", "xmlcharrefreplace").decode())


def drop_output() -> None:
    """Send what is still to be printed nowhere: the reader of the pipe has closed it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_about_a_closed_pipe(error: BaseException | None) -> bool:
    """Return whether an error was raised because of a closed pipe; rich and typer turn that into an exit with 1."""
    while error is not None:
        if isinstance(error, BrokenPipeError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _is_utf8() -> bool:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return codecs.lookup(encoding).name.startswith("utf")


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_lookalike, error.object[error.start : error.end])), error.end


def _lookalike(character: str) -> str:
    is_half_a_character = "\ud800" <= character <= "\udfff"  # a byte of the command line that is not UTF-8
    return ascii(character)[1:-1] if is_half_a_character else _LOOKALIKES.get(character, "?")
