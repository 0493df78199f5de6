"""Tables in LaTeX, for the package booktabs."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from linkspot.reporting.report_table import Column, ReportTable, Shown

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "<": "$<$",
    ">": "$>$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "−": "$-$",
    "–": "--",
    "†": r"$^{\dagger}$",
    "*": r"$^{*}$",
}
_LETTERS = re.compile("[" + re.escape("".join(_SPECIAL)) + "]")


def latex(table: ReportTable) -> str:
    """Return a table to include in a document; the best figure of a column is bold."""
    return "\n".join(_lines(table)) + "\n"


def escaped(text: str) -> str:
    """Return a text in which every character that is special in LaTeX is escaped."""
    return _LETTERS.sub(lambda match: _SPECIAL[match.group()], text)


def _lines(table: ReportTable) -> Iterator[str]:
    yield r"% \usepackage{booktabs}"
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\caption{{{escaped(' '.join(filter(None, (f'{table.title}.', table.note))))}}}"
    yield rf"\label{{tab:{table.name.replace('_', '-')}}}"
    yield rf"\begin{{tabular}}{{{''.join('r' if column.format else 'l' for column in table.columns)}}}"
    yield r"\toprule"
    if any(column.group for column in table.columns):
        yield from _groups(table.columns)
    yield _row([escaped(column.name) for column in table.columns])
    yield r"\midrule"
    yield from _body(table)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\end{table}"


def _groups(columns: Sequence[Column]) -> Iterator[str]:
    """Yield the row of group names, each above its columns, and the rules below them."""
    names, rules, first = [], [], 1
    for group, members in groupby(columns, key=lambda column: column.group):
        end = first + len(list(members))
        names += [rf"\multicolumn{{{end - first}}}{{c}}{{{escaped(group)}}}"] if group else [""] * (end - first)
        rules += [rf"\cmidrule(lr){{{first}-{end - 1}}}"] if group else []
        first = end
    yield _row(names)
    yield " ".join(rules)


def _body(table: ReportTable) -> Iterator[str]:
    for row in table.shown():
        if row.begins_block:
            yield r"\addlinespace"
        yield _row([""] * row.repeated + [_cell(cell) for cell in row.cells[row.repeated :]])


def _cell(cell: Shown) -> str:
    text = escaped(cell.text)
    return (rf"\textbf{{{text}}}" if cell.is_best else text) + escaped(cell.mark)


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
