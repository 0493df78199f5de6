"""The program: all commands, and how one of them ends, whatever goes wrong in it."""

import os
import sys
from errno import ENOSPC
from typing import Annotated

import typer

from linkspot.cli import (
    adapting,
    answering,
    comparing,
    data,
    decisions,
    evaluating,
    experimenting,
    fetching,
    models,
    removing,
    serve,
    training,
)
from linkspot.cli.help_page import PlainCommand, PlainGroup
from linkspot.cli.interruption import INTERRUPTION, SIGINT_CODE, end_now, end_now_after_signals, end_soon_after_signals
from linkspot.cli.output import drop_output, is_about_a_closed_pipe, prepare_output, say
from linkspot.errors import LinkspotError, StoppedRun
from linkspot.text.display import displayed

app = typer.Typer(
    name="linkspot",
    cls=PlainGroup,
    help="Find the spot for a link: rank the places in a page where a link to another page belongs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
_answers = app.command(cls=PlainCommand, rich_help_panel="Answers")
_answers(answering.suggest)
_answers(answering.rankers)
_answers(answering.demo)
_answers(serve.serve)
_answers(decisions.decisions)
_data = app.command(cls=PlainCommand, rich_help_panel="Data")
_data(data.index)
_data(data.insertions)
_data(removing.removals)
_data(data.dataset)
_data(data.stats)
_data(fetching.fetch)
_models = app.command(cls=PlainCommand, rich_help_panel="Models")
_models(models.model)
_models(training.train)
_models(adapting.adapt)
_models(models.pretrained)
_models(models.export)
_evaluation = app.command(cls=PlainCommand, rich_help_panel="Evaluation")
_evaluation(evaluating.evaluate)
_evaluation(comparing.compare)
_evaluation(experimenting.experiment)
_evaluation(experimenting.benchmark)


def run() -> int:
    """Run the command that was typed, and return the exit code; what went wrong becomes one line."""
    try:
        end_soon_after_signals()
        prepare_output()
        code = _run()
        end_now_after_signals()
    except KeyboardInterrupt:  # just before or after the command itself
        code = _complain_of_stop("stopped")
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
    except OSError as error:
        drop_output()
        code = code or _complain(_about(error), 1)
    if code and code == INTERRUPTION.code:
        # Python itself would end by SIGINT, not with this code, if the interrupt came inside of some library's `exec`.
        end_now()
    return code


def _run() -> int:
    try:
        app()
    except SystemExit as ending:  # typer always ends so, and so does rich when a pipe is closed
        return _code_of(ending)
    except (StoppedRun, KeyboardInterrupt) as error:
        return _complain_of_stop(str(error) or "stopped")
    except LinkspotError as error:
        return _complain(error, 1)
    except OSError as error:
        if not (error.filename or error.errno == ENOSPC):
            raise
        return _complain(_about(error), 1)
    except Exception:  # what a library makes of a KeyboardInterrupt, such as an ImportError
        if not INTERRUPTION.code:
            raise
        return _complain_of_stop(INTERRUPTION.message or "stopped")
    return 0


def _code_of(ending: SystemExit) -> int:
    if is_about_a_closed_pipe(ending):
        drop_output()
        return 0
    if ending.code == SIGINT_CODE:  # typer's for every KeyboardInterrupt
        return _complain_of_stop("stopped")
    return ending.code if isinstance(ending.code, int) else int(ending.code is not None)


def _about(error: OSError) -> str:
    return f"{error.filename or 'the output'}: {os.strerror(error.errno or 0).lower()}"


def _complain_of_stop(message: object) -> int:
    INTERRUPTION.message = ""  # it is said here
    return _complain(message, INTERRUPTION.code or SIGINT_CODE)


def _complain(message: object, code: int) -> int:
    if sys.stderr is not None:
        sys.stderr.write(f"linkspot: {displayed(str(message))}\n")
    return code


def _version(is_wanted: bool) -> None:
    if is_wanted:
        from linkspot import __version__

        say(f"linkspot {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Find the spot for a link: rank the places in a page where a link to another page belongs."""
