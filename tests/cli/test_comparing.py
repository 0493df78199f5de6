import io
import re
from pathlib import Path

import pytest
import typer
from rich.console import Console
from tests.stored_evaluation import Query, Ranked, some_evaluation, write_evaluation
from typer.testing import CliRunner, Result

from linkspot.cli.comparing import compare, show_table
from linkspot.errors import LinkspotError
from linkspot.evaluation.stored import Evaluation
from linkspot.records import Scenario


def _run(*arguments: str | Path) -> Result:
    app = typer.Typer()
    app.command()(compare)
    return CliRunner(env={"COLUMNS": "100"}).invoke(app, [*map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return some_evaluation(tmp_path_factory.mktemp("comparing") / "results", 120)


def test_the_main_table_is_shown_and_the_files_are_named(folder: Path, tmp_path: Path) -> None:
    done = _run(folder, "--out", tmp_path / "out", "--draws", "200", "--against", "fair")
    assert done.exit_code == 0, done.output
    good = next(line for line in done.output.splitlines() if line.startswith("good"))
    assert re.fullmatch(r"good( +\.\d{3}†?){6}", good.rstrip())
    assert good.count("†") >= 4
    assert "† better, * worse than fair by more than chance" in done.output.replace("\n", " ")
    named = done.output.rpartition("In ")[2].split(": ")[1].split()
    assert sorted(name.strip(",") for name in named) == sorted(path.name for path in (tmp_path / "out").iterdir())


def test_the_report_goes_into_the_evaluation_unless_told_otherwise(folder: Path) -> None:
    done = _run(folder, "--draws", "50", "--metric", "ndcg", "--metric", "Hits@3")
    assert done.exit_code == 0, done.output
    assert (folder / "comparison" / "main.tex").exists()
    assert "NDCG" in done.output
    assert "With 50 draws" in done.output


def test_one_ranker_alone_is_told(tmp_path: Path) -> None:
    queries = [Query("en", Scenario.TEXT_PRESENT, 2, (0,))] * 2
    done = _run(write_evaluation(tmp_path / "one", queries, {"only": Ranked([[1.0, 0.0]] * 2)}))
    assert done.exit_code == 0, done.output
    assert "There is only one ranker" in done.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{here}"], "holds no tables of linkspot; expected a folder that 'linkspot evaluate' made"),
        (["{here}/none"], "holds no tables of linkspot"),
        (["{folder}", "--against", "best"], "holds no complete rankings of 'best'; there are: good, fair, twin"),
        (["{folder}", "--metric", "F1"], "no metric is called 'F1'; there are: Hits@1, MRR, Hits@3, Hits@5, NDCG"),
        (["{other}"], "holds rankings of other queries; delete it and evaluate good again"),
    ],
)
def test_bad_input_gets_one_line(folder: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    other = some_evaluation(tmp_path / "other", 30)
    next((other / "rankings" / "good").rglob("*.parquet")).unlink()
    done = _run(*(argument.format(here=tmp_path, folder=folder, other=other) for argument in arguments))
    assert isinstance(done.exception, LinkspotError)
    assert message in str(done.exception)
    assert "\n" not in str(done.exception)


def _shown(folder: Path, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    show_table(Evaluation.open(folder), console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_what_an_evaluation_found_fits_a_terminal(folder: Path) -> None:
    text = _shown(folder)
    assert max(len(line) for line in text.splitlines()) <= 100
    assert "…" not in text
    slices = "Overall|Present|Missing|missing mention|missing sentence|missing span"
    figures = r"(?: +1?\.\d{3} ±\.\d{3}){5}"
    rows = re.findall(rf"^({slices}), ([\d,]+) queries *\n *good{figures} *\n *fair{figures} *$", text, re.MULTILINE)
    assert [name for name, _count in rows] == slices.split("|")
    counts = {name: int(number) for name, number in rows}
    assert counts["Overall"] == counts["Present"] + counts["Missing"]
    assert "missing section" in text  # how often rankers say nowhere


def test_long_labels_do_not_cut_figures(tmp_path: Path) -> None:
    queries = [Query("en", Scenario.TEXT_PRESENT, 2, (0,))] * 2
    labels = [f"models-{name}-e5-small-multilingual-int8-finetuned" for name in ("a", "b")]
    rankers = {label: Ranked([[1.0, 0.0]] * 2) for label in labels}
    folder = write_evaluation(tmp_path / "long", queries, rankers)
    for width in (80, 100):
        text = _shown(folder, width)
        assert "…" not in text
        assert text.count("1.000 ±.000") == 5 * 2 * 2
        assert max(len(line) for line in text.splitlines()) <= width


def test_rankers_that_are_not_through_are_told(tmp_path: Path) -> None:
    folder = some_evaluation(tmp_path / "results", 30)
    assert "Left out" not in _shown(folder)
    (folder / "rankings" / "twin").rename(folder / "rankings" / ".twin.shards")
    assert "Left out, since not all queries are ranked yet: twin." in _shown(folder)
