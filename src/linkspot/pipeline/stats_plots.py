"""The plots of `linkspot stats`, as PNG and SVG: the same statistics give the same files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.metrics.slices import words
from linkspot.pipeline.stats_counts import CandidateCounts, Command, LanguageCounts, Statistics
from linkspot.records import Scenario
from linkspot.reporting.drawing import (
    BLUE,
    GREY,
    LIGHT_GREY,
    LINE_COLOURS,
    ORANGE,
    ROW_INCHES,
    VERMILION,
    YELLOW,
    draw_all,
    new_figure,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Cold if the words were there, warmer the more was missing, grey if no place is right.
SCENARIO_COLOURS = {
    Scenario.TEXT_PRESENT: BLUE,
    Scenario.MISSING_MENTION: YELLOW,
    Scenario.MISSING_SENTENCE: ORANGE,
    Scenario.MISSING_SPAN: VERMILION,
    Scenario.MISSING_SECTION: "#BBBBBB",
}
_DARK = {BLUE, VERMILION}  # these get white labels, the others black ones
_THIN = 1.0  # the width of a language's line that is one of many


def draw(statistics: Statistics, out: Path) -> tuple[str, ...]:
    """Draw the plots that have data as NAME.png and NAME.svg, and return their names."""
    return draw_all({name: partial(plot, statistics) for name, plot in _PLOTS.items()}, out)


def _scenarios(statistics: Statistics) -> "Figure | None":
    """Draw shares as bars with counts in them: micro and macro, then the languages by their number of insertions."""
    languages = sorted((counts for counts in statistics.scenarios if counts.total), key=lambda counts: -counts.total)
    if not languages:
        return None
    micro = statistics.micro
    rows = [("micro", micro.shares, micro), ("macro", statistics.macro, None)]
    rows += [(counts.language, counts.shares, counts) for counts in languages]
    heights = [0.0, 1.0, *(2.5 + number for number in range(len(languages)))]
    figure = new_figure(9, 1.7 + ROW_INCHES * len(rows), "What pages lacked before links were inserted")
    axes = figure.add_subplot()
    lefts = [0.0] * len(rows)
    for scenario, colour in SCENARIO_COLOURS.items():
        widths = [shares[scenario] for _name, shares, _counts in rows]
        bars = axes.barh(heights, widths, 0.82, lefts, color=colour, edgecolor="white", label=words(scenario))
        labels = [
            f"{counts.counts[scenario]:,}" if counts else f"{shares[scenario]:.0%}" for _name, shares, counts in rows
        ]
        fitting = [text if width > 0.012 * len(text) else "" for text, width in zip(labels, widths, strict=True)]
        tone = "white" if colour in _DARK else "black"
        axes.bar_label(bars, fitting, label_type="center", fontsize=8.5, color=tone)
        lefts = [left + width for left, width in zip(lefts, widths, strict=True)]
    for height, (_name, _shares, counts) in zip(heights, rows, strict=True):
        axes.text(1.012, height, f"{counts.total:,}" if counts else "mean", va="center", fontsize=9)
    axes.set_yticks(heights, [name for name, *_rest in rows])
    axes.set_ylim(max(heights) + 0.6, -0.6)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(lambda share, _position: f"{share:.0%}")
    axes.set_xlabel("share of insertions; their number in the bars and on the right")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(Scenario), frameon=False, handlelength=1.2)
    return figure


def _candidates(statistics: Statistics) -> "Figure | None":
    """Draw the share of pages with n candidates or more, in one panel for articles and one for edited pages."""
    sources = [
        source
        for source in Command
        if statistics.candidates_of(source) and statistics.all_candidates_of(source).quantile(100) > 0
    ]
    if not sources:
        return None
    figure = new_figure(6.4 * len(sources), 5.0, "Candidates on a page")
    panels = figure.subplots(1, len(sources), squeeze=False)[0]
    for axes, source in zip(panels, sources, strict=True):
        _ccdf(axes, statistics.candidates_of(source), statistics.all_candidates_of(source))
        axes.set_title("articles" if source is Command.INDEX else "pages just before an insertion", fontsize=11)
        axes.set_xlabel("n candidates (sentences)")
        axes.set_ylabel("share of pages with n candidates or more")
    return figure


def _ccdf(axes: "Axes", languages: Sequence[CandidateCounts], together: CandidateCounts) -> None:
    """Draw a line for each language: the largest in colour, the others grey, all languages together in black."""
    by_size = sorted(languages, key=lambda counts: -counts.pages)
    others = by_size[len(LINE_COLOURS) :]
    if len(languages) > 1:
        _line(axes, together, "black", 2.2, f"all languages, median {together.quantile(50):,}")
    for counts, colour in zip(by_size, LINE_COLOURS, strict=False):
        _line(axes, counts, colour, 1.5, f"{counts.language}, median {counts.quantile(50):,}")
    for counts in others:
        _line(axes, counts, LIGHT_GREY, _THIN, f"{len(others)} other languages" if counts is others[0] else "")
    axes.axhline(0.5, color=GREY, linewidth=0.8, linestyle=":", zorder=0)
    axes.loglog()
    axes.set_xlim(1, max(10, 1.3 * together.quantile(100)))
    axes.set_ylim(min(0.1, 0.7 / together.pages), 1.25)
    axes.xaxis.set_major_formatter(lambda number, _position: f"{number:,.0f}")
    axes.yaxis.set_major_formatter(lambda share, _position: f"{share:.6%}".rstrip("0%").rstrip(".") + "%")
    axes.legend(loc="lower left", frameon=False, fontsize=9)


def _line(axes: "Axes", counts: CandidateCounts, colour: str, width: float, label: str) -> None:
    """Draw the share of pages with n candidates or more, and a dot at the median; a log scale begins at n = 1."""
    points = {candidates: share for candidates, share in counts.ccdf() if candidates > 0}
    if not points:
        return
    numbers, shares = [1, *points], [max(points.values()), *points.values()]
    name = f"line-{counts.language}"
    axes.step(numbers, shares, color=colour, linewidth=width, zorder=2 + width, label=label, gid=name)
    median = counts.quantile(50)
    if median in points and width > _THIN:
        axes.plot(median, points[median], "o", color=colour, markeredgecolor="white", markersize=7, zorder=6)


def _languages(statistics: Statistics) -> "Figure | None":
    """Draw a panel for each number, with a bar for each language, the largest language on top."""
    panels = [panel for panel in _PANELS if statistics.holds(panel.source)]
    languages = sorted(statistics.languages, key=lambda counts: (-counts.articles, -counts.insertions))
    if not languages:
        return None
    names = [counts.language for counts in languages]
    figure = new_figure(1.2 + 2.6 * len(panels), 1.3 + ROW_INCHES * len(names), "Pages and links by language")
    columns = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, panel in zip(columns, panels, strict=True):
        values = [panel.value(counts) for counts in languages]
        lengths = [value or 0 for value in values]
        bars = axes.barh(names, lengths, 0.75, color=BLUE)
        axes.bar_label(bars, ["–" if value is None else panel.text.format(value) for value in values], padding=3)
        axes.set_xlim(0, 1.4 * max(lengths) or 1)  # room for the numbers
        axes.set_xlabel(panel.name)
        axes.xaxis.set_label_position("top")
        axes.set_xticks([])
        axes.tick_params(axis="y", length=0)
        axes.spines["bottom"].set_visible(False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    return figure


@dataclass(frozen=True, slots=True)
class _Panel:
    """One number of every language: its name, the command that it comes from, and how it is written."""

    name: str
    source: Command
    value: Callable[[LanguageCounts], float | None]
    text: str = "{:,}"


_PANELS = (
    _Panel("articles", Command.INDEX, lambda counts: counts.articles),
    _Panel("existing links", Command.INDEX, lambda counts: counts.links),
    _Panel("links per article", Command.INDEX, lambda counts: counts.links_per_article, "{:.1f}"),
    _Panel("added links", Command.INSERTIONS, lambda counts: counts.insertions),
)
_PLOTS: dict[str, Callable[[Statistics], "Figure | None"]] = {
    "languages": _languages,
    "scenarios": _scenarios,
    "candidates": _candidates,
}
