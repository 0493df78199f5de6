from io import StringIO

import pytest
from rich.console import Console

from linkspot.cli.progress import TerminalProgress
from linkspot.training.logs import ShownLog, StepReport, ValidationReport


def console(is_terminal: bool, width: int = 100) -> tuple[Console, StringIO]:
    file = StringIO()
    return Console(file=file, force_terminal=is_terminal, width=width, color_system=None), file


def last_screen(text: str) -> list[str]:
    """Return what a terminal shows in the end: what a bar wrote before it was drawn again is gone."""
    lines = [line.rpartition("\r")[2].rpartition("\x1b[2K")[2] for line in text.splitlines()]
    return [line.replace("\x1b[?25l", "").replace("\x1b[?25h", "").rstrip() for line in lines]


def test_in_a_log_a_stage_writes_share_rate_and_time_left_in_one_line() -> None:
    shown, file = console(is_terminal=False, width=20)
    with TerminalProgress(shown, seconds_between_lines=0) as progress:
        progress.part("1 of 2: a part with a name that is longer than the screen")
        progress.stage("existing_links").update(0.5, 1_000)
        progress.stage("counting").update(0.25, 0)
    part, links, counting = file.getvalue().splitlines()
    assert part == "1 of 2: a part with a name that is longer than the screen"
    assert links.startswith("existing links: 50%, 1,000 done, ")
    assert "/s, " in links
    assert links.endswith(" s left")
    assert counting == "counting: 25%, 0 s left"


def test_a_log_is_not_flooded_but_has_the_last_loss() -> None:
    shown, file = console(is_terminal=False)
    with TerminalProgress(shown) as progress:
        tables, steps = progress.stage("links"), progress.stage("warm start")
        for number in range(1, 11):
            tables.update(number / 10, number)
            steps.update(number / 10, number, f"loss {1 / number:.3f}")
    (line,) = file.getvalue().splitlines()
    assert line.startswith("warm start: 100%, loss 0.100, 10 done, ")


def test_a_run_that_continues_reckons_the_time_left_from_where_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([100.0, 110.0])
    monkeypatch.setattr("linkspot.cli.progress.time.monotonic", lambda: next(now))
    shown, file = console(is_terminal=False)
    TerminalProgress(shown, seconds_between_lines=0).stage("warm start", begun=0.5).update(0.75, 40)
    assert file.getvalue() == "warm start: 75%, 40 done, 4.0/s, 10 s left\n"


def test_on_a_terminal_finished_bars_stay_above_the_one_that_runs() -> None:
    shown, file = console(is_terminal=True)
    with TerminalProgress(shown) as progress:
        progress.part("1 of 1: [both] stages")
        progress.stage("warm start").update(1.0, 20, "loss 0.500")
        progress.stage("expansion").update(0.5, 10, "loss 0.250")
    lines = last_screen(file.getvalue())
    assert lines[0] == "1 of 1: [both] stages"
    (first,) = [number for number, line in enumerate(lines) if line.startswith("warm start") and "100 %" in line]
    (second,) = [number for number, line in enumerate(lines) if line.startswith("expansion") and "50 %" in line]
    assert first < second
    assert "loss 0.250, 10 done, " in lines[second]


def test_training_shows_its_mean_loss_and_a_line_for_each_validation() -> None:
    shown, file = console(is_terminal=False)
    log = ShownLog(TerminalProgress(shown, seconds_between_lines=0))
    log.write(StepReport("warm start", 1, 2, loss=2.0, rate=1e-5, examples=8))
    log.write(ValidationReport("warm start", 1, hits_at_1=0.25, mrr=0.5, queries=1_000))
    log.write(StepReport("warm start", 2, 2, loss=1.0, rate=1e-5, examples=8))
    log.write(StepReport("expansion", 1, 2, loss=1.0, rate=1e-5, examples=4))
    first, validation, second, other = file.getvalue().splitlines()
    assert first.startswith("warm start: 50%, loss 2.000, 8 done, ")
    assert validation == "warm start, step 1: Hits@1 0.250, MRR 0.500 (1,000 queries)"
    assert second.startswith("warm start: 100%, loss 1.900, 16 done, ")
    assert other.startswith("expansion: 50%, loss 1.000, 4 done, ")
