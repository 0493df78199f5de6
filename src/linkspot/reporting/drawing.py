"""Drawing: what every plot has in common. A plot is a PNG and an SVG, and the same data give the same files."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.extras import Extra, require
from linkspot.files import unfinished

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which people with any colour vision can tell apart.
BLUE, ORANGE, GREEN, VERMILION, SKY, PURPLE, YELLOW = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#56B4E9",
    "#CC79A7",
    "#F0E442",
)
LINE_COLOURS = (BLUE, ORANGE, GREEN, VERMILION, SKY, PURPLE)  # yellow lines are hard to see on white
GREY, LIGHT_GREY = "#888888", "#C4C4C4"
ROW_INCHES = 0.28  # the height of a row with a name and a bar
TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]  # of an axis for metrics
ENDINGS = ("png", "svg")
_DOTS_PER_INCH = 150
_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.fonttype": "none",  # text stays text, which can be searched and read aloud
    "svg.hashsalt": "linkspot",  # without it, the ids in the file are random
}


def draw_all(plots: Mapping[str, "Callable[[], Figure | None]"], out: Path) -> tuple[str, ...]:
    """Draw the plots that have data as NAME.png and NAME.svg, and return their names."""
    names = []
    with _style():
        for name, plot in plots.items():
            figure = plot()
            if figure is not None:
                names.append(name)
            for ending in ENDINGS:
                _save(figure, out / f"{name}.{ending}", ending)
    return tuple(names)


def new_figure(width: float, height: float, title: str) -> "Figure":
    """Return an empty figure; width and height are in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)  # draws into memory: no window, and no list of open figures
    figure.suptitle(title, fontsize=13)
    return figure


@contextmanager
def _style() -> Iterator[None]:
    require(Extra.PLOTS, "drawing plots (not the tables)")
    from matplotlib import style

    with style.context(["default", _STYLE]):  # whatever a user's own settings are
        yield


def _save(figure: "Figure | None", path: Path, ending: str) -> None:
    if figure is None:
        path.unlink(missing_ok=True)  # an earlier run drew it from other data
        return
    with unfinished(path) as temporary:
        metadata = {"Date": None} if ending == "svg" else None
        figure.savefig(temporary, format=ending, dpi=_DOTS_PER_INCH, metadata=metadata)
