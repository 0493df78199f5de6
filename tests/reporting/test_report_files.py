import csv
import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from linkspot.reporting.cells import (
    Estimate,
    count,
    difference,
    metric,
    p_value,
    share,
    share_with_margin,
    with_margin,
)
from linkspot.reporting.latex import escaped, latex
from linkspot.reporting.report_files import plots_of, write_report
from linkspot.reporting.report_table import Column, ReportTable
from linkspot.reporting.terminal import show

COLUMNS = (
    Column("slice"),
    Column("ranker"),
    Column("queries", count),
    Column("Hits@1", with_margin, "all", is_contest=True, has_interval=True),
    Column("MRR", metric, "all", is_contest=True, has_interval=True),
)
TABLE = ReportTable(
    "best_ones",
    "Figures & marks",
    COLUMNS,
    (
        ("Present", "bm25", 1200, Estimate(0.5, 0.4, 0.6), Estimate(0.25, 0.2, 0.3)),
        ("Present", "my_model", 1200, Estimate(0.7, 0.65, 0.75, "†"), Estimate(0.2, 0.1, 0.3)),
        ("Missing", "bm25", 7, Estimate(0.1, 0.0, 0.2), None),
        ("Missing", "my_model", 7, Estimate(0.1, 0.0, 0.2), Estimate(1.0, 1.0, 1.0)),
        ("Missing", "chance", 7, 0.9, None),
    ),
    block=1,
    note="† p < .05",
)


