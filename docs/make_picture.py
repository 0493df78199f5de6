"""Draws docs/answer.svg, the picture of an answer in the README, from the first two sample pages."""

import io
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from linkspot import Entity, suggest
from linkspot.answers.samples import SAMPLES
from linkspot.answers.terminal import show

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


def main() -> None:
    """Write the picture."""
    console = Console(record=True, width=100, highlight=False, force_terminal=True, file=io.StringIO())
    page = SAMPLES[0].page()
    show(
        suggest(page, Entity("Kamal", "A small board on a string, for finding one's latitude.", ("kamal",)), top=1),
        console,
    )
    console.print()
    show(suggest(page, SAMPLES[0].target(), top=1), console)
    svg = console.export_svg(title="linkspot suggest Dhow.html …", theme=MONOKAI, code_format=_SVG, unique_id="answer")
    (Path(__file__).parent / "answer.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
