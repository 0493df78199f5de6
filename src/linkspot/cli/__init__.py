"""The command line: the only place that reads flags, files of settings and the environment."""

import os
import sys
from errno import ENOSPC
from typing import Annotated, NoReturn

import typer

from linkspot.cli import adapting, answering, comparing, data, evaluating, experimenting, fetching, models, training
from linkspot.cli.help_page import PlainCommand, PlainGroup
from linkspot.cli.interruption import INTERRUPTION, STOPPED, end_soon_after_interrupts
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
_data = app.command(cls=PlainCommand, rich_help_panel="Data")
_data(data.index)
_data(data.insertions)
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


def main() -> NoReturn:
    """Run the command line and exit: 0 means answered, 1 unusable input, 2 wrong usage, 130 stopped by Ctrl-C."""
    end_soon_after_interrupts()
    prepare_output()
    code = _run()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
    except OSError as error:
        drop_output()
        code = code or _complain(_about(error), 1)
    sys.exit(code)


def _run() -> int:
    """Run the command that was typed, and return the exit code; what went wrong becomes one line."""
    try:
        app()
    except SystemExit as ending:  # typer always ends so, and so does rich when a pipe is closed
        return _code_of(ending)
    except StoppedRun as error:
        return _complain_of_stop(error)
    except KeyboardInterrupt:
        return _complain_of_stop("stopped")
    except LinkspotError as error:
        return _complain(error, 1)
    except OSError as error:
        if not (error.filename or error.errno == ENOSPC):
            raise
        return _complain(_about(error), 1)
    return 0


def _code_of(ending: SystemExit) -> int:
    if is_about_a_closed_pipe(ending):
        drop_output()
        return 0
    if ending.code == STOPPED:
        return _complain_of_stop("stopped")
    return ending.code if isinstance(ending.code, int) else int(ending.code is not None)


def _about(error: OSError) -> str:
    return f"{error.filename or 'the output'}: {os.strerror(error.errno or 0).lower()}"


def _complain_of_stop(message: object) -> int:
    INTERRUPTION.message = ""  # it is said here
    return _complain(message, STOPPED)


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
