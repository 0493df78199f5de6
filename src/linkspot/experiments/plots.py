"""Plots of experiments: a bar for each variant and slice, or lines over the number of examples."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from linkspot.evaluation.comparison_plots import error_bars
from linkspot.evaluation.figures import Figure as MetricFigure
from linkspot.evaluation.figures import Figures, Metric
from linkspot.metrics.slices import MAIN_SLICES
from linkspot.reporting.cells import metric as written
from linkspot.reporting.drawing import BLUE, GREY, LINE_COLOURS, ORANGE, SKY, TICKS, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = dict(zip(MAIN_SLICES, (BLUE, SKY, ORANGE), strict=True))
_BAR_INCHES = 0.19

#: By the name of a line: the number of examples of each point, and the label of its variant.
Lines = Mapping[str, Sequence[tuple[int, str]]]


def slice_bars(figures: Figures, metric: Metric) -> "Figure":
    """Draw a bar for each ranker in each main slice, with its interval."""
    rankers = figures.rankers
    parts = {part: colour for part, colour in _COLOURS.items() if len(figures.queries(part))}
    figure = new_figure(7.2, 1.6 + (len(parts) * _BAR_INCHES + 0.12) * len(rankers), f"{metric} by variant")
    axes = figure.add_subplot()
    height = 0.84 / max(1, len(parts))
    for number, (part, colour) in enumerate(parts.items()):
        by_row = {row: result for row, ranker in enumerate(rankers) if (result := figures.figure(ranker, metric, part))}
        heights = [row - 0.42 + (number + 0.5) * height for row in by_row]
        values = [result.value for result in by_row.values()]
        intervals = error_bars(list(by_row.values()))
        label = f"{part.name} ({len(figures.queries(part)):,})"
        style = {"elinewidth": 0.8, "ecolor": "#333333"}
        axes.barh(heights, values, 0.92 * height, color=colour, label=label, xerr=intervals, error_kw=style)
    axes.set_yticks(range(len(rankers)), rankers)
    axes.set_ylim(len(rankers) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, 1)
    axes.set_xticks(TICKS, map(written, TICKS))
    axes.grid(axis="x", color=GREY, alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel(f"{metric}, macro over languages, with 95 % intervals")
    figure.legend(loc="outside lower center", ncols=len(MAIN_SLICES), frameon=False, fontsize=9)
    return figure


def size_curves(figures: Figures, lines: Lines, metric: Metric, anchors: Sequence[str]) -> "Figure":
    """Draw a panel for each main slice: lines over the number of examples, and the level of untrained rankers."""
    figure = new_figure(10.2, 4.4, f"{metric} by the number of examples")
    panels = figure.subplots(1, len(MAIN_SLICES), sharey=True)
    for axes, part in zip(panels, MAIN_SLICES, strict=True):
        for number, (name, points) in enumerate(lines.items()):
            by_size = {size: result for size, label in points if (result := figures.figure(label, metric, part))}
            results = list(by_size.values())
            values = [result.value for result in results]
            style = {"color": LINE_COLOURS[number], "marker": "o", "markersize": 4, "linewidth": 1.4}
            axes.errorbar(list(by_size), values, error_bars(results), label=name, elinewidth=0.8, **style)
        _draw_anchors(axes, {ranker: figures.figure(ranker, metric, part) for ranker in anchors})
        axes.set_title(f"{part.name}\n{len(figures.queries(part)):,} queries", fontsize=10)
        _set_sizes(axes, sorted({size for points in lines.values() for size, _label in points}))
    panels[0].set_ylabel(f"{metric}, macro over languages")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False, fontsize=9)
    return figure


def _draw_anchors(axes: "Axes", anchors: Mapping[str, MetricFigure | None]) -> None:
    for dashes, (ranker, figure) in zip(((0, (1, 1)), (0, (4, 2)), (0, (6, 1, 1, 1))), anchors.items(), strict=False):
        if figure:
            axes.axhline(figure.value, color=GREY, linestyle=dashes, linewidth=1.1, label=ranker)


def _set_sizes(axes: "Axes", sizes: Sequence[int]) -> None:
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes], fontsize=8)
    axes.minorticks_off()
    axes.set_xlabel("examples")
    axes.set_ylim(0, 1)
