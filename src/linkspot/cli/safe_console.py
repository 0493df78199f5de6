"""The console of every command: whatever is printed there, only linkspot's own styles command the terminal."""

import os
from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType, RenderHook
from rich.segment import Segment
from rich.style import Style

from linkspot.text.display import displayed

_WIDER_THAN_ANY_LINE = 10_000_000  # characters: as many as the largest page has


def safe_console(**settings: Any) -> Console:
    """Return a console with these settings of rich that shows control characters and turns of direction as escapes."""
    console = Console(**settings)
    console.push_render_hook(_SafeText())
    return console


def unwrapped_console(**settings: Any) -> Console:
    """Return a safe console that wraps lines only for a terminal, or where COLUMNS says how wide the output is."""
    console = safe_console(**settings)
    if not console.is_terminal and not os.environ.get("COLUMNS"):
        console.width = _WIDER_THAN_ANY_LINE
    return console


class _SafeText(RenderHook):
    """Has everything that is printed go through `_Displayed`."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Displayed(renderable) for renderable in renderables]


class _Displayed:
    """What rich is about to print, with its text made safe; the codes of its styles are not made yet."""

    def __init__(self, renderable: RenderableType) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for text, style, control in console.render(self._renderable, options):
            if control:
                yield Segment(text, style, control)
            else:
                yield Segment(displayed(text, is_one_line=False), _safe_style(style))


def _safe_style(style: Style | None) -> Style | None:
    """Return the style; a terminal would also obey the address of a link."""
    if style is None or not style.link or displayed(style.link) == style.link:
        return style
    return style.update_link(displayed(style.link))
