"""The apostrophes that make bold and italics in wikitext, as opposed to those that are text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from linkspot.parsing.prose import Mark, Prose
from linkspot.source_map import Span

_RUN = re.compile(r"'{2,}")
_ITALIC, _BOLD, _BOTH = 2, 3, 5  # how many apostrophes


@dataclass(frozen=True, slots=True)
class QuoteRun:
    """Apostrophes side by side: how many of them are text, how many are style, and in which line they are."""

    start: int
    literal: int
    style: int
    line: int


def quote_runs(markup: str, offset: int) -> dict[int, QuoteRun]:
    """Return the runs of two apostrophes and more, by their position, which counts from the offset."""
    runs = []
    line = position = 0
    for match in _RUN.finditer(markup):
        line += markup.count("\n", position, match.start())
        position = match.start()
        style = min(len(match.group()), _BOTH)
        style = _BOLD if style == _BOLD + 1 else style
        runs.append(QuoteRun(position, len(match.group()) - style, style, line))
    corrected = (_corrected(list(of_line), markup) for _, of_line in groupby(runs, key=lambda run: run.line))
    return {
        offset + run.start: QuoteRun(offset + run.start, run.literal, run.style, run.line)
        for of_line in corrected
        for run in of_line
    }


def _corrected(runs: list[QuoteRun], markup: str) -> list[QuoteRun]:
    """Read one ''' of the line as an apostrophe and '' if neither bold nor italics come in pairs.

    MediaWiki does so for French: l'''Étranger'' is l' and a title in italics.
    """
    is_even = [sum(run.style in {style, _BOTH} for run in runs) % 2 == 0 for style in (_ITALIC, _BOLD)]
    bold = [index for index, run in enumerate(runs) if run.style == _BOLD]
    if any(is_even) or not bold:
        return runs
    index = min(bold, key=lambda index: _rank(markup[max(0, runs[index].start - 2) : runs[index].start]))
    run = runs[index]
    return [*runs[:index], QuoteRun(run.start, run.literal + 1, _ITALIC, run.line), *runs[index + 1 :]]


def _rank(before: str) -> int:
    """Return 0 after a word of one letter, which an apostrophe follows best, 1 after a longer one, 2 after a space."""
    if before[-1:] in {"", " "}:
        return 2
    return 0 if before[:-1] in {"", " "} else 1


@dataclass(slots=True)
class _QuoteOpening:
    """Apostrophes that are not closed yet, and the styles that they begin."""

    mark: Mark
    start: int
    length: int
    line: int
    styles: set[int]


class Quotes:
    """Pairs the apostrophes of one text or link's label; bold and italics end with their line."""

    def __init__(self, prose: Prose, runs: Mapping[int, QuoteRun]) -> None:
        self._prose = prose
        self._runs = runs
        self._opened: list[_QuoteOpening] = []

    def read(self, start: int) -> None:
        """Read the run at this position: write its apostrophes that are text, open and close styles with the rest."""
        run = self._runs.get(start)
        if run is None:  # cut in two by a bare address before it
            return
        position = start + run.literal
        if run.literal:
            self._prose.write("'" * run.literal, start, position)
        styles = {_ITALIC, _BOLD} if run.style == _BOTH else {run.style}
        self._opened = [opening for opening in self._opened if opening.line == run.line]
        for opening in reversed(self._opened):
            for style in sorted(opening.styles & styles):
                self._close(opening, style, position)
                position += style
                styles.discard(style)
        self._opened = [opening for opening in self._opened if opening.styles]
        if styles:
            self._opened.append(_QuoteOpening(self._prose.mark(), position, sum(styles), run.line, styles))

    def _close(self, opening: _QuoteOpening, style: int, position: int) -> None:
        # Of five apostrophes the last ones belong to the style that is closed first.
        inner_start = opening.start + opening.length
        opening.length -= style
        opening.styles.discard(style)
        self._prose.element(opening.mark, Span(inner_start - style, position + style), Span(inner_start, position))
