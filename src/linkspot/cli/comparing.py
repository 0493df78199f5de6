"""The command that compares rankers: compare, and the table that evaluate ends with."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkspot.cli.evaluation_options import Against, ComparisonOut, Draws, MetricNames
from linkspot.cli.options import Seed
from linkspot.cli.output import say
from linkspot.errors import UnusableInput
from linkspot.extras import Extra, require

if TYPE_CHECKING:
    from rich.console import Console

    from linkspot.evaluation.figures import Metric
    from linkspot.evaluation.stored import Evaluation


def compare(
    folder: Annotated[
        Path, typer.Argument(metavar="RESULTS", help="A folder that 'linkspot evaluate' made.", show_default=False)
    ],
    out: ComparisonOut = None,
    against: Against = "",
    metric: MetricNames = None,
    draws: Draws = None,
    seed: Seed = 0,
) -> None:
    """Compare rankers on the queries that they all ranked: tables with significance, and plots.

    Example: linkspot compare results --against bm25
    """
    require(Extra.DATA, "linkspot compare")
    from linkspot.cli.progress import TerminalProgress
    from linkspot.cli.safe_console import safe_console
    from linkspot.evaluation.compare import FOLDER, ComparisonOptions, find
    from linkspot.evaluation.figures import MAIN_METRICS
    from linkspot.metrics.significance import DRAWS
    from linkspot.reporting.terminal import show

    metrics = tuple(dict.fromkeys(map(_metric_of, metric or MAIN_METRICS)))
    with TerminalProgress() as progress:
        report = find(folder, ComparisonOptions(against, metrics, draws or DRAWS, seed), progress)
    files = report.write(out or folder / FOLDER)
    console = safe_console(highlight=False)
    show(report.main, console)
    for note in report.notes:
        console.print(note, markup=False)
    say(f"In {files[0].parent}: {', '.join(path.name for path in files)}")


def show_table(evaluation: "Evaluation", console: "Console | None" = None) -> None:
    """Print the results of an evaluation: every metric in every slice, and how often rankers say *nowhere*."""
    from linkspot.cli.safe_console import safe_console
    from linkspot.evaluation.comparison_tables import given_as, left_out, nowhere_table, slice_table
    from linkspot.evaluation.figures import Figures
    from linkspot.metrics.slices import MAIN_SLICES, PRESENT, SCENARIO_SLICES
    from linkspot.reporting.terminal import show

    figures, target = Figures.of(evaluation), console or safe_console(highlight=False)
    parts = [*MAIN_SLICES, *(part for part in SCENARIO_SLICES if part.scenarios != PRESENT)]  # Present is a main slice
    show(slice_table(figures, parts), target)
    show(nowhere_table(figures), target)
    for note in filter(None, (given_as(evaluation), left_out(evaluation))):
        target.print(note, markup=False)


def _metric_of(name: str) -> "Metric":
    from linkspot.evaluation.figures import Metric

    for metric in Metric:
        if metric.lower() == name.lower():
            return metric
    raise UnusableInput(f"no metric is called {name!r}; there are: {', '.join(Metric)}")
