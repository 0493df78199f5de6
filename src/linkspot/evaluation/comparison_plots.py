"""Plots that compare rankers: by language and scenario, by page length and mentions, and their reliability."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from linkspot.evaluation.curves import Point
from linkspot.evaluation.figures import Figure as MetricFigure
from linkspot.evaluation.figures import Figures, Metric
from linkspot.metrics.averages import Average
from linkspot.metrics.calibration import Reliabilities, Reliability
from linkspot.metrics.slices import OVERALL, SCENARIO_SLICES
from linkspot.reporting.cells import metric as written
from linkspot.reporting.drawing import GREY, LINE_COLOURS, ROW_INCHES, TICKS, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DASHES = ("-", "--", ":")  # of the first six lines, of the next six, and so on
_HATCHES = ("", "////", "....")
_BAR_INCHES = 0.12
_CHANCE = "chance"
_DODGE = 0.05  # the distance between the lines of two rankers, so that their intervals do not overlap


def language_plot(figures: Figures, metric: Metric) -> "Figure | None":
    """Draw a panel for each scenario, in it all rankers' bars for each language, that with most queries on top."""
    parts = [part for part in SCENARIO_SLICES if len(figures.queries(part))]
    if not parts:
        return None
    rankers = figures.rankers
    languages = sorted(figures.languages(OVERALL), key=lambda language: -len(figures.queries(OVERALL, language)))
    rows = [Average.MACRO, *languages]
    labels = [Average.MACRO, *(f"{language} ({len(figures.queries(OVERALL, language)):,})" for language in languages)]
    inches = max(ROW_INCHES, _BAR_INCHES * len(rankers) + 0.1)
    width = 1.2 + 2.4 * len(parts)
    height = 1.5 + inches * len(rows) + _legend_inches(rankers, width)
    figure = new_figure(width, height, f"{metric} by language and scenario")
    panels = figure.subplots(1, len(parts), sharey=True, squeeze=False)[0]
    for axes, part in zip(panels, parts, strict=True):
        for number, ranker in enumerate(rankers):
            values = [figures.figure(ranker, metric, part, row) for row in rows]
            _bars(axes, number, len(rankers), values, ranker)
        for row in (row for row, of in enumerate(rows) if not len(figures.queries(part, of))):
            axes.text(0.02, row, "no queries", color=GREY, fontsize=8, va="center")
        axes.set_title(f"{part.name}\n{len(figures.queries(part)):,} queries", fontsize=10)
        axes.set_xlim(0, 1)
        axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS], fontsize=8)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", color=GREY, alpha=0.25, linewidth=0.6)
        axes.axhline(0.5, color=GREY, linewidth=0.6)  # between the mean and the languages
    panels[0].set_yticks(range(len(rows)), labels)
    panels[0].set_ylim(len(rows) - 0.5, -0.5)
    _legend(figure, panels[0], rankers)
    return figure


def _bars(axes: "Axes", number: int, count: int, values: Sequence[MetricFigure | None], label: str) -> None:
    """Draw one ranker's bar in each row, with its interval; a language without queries of this kind has none."""
    height = 0.8 / count
    rows = [row for row, figure in enumerate(values) if figure]
    shown = [figure for figure in values if figure]
    heights = [row - 0.4 + (number + 0.5) * height for row in rows]
    axes.barh(
        heights,
        [figure.value for figure in shown],
        height,
        color=_colour(number),
        hatch=_cycled(_HATCHES, number),
        edgecolor="white",
        linewidth=0.3,
        label=label,
        xerr=error_bars(shown),
        error_kw={"elinewidth": 0.7, "ecolor": "#333333"},
    )


