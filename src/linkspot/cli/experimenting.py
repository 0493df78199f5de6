"""Commands that train, test and report in one go: experiment, benchmark."""

import os
import shlex
import sys
from typing import TYPE_CHECKING

from linkspot.cli.evaluating import labelled
from linkspot.cli.evaluation_options import (
    BenchmarkData,
    Budget,
    BudgetLimit,
    Encoders,
    ExperimentDataset,
    ExperimentName,
    FurtherRankers,
    OneLanguage,
    Part,
    ReportOut,
    SimilarityEncoder,
    Sizes,
)
from linkspot.cli.options import ALL_CORES, Jobs, QueryLimit, Seed
from linkspot.cli.output import say, say_names
from linkspot.cli.running import resumable
from linkspot.cli.values import names_in
from linkspot.errors import UnusableInput
from linkspot.extras import Extra, require

if TYPE_CHECKING:
    from linkspot.experiments.benchmark import BenchmarkReport
    from linkspot.experiments.report import ExperimentReport


def experiment(
    name: ExperimentName,
    dataset: ExperimentDataset = None,
    out: ReportOut = None,
    budget: Budget = "small",
    seed: Seed = 0,
    limit: BudgetLimit = None,
    encoder: Encoders = None,
    part: Part = "",
    language: OneLanguage = "",
    sizes: Sizes = "",
    ranker: FurtherRankers = None,
) -> None:
    """Run one of the paper's experiments on your data: train the models, rank, and write a report.

    Example: linkspot experiment stages --dataset nlwiki-dataset --out stages
    """
    if name == "?":
        _list_experiments()
        return
    require(Extra.TRAIN, "linkspot experiment")
    from linkspot.experiments.budgets import budget_of
    from linkspot.experiments.catalogue import experiment_of

    experiment_of(name)  # unknown names are reported before torch is loaded
    budget_of(budget)
    if dataset is None or out is None:
        raise UnusableInput("an experiment needs --dataset DATASET and --out FOLDER")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    from linkspot.cli.progress import TerminalProgress
    from linkspot.engines.engine import EngineSettings, open_engine
    from linkspot.experiments.report import ExperimentReport
    from linkspot.experiments.run import ExperimentSettings, run_experiment

    settings = ExperimentSettings(
        name,
        dataset,
        out,
        budget,
        seed,
        limit,
        tuple(encoder or ()),
        names_in(part),
        language,
        _sizes(sizes),
        labelled(ranker or []),
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
    data: BenchmarkData = None,
    out: ReportOut = None,
    ranker: FurtherRankers = None,
    encoder: SimilarityEncoder = "",
    limit: QueryLimit = 0,
    seed: Seed = 0,
    jobs: Jobs = ALL_CORES,
) -> None:
    """Measure rankers on the wikis that linkspot is tested on: find their insertions, rank, and write a report.

    Example: linkspot benchmark --data data --out benchmark --ranker my-model
    """
    if data is None or out is None:
        raise UnusableInput("the benchmark needs --data FOLDER (or LINKSPOT_DATA) with the wikis, and --out FOLDER")
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
    from linkspot.cli.safe_console import safe_console
    from linkspot.reporting.terminal import show

    page = report.write()
    show(report.summary, safe_console(highlight=False))
    say(f"The report is {page}")


def _sizes(text: str) -> tuple[int, ...]:
    """Return the numbers of examples that a user names, the smallest first."""
    names = [name.replace("_", "") for name in names_in(text)]
    wrong = [name for name in names if not (name.isascii() and name.isdigit() and int(name))]
    if wrong:
        raise UnusableInput(f"--sizes names {wrong[0]!r}; write whole numbers from 1, like 1000,10000")
    return tuple(sorted(set(map(int, names))))


def _list_experiments() -> None:
    from linkspot.experiments.catalogue import EXPERIMENTS

    say_names({name: experiment.question for name, experiment in EXPERIMENTS.items()})


def _command() -> str:
    """Return what the user typed."""
    return shlex.join(["linkspot", *sys.argv[1:]])