def _shown(table: ReportTable, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    show(table, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def _written(tmp_path: Path, table: ReportTable = TABLE, plots: tuple[str, ...] = ()) -> Path:
    write_report(tmp_path / "page.md", ["# Page\n"], [table], lambda _out: plots, has_latex=True)
    return tmp_path


def test_figures_are_written_as_papers_do() -> None:
    assert [metric(0.5124), metric(1.0), metric(0.0), metric(Estimate(0.07, 0, 0))] == [".512", "1.000", ".000", ".070"]
    assert with_margin(Estimate(0.512, 0.5, 0.53)) == ".512 ±.015"
    assert (share(0.333), share_with_margin(Estimate(0.333, 0.3, 0.36))) == ("33.3%", "33.3% ±3.0")
    assert [difference(0.0123), difference(-0.0123), difference(-1.0)] == ["+.012", "−.012", "−1.000"]
    assert [p_value(0.03214), p_value(0.00001), p_value(1.0)] == [".0321", "<.0001", "1.0000"]


def test_csv_holds_bare_numbers_and_the_intervals_of_estimates(tmp_path: Path) -> None:
    with (_written(tmp_path) / "best_ones.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    keys = "slice ranker queries all_hits@1 all_hits@1_low all_hits@1_high all_mrr all_mrr_low all_mrr_high"
    assert rows[0] == keys.split()
    assert rows[1] == ["Present", "bm25", "1200", "0.5", "0.4", "0.6", "0.25", "0.2", "0.3"]
    assert rows[3] == ["Missing", "bm25", "7", "0.1", "0.0", "0.2", "", "", ""]
    assert rows[5] == ["Missing", "chance", "7", "0.9", "", "", "", "", ""]


def test_the_best_of_each_block_is_bold_and_marks_stand_behind(tmp_path: Path) -> None:
    page = (_written(tmp_path) / "page.md").read_text(encoding="utf-8").splitlines()
    assert page[0] == "# Page"
    assert "| slice | ranker | queries | all Hits@1 | all MRR |" in page
    assert "| --- | --- | ---: | ---: | ---: |" in page
    assert "| Present | bm25 | 1,200 | .500 ±.100 | **.250** |" in page
    assert "| Present | my_model | 1,200 | **.700 ±.050**† | .200 |" in page
    assert "| Missing | bm25 | 7 | **.100 ±.100** | – |" in page  # two are best alike
    assert "| Missing | my_model | 7 | **.100 ±.100** | 1.000 |" in page  # alone, it beat nobody
    assert "| Missing | chance | 7 | .900 | – |" in page  # what is expected does not compete
    assert "† p < .05" in page


def test_latex_is_set_with_booktabs(tmp_path: Path) -> None:
    lines = (_written(tmp_path) / "best_ones.tex").read_text(encoding="utf-8").splitlines()
    assert lines == [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        r"\caption{Figures \& marks. $^{\dagger}$ p $<$ .05}",
        r"\label{tab:best-ones}",
        r"\begin{tabular}{llrrr}",
        r"\toprule",
        r" &  &  & \multicolumn{2}{c}{all} \\",
        r"\cmidrule(lr){4-5}",
        r"slice & ranker & queries & Hits@1 & MRR \\",
        r"\midrule",
        r"Present & bm25 & 1,200 & .500 $\pm$.100 & \textbf{.250} \\",
        r" & my\_model & 1,200 & \textbf{.700 $\pm$.050}$^{\dagger}$ & .200 \\",
        r"\addlinespace",
        r"Missing & bm25 & 7 & \textbf{.100 $\pm$.100} & -- \\",
        r" & my\_model & 7 & \textbf{.100 $\pm$.100} & 1.000 \\",
        r" & chance & 7 & .900 & -- \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def test_any_label_can_be_set_in_latex() -> None:
    assert escaped(r"a_b & 50% {x} #1 $ ~ ^ \ end") == (
        r"a\_b \& 50\% \{x\} \#1 \$ \textasciitilde{} \textasciicircum{} \textbackslash{} end"
    )
    assert escaped("≤ 5 − 2 – ≥ *") == r"$\leq$ 5 $-$ 2 -- $\geq$ $^{*}$"
    assert escaped("玉露 ñ") == "玉露 ñ"


def test_every_row_of_latex_has_as_many_cells_as_the_table() -> None:
    wild = ReportTable("wild", "Wild", (Column("a"), Column("b", count)), (("x & y \\", 3), ("%", 4)))
    lines = latex(wild).splitlines()
    rows = [line for line in lines if line.endswith(r" \\")]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [1] * 3
    assert not any("cmidrule" in line for line in lines)


def test_the_terminal_sets_blocks_apart_and_names_each_once() -> None:
    text = _shown(TABLE)
    assert max(map(len, text.splitlines())) <= 100
    rows = [line.split() for line in text.splitlines()]
    first = rows.index(["Present"])
    assert rows[first + 1 : first + 5] == [
        ["bm25", "1,200", ".500", "±.100", ".250"],
        ["my_model", "1,200", ".700", "±.050†", ".200"],
        [],
        ["Missing"],
    ]
    assert "† p < .05" in text


def test_what_a_block_shares_stands_in_a_line_above_it() -> None:
    columns = (Column("slice"), Column("queries", count), Column("ranker"))
    table = ReportTable("x", "X", columns, (("Present", 1200, "a"), ("Present", 1200, "b")), block=2)
    assert [line.strip() for line in _shown(table).splitlines()][-4:] == ["Present, 1,200 queries", "a", "b", ""]


def test_long_names_are_folded_on_a_terminal_and_not_cut() -> None:
    name = "my-dual-model-with-a-very-long-name-" * 3
    text = _shown(ReportTable("x", "X", COLUMNS[1:3], ((name, 3),)), width=40)
    assert "…" not in text
    assert name in "".join(text.split())


def test_markup_in_labels_is_shown_as_it_stands() -> None:
    assert "[bold]x[/bold]" in _shown(ReportTable("x", "X", (Column("a"),), (("[bold]x[/bold]",),)))


def test_a_plot_stands_below_the_table_of_its_name(tmp_path: Path) -> None:
    page = (_written(tmp_path, plots=("best_ones",)) / "page.md").read_text(encoding="utf-8")
    assert page.index("† p < .05") < page.index("![Figures & marks](best_ones.svg)")


def test_files_that_were_written_are_named(tmp_path: Path) -> None:
    files = write_report(tmp_path / "page.md", [], [TABLE], lambda _out: ("best_ones",), has_latex=True)
    names = [path.name for path in files]
    assert names == ["page.md", "best_ones.csv", "best_ones.tex", "best_ones.png", "best_ones.svg"]


def test_a_row_that_does_not_fit_its_table_is_refused() -> None:
    with pytest.raises(ValueError, match="table x has 1 columns, but a row has 2 cells"):
        ReportTable("x", "X", (Column("a"),), ((1, 2),))


def test_no_cell_is_a_formula_or_commands_a_terminal(tmp_path: Path) -> None:
    cells = ("=1+1", "+a", "-a", "@SUM(A1)", "\t=1", "\r=1", "-0.5", "+1e3", "a-b", "\x1b[2J", "<script>x|y")
    columns = (Column("name"), Column("-difference", difference))
    table = ReportTable("names", "Names", columns, tuple((cell, -0.5) for cell in cells))
    page, csv_file = write_report(tmp_path / "report.md", [], [table], lambda _out: ())
    with csv_file.open(encoding="utf-8", newline="") as file:
        (head, *rows) = csv.reader(file)
    assert head == ["name", "'-difference"]
    names, numbers = zip(*rows, strict=True)
    assert names[:4] == ("'=1+1", "'+a", "'-a", "'@SUM(A1)")
    assert names[4:] == (r"\t=1", r"\r=1", "-0.5", "+1e3", "a-b", r"\x1b[2J", "<script>x|y")
    assert set(numbers) == {"-0.5"}
    assert r"| &lt;script>x\|y |" in page.read_text(encoding="utf-8")
    assert "\x1b" not in page.read_text(encoding="utf-8")


def test_a_table_has_the_plots_of_its_name_and_of_its_name_with_an_ending() -> None:
    table = ReportTable("main", "Main", (Column("a"),), (("b",),))
    assert plots_of(table, ["main", "main-mrr", "mainly", "languages", "languages-mrr"]) == ["main", "main-mrr"]
