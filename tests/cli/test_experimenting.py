"""The commands that train, test and report in one go, as people type them."""

from pathlib import Path

import pytest
import typer
from tests.tiny_encoders import tiny_encoder
from typer.testing import CliRunner, Result

from linkspot.cli import experimenting
from linkspot.experiments.catalogue import EXPERIMENTS

app = typer.Typer()
app.command()(experimenting.experiment)
app.command()(experimenting.benchmark)


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_experiments_are_listed_with_a_line_each() -> None:
    lines = [line for line in _run("experiment", "?").stdout.splitlines() if not line.startswith(" ")]
    assert [line.split()[0] for line in lines] == list(EXPERIMENTS)
    assert all(len(line) > 40 for line in lines)


def test_an_experiment_ends_with_a_table_and_the_path_of_its_report(trees: Path, tmp_path: Path) -> None:
    encoder = tiny_encoder(tmp_path / "encoder")
    out = tmp_path / "loss"
    run = _run("experiment", "loss", "--dataset", trees, "--out", out, "--encoder", encoder, "--limit", 4)
    assert run.exit_code == 0, run.output
    page = out / "report" / "report.html"
    assert run.stdout.splitlines()[-1] == f"The report is {page}"
    for label in ("Random", "BM25", "pointwise", "listwise"):
        assert label in run.stdout
    assert "3 of 4: pointwise" in run.stderr
    assert page.is_file()


def test_sizes_and_a_language_of_ones_own_are_compared(trees: Path, tmp_path: Path) -> None:
    encoder, out = tiny_encoder(tmp_path / "encoder"), tmp_path / "size"
    named = ("--language", "sw", "--sizes", "4,2", "--limit", 4)
    run = _run("experiment", "data-size", "--dataset", trees, "--out", out, "--encoder", encoder, *named)
    assert run.exit_code == 0, run.output
    order = [line.split("│")[0].strip() for line in run.stdout.splitlines() if "examples" in line]
    for stage in ("stage 1", "stage 2"):
        assert run.stdout.index(f"{stage}, 2") < run.stdout.index(f"{stage}, 4"), order
    report = (out / "report" / "report.md").read_text(encoding="utf-8")
    assert "4 queries in 1 language" in report


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["experiment", "stage"], "no experiment is called 'stage'"),
        (["experiment", "loss", "--budget", "huge"], "no budget is called 'huge'"),
        (["experiment", "loss"], "--dataset DATASET and --out FOLDER"),
        (["experiment", "loss", "--dataset", "nowhere", "--out", "o"], "nowhere holds no tables of linkspot"),
        (["experiment", "held-out", "--dataset", "{trees}", "--out", "o"], "--hold-out"),
        (["experiment", "loss", "--dataset", "{trees}", "--out", "o", "--encoder", "a", "--encoder", "b"], "takes one"),
        (["experiment", "zero-shot", "--dataset", "{trees}", "--out", "o", "--part", "xx"], "learn from in xx"),
        (["experiment", "main", "--dataset", "{trees}", "--out", "o", "--language", "sw"], "not about one language"),
        (["experiment", "loss", "--dataset", "{trees}", "--out", "o", "--language", "xx"], "which --language names"),
        (["experiment", "loss", "--dataset", "{trees}", "--out", "o", "--sizes", "10"], "--sizes is for data-size"),
        (["experiment", "data-size", "--dataset", "{trees}", "--out", "o", "--sizes", "1e3"], "write whole numbers"),
        (["benchmark", "--out", "o"], "--data FOLDER"),
        (["benchmark", "--data", "nowhere", "--out", "o"], "nowhere has no openttd"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    trees: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LINKSPOT_DATA", raising=False)
    run = _run(*(argument.replace("{trees}", str(trees)) for argument in arguments))
    assert run.exit_code == 1
    assert complaint in str(run.exception)
    assert "\n" not in str(run.exception)
    assert not (tmp_path / "o").exists()


def test_the_benchmark_looks_for_all_its_data_and_rankers_before_it_works(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    bundles = ("mdn/mdn", *(f"wikis/{name}" for name in ("archwiki", "freecad", "cpprefjp", "ethereum")))
    for name in ("openttd/pages.xz", *(f"{bundle}.bundle" for bundle in bundles)):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_bytes(b"")
    lacking = _run("benchmark", "--data", data, "--out", out)
    assert "has no wikipedia/enwiki-Anarchism-*.lzma; name the folder of the wikis with --data" in str(
        lacking.exception
    )
    (data / "wikipedia").mkdir()
    for name in ("enwiki-Anarchism-1.lzma", "wikipedia-for-schools-1.tar.xz", "swwiki-truncated-1.xml.xz"):
        (data / "wikipedia" / name).write_bytes(b"")
    unknown = _run("benchmark", "--data", data, "--out", out, "--ranker", "nonsense")
    assert "no ranker is called 'nonsense'" in str(unknown.exception)
    assert not out.exists()