def curve_plot(points: Sequence[Point], metrics: Sequence[Metric], rankers: Sequence[str], of: str) -> "Figure | None":
    """Draw a panel for each metric, with a line for each ranker over the ranges of a number, and one for chance."""
    if not points:
        return None
    names, width = [*rankers, _CHANCE], max(4.8, 1.2 + 0.6 * len(points)) * len(metrics)
    figure = new_figure(width, 4.4 + _legend_inches(names, width), f"Rankers by {of}")
    panels = figure.subplots(1, len(metrics), squeeze=False)[0]
    for axes, metric in zip(panels, metrics, strict=True):
        for number, ranker in enumerate(rankers):
            values = [point.figures[ranker, metric] for point in points]
            shift = (number - (len(rankers) - 1) / 2) * _DODGE
            positions = [position + shift for position in range(len(points))]
            means = [figure.value for figure in values]
            axes.errorbar(positions, means, error_bars(values), label=ranker, **_line(number), elinewidth=0.8)
        if all(metric in point.chance for point in points):
            chance = [point.chance[metric] for point in points]
            axes.plot(chance, color=GREY, linestyle=(0, (1, 1)), label=_CHANCE)
        axes.set_xticks(range(len(points)), [f"{point.name}\n{point.queries:,}" for point in points], fontsize=7.5)
        axes.set_xlabel(f"{of}; below, the number of queries")
        axes.set_ylabel(metric)
        axes.set_ylim(0, 1)
    _legend(figure, panels[0], names)
    return figure


def calibration_plot(reliabilities: Reliabilities, rankers: Sequence[str]) -> "Figure | None":
    """Draw what rankers said against how often it was right: of their best places, and of *nowhere*."""
    if not reliabilities:
        return None
    title = "How reliable probabilities are (scores that are logits against nowhere)"
    figure = new_figure(10.4, 5.6 + 0.2 * len(reliabilities), title)
    panels = figure.subplots(1, 2)
    for axes, name, which in zip(panels, ("the best place is right", "no place is right"), (0, 1), strict=True):
        axes.plot([0, 1], [0, 1], color=GREY, linestyle=(0, (1, 1)), linewidth=1)
        for ranker, both in reliabilities.items():
            _reliability(axes, both[which], rankers.index(ranker), ranker)
        axes.set_xlabel(f"probability that {name}")
        axes.set_ylabel(f"share of queries where {name}")
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.11), frameon=False, fontsize=9)
    return figure


def _reliability(axes: "Axes", reliability: Reliability, number: int, ranker: str) -> None:
    """Draw a dot for each bin, the larger the more queries are in it."""
    bins = reliability.bins
    said, right = [part.said for part in bins], [part.right for part in bins]
    sizes = [12 + 250 * part.queries / reliability.queries for part in bins]
    line = {name: value for name, value in _line(number).items() if not name.startswith("marker")}
    axes.plot(said, right, label=f"{ranker}, ECE {written(reliability.error)}", **line)
    axes.scatter(said, right, sizes, color=_colour(number), alpha=0.6, linewidth=0, clip_on=False)


def error_bars(figures: Sequence[MetricFigure]) -> list[list[float]]:
    """Return how far the intervals of figures reach below and above them."""
    below = [max(0.0, figure.value - figure.interval.low) for figure in figures]
    return [below, [max(0.0, figure.interval.high - figure.value) for figure in figures]]


def _line(number: int) -> dict[str, Any]:
    return {
        "color": _colour(number),
        "linestyle": _cycled(_DASHES, number),
        "linewidth": 1.4,
        "marker": "o",
        "markersize": 4,
        "clip_on": False,  # a dot at 0 is whole
    }


def _colour(number: int) -> str:
    return LINE_COLOURS[number % len(LINE_COLOURS)]


def _cycled(choices: Sequence[str], number: int) -> str:
    """Return what tells rankers of one colour apart."""
    return choices[number // len(LINE_COLOURS) % len(choices)]


def _legend(figure: "Figure", axes: "Axes", names: Sequence[str]) -> None:
    handles = dict(zip(*axes.get_legend_handles_labels()[::-1], strict=True))
    shown = [name for name in names if name in handles]
    columns = _legend_columns(shown, figure.get_figwidth())
    figure.legend(
        [handles[name] for name in shown], shown, loc="outside lower center", ncols=columns, frameon=False, fontsize=9
    )


def _legend_columns(names: Sequence[str], width: float) -> int:
    """Return how many names, each behind a sample of its line, stand side by side in so many inches."""
    return max(1, min(len(names), int(width / (0.7 + 0.075 * max(map(len, names))))))


def _legend_inches(names: Sequence[str], width: float) -> float:
    return 0.2 * -(-len(names) // _legend_columns(names, width))
