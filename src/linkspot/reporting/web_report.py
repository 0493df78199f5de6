"""A report as one self-contained HTML page, with the same tables in Markdown, LaTeX and CSV beside it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from itertools import groupby
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from linkspot.errors import MissingExtra
from linkspot.reporting.drawing import draw_all
from linkspot.reporting.report_files import plots_of, write_report
from linkspot.reporting.report_table import Column, ReportTable, Shown
from linkspot.text.display import html_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE, MARKDOWN = "report.html", "report.md"
_WIDE = 24  # characters; a cell with more may be wrapped
_LONG = 24  # rows; a table with more is folded away
_IDS = re.compile(r'(?<=\bid=")[^"]+(?=")|(?<=\bhref="#)[^"]+(?=")|(?<=url\(#)[^)]+(?=\))')


@dataclass(frozen=True)
class WebReport:
    """The content of a report: a title, opening paragraphs, tables, and plots by the names of their tables.

    `kicker` is the small line above the title. `warnings` are highlighted. `command` and `facts` say how the report was
    made.
    """

    title: str
    kicker: str
    paragraphs: tuple[str, ...]
    warnings: tuple[str, ...]
    tables: tuple[ReportTable, ...]
    command: str
    facts: Mapping[str, str]
    plots: "Mapping[str, Callable[[], Figure | None]]" = field(default_factory=dict)

    def write(self, out: Path) -> Path:
        """Write all files into a folder and return the path of the page; without matplotlib, the page says so."""
        texts = (f"{text}\n" for text in (*self.paragraphs, *self.warnings))
        opening = [f"# {self.title}\n", *texts, *self._how_it_was_made()]
        plots: tuple[str, ...] = ()
        why_no_plots = ""

        def draw(folder: Path) -> tuple[str, ...]:
            nonlocal plots, why_no_plots
            try:
                plots = draw_all(self.plots, folder)
            except MissingExtra as error:
                why_no_plots = str(error)
            return plots

        write_report(out / MARKDOWN, opening, self.tables, draw, has_latex=True)
        pictures = {name: (out / f"{name}.svg").read_text(encoding="utf-8") for name in plots}
        page = out / PAGE
        page.write_text(self._page(pictures, why_no_plots), encoding="utf-8")
        return page

    def _how_it_was_made(self) -> Iterator[str]:
        yield f"    {self.command}\n"
        yield "; ".join(f"{name}: {fact}" for name, fact in self.facts.items()) + ".\n"

    def _page(self, pictures: Mapping[str, str], why_no_plots: str) -> str:
        template = Template(resources.files("linkspot.reporting").joinpath("web_report.html").read_text("utf-8"))
        first, *others = [f"<p>{html_text(text)}</p>" for text in self.paragraphs] or [""]
        warning_texts = (*self.warnings, *filter(None, [why_no_plots]))
        warnings = [f'<p class="warning">{html_text(text)}</p>' for text in warning_texts]
        return template.substitute(
            title=html_text(self.title),
            kicker=html_text(self.kicker),
            opening="\n".join([first.replace("<p>", '<p class="asks">', 1), *others, *warnings]),
            sections="\n".join(
                _section(table, {name: pictures[name] for name in plots_of(table, pictures)})
                for table in self.tables
                if _is_shown(table)
            ),
            command=html_text(self.command),
            facts="\n".join(
                f"<dt>{html_text(name)}</dt><dd>{html_text(fact)}</dd>" for name, fact in self.facts.items()
            ),
        )


def _is_shown(table: ReportTable) -> bool:
    return table.is_in_page and bool(table.rows)


def _section(table: ReportTable, pictures: Mapping[str, str]) -> str:
    note = f'<p class="note">{html_text(table.note)}</p>' if table.note else ""
    figures = [
        f'<figure role="img" aria-label="{html_text(table.title)}">{_inline(picture, name)}</figure>'
        for name, picture in pictures.items()
    ]
    return "\n".join(
        [
            f'<section id="{html_text(table.name)}"><h2>{html_text(table.title)}</h2>',
            _folded(f'<div class="scroll"><table>{_head(table.columns)}{_body(table)}</table></div>', len(table.rows)),
            note,
            *figures,
            "</section>",
        ]
    )


def _folded(table: str, rows: int) -> str:
    """Hide a long table behind a line to click on."""
    return f"<details><summary>all {rows} rows</summary>{table}</details>" if rows > _LONG else table


def _head(columns: tuple[Column, ...]) -> str:
    names = "".join(f"<th scope=col{_classes(column)}>{html_text(column.name)}</th>" for column in columns)
    if not any(column.group for column in columns):
        return f"<thead><tr>{names}</tr></thead>"
    groups = ""
    for (group, is_aside), members in groupby(columns, key=lambda column: (column.group, column.is_aside)):
        kind = "group other" if is_aside else "group" if group else "blank"
        groups += f'<th class="{kind}" colspan={len(list(members))}>{html_text(group.removesuffix(":"))}</th>'
    return f"<thead><tr>{groups}</tr><tr>{names}</tr></thead>"


def _body(table: ReportTable) -> str:
    rows = (_row(table.columns, row.cells, row.repeated, row.begins_block) for row in table.shown())
    return f"<tbody>{''.join(rows)}</tbody>"


def _row(columns: tuple[Column, ...], cells: tuple[Shown, ...], repeated: int, begins_block: bool) -> str:
    tags = []
    for number, (column, cell) in enumerate(zip(columns, cells, strict=True)):
        text = (
            ""
            if number < repeated
            else html_text(cell.text) + (f"<sup>{html_text(cell.mark)}</sup>" if cell.mark else "")
        )
        tag = "th scope=row" if number == 0 else "td"
        wide = "wide" if not column.format and len(cell.text) > _WIDE else ""
        tags.append(f"<{tag}{_classes(column, wide, 'best' if cell.is_best else '')}>{text}</{tag.split()[0]}>")
    return f"<tr{' class=block' if begins_block else ''}>{''.join(tags)}</tr>"


def _classes(column: Column, *more: str) -> str:
    names = ["n" if column.format else "", "other" if column.is_aside else "", *more]
    joined = " ".join(filter(None, names))
    return f' class="{joined}"' if joined else ""


def _inline(picture: str, name: str) -> str:
    """Return an SVG that can stand in a page beside others: without prolog, and with ids of its own."""
    drawing = picture[picture.find("<svg") :]
    return _IDS.sub(lambda match: f"{name}-{match.group()}", drawing)
