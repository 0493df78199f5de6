import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from linkspot.experiments.paper_figures import GROUP
from linkspot.reporting.cells import Estimate, metric
from linkspot.reporting.drawing import new_figure
from linkspot.reporting.report_table import Column, ReportTable
from linkspot.reporting.web_report import WebReport

VOID = {"meta", "br", "link", "hr", "img", "input"}
TABLE = ReportTable(
    "main",
    "Rankers <1>",
    (
        Column("ranker"),
        Column("Hits@1", metric, "Overall", is_contest=True),
        Column("Overall", metric, GROUP, is_aside=True),
    ),
    (("a & b", Estimate(0.5, 0.4, 0.6, "†"), 0.25), ("c", Estimate(0.25, 0.2, 0.3), None)),
    note="A note.",
)


class Balanced(HTMLParser):
    """Sees that every tag is closed in its turn, and keeps the cells of tables and the names of parts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.names: list[str] = []
        self.needs: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag in {"td", "th"}:
            self.cells.append("")
        values = dict(attributes)
        self.names += [values["id"] or ""] if "id" in values else []
        self.needs += [values[name] or "" for name in ("src", "href", "xlink:href") if name in values]

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if any(tag in {"td", "th"} for tag in self.open):
            self.cells[-1] += data


def report(**changes: object) -> WebReport:
    values = {
        "title": "Is <b> bold?",
        "kicker": "linkspot",
        "paragraphs": ("A question.", "An answer."),
        "warnings": ("Take care.",),
        "tables": (TABLE,),
        "command": "linkspot experiment 'a<b'",
        "facts": {"seed": "0"},
        **changes,
    }
    return WebReport(**values)  # type: ignore[arg-type]


def read(page: Path) -> Balanced:
    parser = Balanced()
    parser.feed(page.read_text(encoding="utf-8"))
    assert parser.open == []
    return parser


def test_a_page_holds_every_cell_as_text(tmp_path: Path) -> None:
    found = read(report().write(tmp_path))
    heads = ["", "Overall", "the paper, on other data", "ranker", "Hits@1", "Overall"]
    assert found.cells == [*heads, "a & b", ".500†", ".250", "c", ".250", "–"]
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Is &lt;b&gt; bold?" in text
    assert "a&lt;b" in text
    assert '<td class="n best">.500' in text
    assert '<td class="n other">.250' in text


def test_the_same_tables_are_in_markdown_latex_and_csv(tmp_path: Path) -> None:
    report().write(tmp_path)
    assert "| a & b | **.500**† | .250 |" in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert r"a \& b & \textbf{.500}" in (tmp_path / "main.tex").read_text(encoding="utf-8")
    assert "a & b,0.5," in (tmp_path / "main.csv").read_text(encoding="utf-8")


def test_plots_stand_in_the_page_itself_with_names_of_their_own(tmp_path: Path) -> None:
    def plot() -> object:
        figure = new_figure(2, 2, "A plot")
        figure.add_subplot().plot([1, 2], [1, 2])
        return figure

    second = ReportTable("more", "More", TABLE.columns, TABLE.rows)
    found = read(report(tables=(TABLE, second), plots={"main": plot, "more": plot}).write(tmp_path))
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert text.count("<svg") == 2
    assert "A plot" in text
    assert len(found.names) == len(set(found.names)) > 4
    assert all(need.startswith("#") and need[1:] in found.names for need in found.needs)


def test_without_matplotlib_the_page_says_so_and_has_all_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    found = read(report(plots={"main": lambda: None}).write(tmp_path))
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "pip install &#x27;linkspot[plots]&#x27;" in text
    assert "a & b" in found.cells


def test_a_long_table_is_folded_away(tmp_path: Path) -> None:
    rows = tuple((str(number), None, None) for number in range(30))
    report(tables=(ReportTable("main", "Long", TABLE.columns, rows),)).write(tmp_path)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<details><summary>all 30 rows</summary>" in text


def test_a_table_without_rows_is_no_part_of_the_page(tmp_path: Path) -> None:
    report(tables=(ReportTable("main", "Nothing here", TABLE.columns, ()),)).write(tmp_path)
    assert "Nothing here" not in (tmp_path / "report.html").read_text(encoding="utf-8")
