"""Draw the pictures of the documents: answers from the sample pages, bars from bench/RESULTS.md.

`python -m docs.make_pictures` writes docs/answer.svg, docs/web-answer.html, docs/benchmark.svg and, where Chromium is
installed, docs/web-answer.png and its relatives. These need fonts for Arabic and Japanese, such as those of Debian's
packages fonts-noto-core and fonts-noto-cjk.
"""

import io
import re
import tempfile
from pathlib import Path
from typing import Literal, NamedTuple

from docs.browser import is_installed, open_browser
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

_COLOURS = 96  # in a picture of a web page, so that it stays small
_ARABIC = """\
'''المدينة الحجرية''' هي الجزء القديم من [[مدينة زنجبار]]، وتقع على الساحل الغربي لجزيرة [[أنغوجا]].
بنيت بيوتها من [[الحجر المرجاني]] والجير. أزقتها ضيقة جدا فلا تمر فيها السيارات.

== التاريخ ==
بدأت المدينة قرية صغيرة للصيادين. وفي [[القرن التاسع عشر]] نقل السلطان بلاطه إليها من [[مسقط]].
وشجع ملاك الأراضي على غرس أشجار التوابل، فكان محصولها يباع في أنحاء العالم.
أدرجتها UNESCO في قائمة [[التراث العالمي]] سنة 2000.

== السياحة ==
يزور كثير من السياح سوق [[داراجاني]] وحدائق [[فوروداني]].
وفي المساء يبيع الطهاة السمك المشوي و[[أخطبوط|الأخطبوط]].
وخارج المدينة يعرض المرشدون مزارع القرنفل والقرفة والفانيليا.

== وصلات خارجية ==
* [https://whc.unesco.org/ar/list/173 صفحة المدينة في قائمة التراث العالمي].
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


def arabic_answer() -> Answer:
    """Return an answer for a page that is written from right to left, with a section that takes no link."""
    clove = Entity("قرنفل", "القرنفل براعم زهور مجففة لشجرة دائمة الخضرة، ويستعمل من التوابل.")
    return suggest(Page("المدينة الحجرية", _ARABIC, Markup.WIKITEXT, "ar"), clove)


def draw_terminal(shown: list[Answer], path: Path) -> None:
    """Draw answers as a terminal shows them."""
    console = Console(record=True, width=100, highlight=False, force_terminal=True, file=io.StringIO())
    for number, answer in enumerate(shown):
        if number:
            console.print()
        show(answer, console)
    svg = console.export_svg(title="linkspot suggest Dhow.html …", theme=MONOKAI, code_format=_SVG, unique_id="answer")
    path.write_text(svg, encoding="utf-8")


class Screenshot(NamedTuple):
    """A picture of an answer's web page, and the window that it is taken in."""

    name: str
    answer: Answer
    width: int
    height: int
    colours: Literal["light", "dark"] = "light"


def screenshots() -> list[Screenshot]:
    """Return the pictures of web pages: English, Arabic, Japanese in the dark, and Swahili on a phone."""
    swahili, japanese = (suggest(sample.page(), sample.target()) for sample in SAMPLES[1:])
    return [
        Screenshot("web-answer.png", tutorial_answer(), 1100, 700),
        Screenshot("web-answer-arabic.png", arabic_answer(), 1100, 700),
        Screenshot("web-answer-japanese.png", japanese, 1100, 700, "dark"),
        Screenshot("web-answer-phone.png", swahili, 390, 844),
    ]


def draw_browser(screenshot: Screenshot, folder: Path) -> None:
    """Take a picture of an answer in Chromium, if it is installed."""
    from PIL import Image

    if not is_installed():
        return
    with open_browser() as browser, tempfile.TemporaryDirectory() as name:
        file = Path(name) / "answer.html"
        file.write_text(screenshot.answer.to_html(), encoding="utf-8")
        window = {"width": screenshot.width, "height": screenshot.height}
        page = browser.new_page(viewport=window, color_scheme=screenshot.colours, reduced_motion="reduce")
        page.goto(file.as_uri())
        picture = Image.open(io.BytesIO(page.screenshot()))
    picture.quantize(_COLOURS).save(folder / screenshot.name, optimize=True)


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
    for screenshot in screenshots():
        draw_browser(screenshot, DOCS)
    draw_benchmark(benchmark(), DOCS / "benchmark.svg")


if __name__ == "__main__":
    main()
