import time
from io import StringIO

from rich.console import Console

from linkspot.cli.late_progress import LateProgress


def _console(is_terminal: bool) -> tuple[Console, StringIO]:
    file = StringIO()
    return Console(file=file, force_terminal=is_terminal, width=100, color_system=None), file


def test_quick_work_shows_nothing() -> None:
    console, file = _console(is_terminal=True)
    with LateProgress(console, seconds=60) as progress:
        progress.part("all")
        stage = progress.stage("reading")
        stage.update(0.5, 10)
        stage.say("half")
    assert file.getvalue() == ""


def test_long_work_is_drawn_from_where_it_is() -> None:
    console, file = _console(is_terminal=True)
    with LateProgress(console, seconds=0) as progress:
        progress.stage("reading").update(0.5, 10)
        _wait_for("reading", file)
        progress.stage("ranking").update(0.75, 300)
    assert " 50 %" in file.getvalue()
    assert "ranking" in file.getvalue()
    assert " 75 %" in file.getvalue()


def test_where_there_is_no_terminal_even_long_work_shows_nothing() -> None:
    console, file = _console(is_terminal=False)
    with LateProgress(console, seconds=0) as progress:
        progress.stage("reading").update(0.5, 10)
        time.sleep(0.05)
    assert file.getvalue() == ""


def _wait_for(words: str, file: StringIO) -> None:
    end = time.monotonic() + 10
    while words not in file.getvalue() and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(0.3)  # a bar is drawn some times a second
