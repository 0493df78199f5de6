"""Draw the pictures of the documents: answers from the sample pages, bars from bench/RESULTS.md.

`python -m docs.make_pictures` writes docs/answer.svg, docs/web-answer.html, docs/benchmark.svg and, where Chromium is
installed, docs/web-answer.png.
"""

import io
import re
import shutil
import subprocess
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from linkspot import Answer, Entity, Markup, Page, suggest
from linkspot.answers.samples import SAMPLES
from linkspot.answers.terminal import show

DOCS = Path(__file__).parent
RESULTS = DOCS.parent / "bench" / "RESULTS.md"

# As rich draws it, but with the reader's own fonts: a picture fetches nothing.
_SVG = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: {char_height}px;
  line-height: {line_height}px; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""

# A line of the benchmark's table by language: | macro | 1,025 | BM25 | .258 | .400 | .555 | .685 | .183 | .331 |
_MACRO = re.compile(r"^\| macro \| [\d,]+ \| ([^|]+) \| (.+) \|$", re.MULTILINE)
_SLICES = ("all", "words were present", "words were missing")


def answers() -> list[Answer]:
    """Return two answers for the first sample page: words that can be linked, and a target without words there."""
    page = SAMPLES[0].page()
    kamal = Entity("Kamal", "A small board on a string, for finding one's latitude.", ("kamal",))
    return [suggest(page, kamal, top=1), suggest(page, SAMPLES[0].target(), top=1)]


def tutorial_answer() -> Answer:
    """Return the first answer of the tutorial for editors."""
    tutorial = (DOCS / "tutorials" / "editor.md").read_text(encoding="utf-8")
    text = tutorial.partition("<<'END'\n")[2].partition("END\n")[0]
    clove = Entity("Clove", "Cloves are the dried flower buds of a tree, used as a spice.")
    return suggest(Page("Stone Town", text, Markup.WIKITEXT, "en"), clove, top=3)


def draw_terminal(shown: list[Answer], path: Path) -> None:
    """Draw answers as a terminal shows them."""
    console = Console(record=True, width=100, highlight=False, force_terminal=True, file=io.StringIO())
    for number, answer in enumerate(shown):
        if number:
            console.print()
        show(answer, console)
    svg = console.export_svg(title="linkspot suggest Dhow.html …", theme=MONOKAI, code_format=_SVG, unique_id="answer")
    path.write_text(svg, encoding="utf-8")


def draw_browser(page: Path, picture: Path) -> None:
    """Take a picture of a page in Chromium, if it is installed."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser:
        flags = ["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1000,640", "--disable-gpu"]
        subprocess.run([browser, *flags, f"--screenshot={picture}", page.as_uri()], check=True, capture_output=True)


def benchmark() -> dict[str, list[float]]:
    """Return Hits@1 over all, Present and Missing of each ranker, macro over languages, as the results have it."""
    return {
        ranker: [float(cell.strip(" *")) for cell in cells.split("|")][::2]
        for ranker, cells in _MACRO.findall(RESULTS.read_text(encoding="utf-8"))
    }


def draw_benchmark(figures: dict[str, list[float]], path: Path) -> None:
    """Draw a group of bars for each slice."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "linkspot"  # the same figures make the same file
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 3.4), layout="constrained")
    width = 0.8 / len(figures)
    shades = ["#cfd8dc", "#b0bec5", "#90a4ae", "#607d8b", "#4db6ac", "#00796b"]
    for number, (ranker, values) in enumerate(figures.items()):
        places = [slot + number * width for slot in range(len(_SLICES))]
        bars = axes.bar(places, values, width * 0.92, label=ranker, color=shades[number % len(shades)])
        axes.bar_label(bars, [f"{value:.2f}".lstrip("0") for value in values], fontsize=7, padding=1)
    axes.set_xticks([slot + 0.4 - width / 2 for slot in range(len(_SLICES))], _SLICES)
    axes.set_ylabel("Hits@1, macro")
    axes.set_ylim(0, 1)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(ncols=3, fontsize=8, frameon=False, loc="upper right")
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Write all pictures."""
    shown = answers()
    draw_terminal(shown, DOCS / "answer.svg")
    (DOCS / "web-answer.html").write_text(tutorial_answer().to_html(), encoding="utf-8")
    draw_browser(DOCS / "web-answer.html", DOCS / "web-answer.png")
    draw_benchmark(benchmark(), DOCS / "benchmark.svg")


if __name__ == "__main__":
    main()
