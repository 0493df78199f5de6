"""The command line: the only place that reads flags, files of settings and the environment."""

import os
import sys
from typing import Annotated, NoReturn

import typer

from linkspot.cli import adapting, answering, comparing, data, evaluating, experimenting, fetching, models, training
from linkspot.errors import LinkspotError

app = typer.Typer(
    name="linkspot",
    help="Find the spot for a link: rank the places in a page where a link to another page belongs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
_answers = app.command(rich_help_panel="Answers")
_answers(answering.suggest)
_answers(answering.rankers)
_answers(answering.demo)
_data = app.command(rich_help_panel="Data")
_data(data.index)
_data(data.insertions)
_data(data.dataset)
_data(data.stats)
_data(fetching.fetch)
_models = app.command(rich_help_panel="Models")
_models(models.model)
_models(training.train)
_models(adapting.adapt)
_models(models.pretrained)
_models(models.export)
_evaluation = app.command(rich_help_panel="Evaluation")
_evaluation(evaluating.evaluate)
_evaluation(comparing.compare)
_evaluation(experimenting.experiment)
_evaluation(experimenting.benchmark)


def main() -> NoReturn:
    """Run the command line; 0 means answered, 1 that the input could not be used, 2 wrong usage."""
    try:
        app()
    except LinkspotError as error:
        sys.stderr.write(f"linkspot: {error}\n")
        code = 1
    except BrokenPipeError:
        # The reader of a pipe has had enough; nothing more may be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    else:
        code = 0
    sys.exit(code)


def _version(is_wanted: bool) -> None:
    if is_wanted:
        from linkspot import __version__

        typer.echo(f"linkspot {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Find the spot for a link: rank the places in a page where a link to another page belongs."""
