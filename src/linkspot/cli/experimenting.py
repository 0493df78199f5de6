"""Commands that train, test and report in one go: experiment, benchmark."""

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkspot.cli.evaluating import labelled
from linkspot.cli.options import ALL_CORES
from linkspot.cli.output import say
from linkspot.cli.running import resumable
from linkspot.cli.values import names_in
from linkspot.errors import UnusableInput
from linkspot.extras import Extra, require

if TYPE_CHECKING:
    from linkspot.experiments.benchmark import BenchmarkReport
    from linkspot.experiments.report import ExperimentReport

_RANKER_HELP = "A further ranker to set beside, by name or folder, or LABEL=either; once for each."


def experiment(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which experiment; '?' lists them.", show_default=False)],
    dataset: Annotated[
        Path | None, typer.Option(help="What 'linkspot dataset' made of an index and insertions.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for models, rankings and the report; a run that was stopped goes on in it."),
    ] = None,
    budget: Annotated[
        str, typer.Option(help="small: an hour on two cores; paper: the recipes as they are, for a GPU.")
    ] = "small",
    seed: Annotated[int, typer.Option(min=0, help="What is drawn, in training and tests.")] = 0,
    limit: Annotated[
        int | None,
        typer.Option(min=0, help="At most so many test queries of each language; 0: all.", show_default="the budget's"),
    ] = None,
    encoder: Annotated[
        list[str] | None,
        typer.Option(
            help="The encoder to start from, a folder or an id; to compare encoders, once for each.",
            show_default="the budget's",
        ),
    ] = None,
    part: Annotated[
        str,
        typer.Option(
            help="For zero-shot: the languages that one model learns from, with commas between.",
            show_default="every second language",
        ),
    ] = "",
    ranker: Annotated[list[str] | None, typer.Option(metavar="NAME|FOLDER", help=_RANKER_HELP)] = None,
) -> None:
    """Ask one of the paper's questions on your data: train what it needs, rank, and write a report.

    Example: linkspot experiment stages --dataset nlwiki-dataset --out stages
    """
    if name == "?":
        _list_experiments()
        return
    require(Extra.TRAIN, "linkspot experiment")
    from linkspot.experiments.budgets import budget_of
    from linkspot.experiments.catalogue import experiment_of

    experiment_of(name)  # what is not known is told before torch is loaded
    budget_of(budget)
    if dataset is None or out is None:
        raise UnusableInput("an experiment takes --dataset DATASET and --out FOLDER")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    from linkspot.cli.progress import TerminalProgress
    from linkspot.engines.engine import EngineSettings, open_engine
    from linkspot.experiments.report import ExperimentReport
    from linkspot.experiments.run import ExperimentSettings, run_experiment

    settings = ExperimentSettings(
        name, dataset, out, budget, seed, limit, tuple(encoder or ()), names_in(part), labelled(ranker or [])
    )
    engine = open_engine("local", EngineSettings(1))
    try:
        with resumable(), TerminalProgress() as progress:
            done = run_experiment(settings, engine, progress)
        report = ExperimentReport(done, _command())
    finally:
        engine.close()
    _show(report)


def benchmark(
    data: Annotated[
        Path | None,
        typer.Option(envvar="LINKSPOT_DATA", help="The folder with openttd/, mdn/ and wikipedia/.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for insertions, dataset, rankings and report; what is there is used again."),
    ] = None,
    ranker: Annotated[list[str] | None, typer.Option(metavar="NAME|FOLDER", help=_RANKER_HELP)] = None,
    encoder: Annotated[
        str,
        typer.Option(
            help="The encoder for plain similarity.", show_default="e5-small-multilingual, where it can be made"
        ),
    ] = "",
    limit: Annotated[int, typer.Option(min=0, help="At most so many queries of each language; 0: all.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Draws the queries where there is a limit.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes find insertions.", show_default="all cores")] = (
        ALL_CORES
    ),
) -> None:
    """Rank the test split of the wikis that linkspot is measured on, built from their histories, and write a report.

    Example: linkspot benchmark --data data --out benchmark --ranker my-model
    """
    if data is None or out is None:
        raise UnusableInput("the benchmark takes --data FOLDER (or LINKSPOT_DATA) with the wikis, and --out FOLDER")
    require(Extra.DATA, "linkspot benchmark")
    from linkspot.cli.progress import TerminalProgress
    from linkspot.engines.engine import EngineSettings, open_engine
    from linkspot.experiments.benchmark import BenchmarkSettings, run_benchmark

    settings = BenchmarkSettings(data, out, None, labelled(ranker or []), encoder, limit, seed)
    engine = open_engine("local", EngineSettings(jobs))
    try:
        with resumable(), TerminalProgress() as progress:
            report = run_benchmark(settings, engine, progress, _command())
    finally:
        engine.close()
    _show(report)


def _show(report: "ExperimentReport | BenchmarkReport") -> None:
    """Write a report, and print what sums it up."""
    from rich.console import Console

    from linkspot.reporting.terminal import show

    page = report.write()
    show(report.summary, Console(highlight=False))
    say(f"The report is {page}")


def _list_experiments() -> None:
    from linkspot.experiments.catalogue import EXPERIMENTS

    for name, one in EXPERIMENTS.items():
        say(f"{name:28} {one.question}")


def _command() -> str:
    """Return what the user typed."""
    return shlex.join(["linkspot", *sys.argv[1:]])
