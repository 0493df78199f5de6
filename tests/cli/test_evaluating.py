"""The commands that evaluate and compare, as people type them."""

import json
from pathlib import Path

import pytest
from tests.llm_server import scripted_llm
from tests.published_sample import write_tests
from typer.testing import CliRunner, Result

from linkspot.cli.evaluating import labelled
from linkspot.cli.program import app


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_from_a_dataset_to_a_comparison(trees: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    run = _run("evaluate", trees, "--split", "validation", "--out", out, "--ranker", "words=string-match")
    assert run.exit_code == 0, run.output
    assert "Overall" in run.output
    assert "words" in run.output
    joined = _run("evaluate", trees, "--split", "validation", "--out", out, "--ranker", "random")
    assert joined.exit_code == 0, joined.output
    compared = _run("compare", out, "--against", "random", "--draws", "500")
    assert compared.exit_code == 0, compared.output
    assert "† better" in compared.output
    assert (out / "comparison" / "comparison.md").exists()


def test_without_rankers_those_that_come_with_linkspot_are_evaluated(trees: Path, tmp_path: Path) -> None:
    run = _run("evaluate", trees, "--split", "validation", "--languages", "sw", "--limit", "2", "--out", tmp_path / "o")
    assert run.exit_code == 0, run.output
    assert list(json.loads((tmp_path / "o" / "manifest.json").read_text())["rankers"]) == [
        "random",
        "string-match",
        "bm25",
        "linkspot",
    ]


def test_the_published_format_is_evaluated_as_released_and_repaired(trees: Path, tmp_path: Path) -> None:
    assert write_tests(trees, tmp_path / "published")
    out = tmp_path / "out"
    run = _run("evaluate", "--published", tmp_path / "published", "--out", out, "--ranker", "bm25")
    assert run.exit_code == 0, run.output
    assert run.output.count("All metrics by slice") == 2
    assert run.output.index("As released:") < run.output.index("Seams repaired:")
    assert "bm25: each window as one text" in run.output
    for name in ("as-released", "seams-repaired"):
        compared = _run("compare", out / name)
        assert "each window as one text" in compared.output


def test_an_equals_sign_of_a_ranker_makes_no_label_and_the_papers_baselines_have_their_own() -> None:
    names = ["bm25", "bm25:paper", "string-match:paper", "get:model,context=5", "near=entqa:a,b,context=5"]
    assert labelled(names) == {
        "bm25": "bm25",
        "bm25-paper": "bm25:paper",
        "string-match-paper": "string-match:paper",
        "get": "get:model,context=5",
        "near": "entqa:a,b,context=5",
    }


def test_what_a_language_model_will_be_asked_is_told_before(trees: Path, tmp_path: Path) -> None:
    ranker = "llm=cascade:bm25,3,llm-pairwise:tiny"
    limits = ("--split", "validation", "--limit", "2")
    with scripted_llm() as server:
        flags = ("--base-url", server.base_url, "--out", tmp_path / "out", "--ranker", ranker)
        run = _run("evaluate", trees, *limits, *flags)
        assert run.exit_code == 0, run.output
        assert "llm: 4 queries take 24 calls, with about" in run.stderr
        assert 0 < len(server.requests) <= 24  # pages of both languages have sentences in common
        stopped = _run("evaluate", trees, *limits, "--max-calls", "7", *flags[:2], "--out", tmp_path / "o2", *flags[4:])
        assert stopped.exit_code == 1
        assert "the same command with a higher --max-calls continues from there" in str(stopped.exception)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--out", "o"], "evaluating needs a DATASET (or --published FOLDER) and --out FOLDER"),
        (["{trees}"], "evaluating needs a DATASET (or --published FOLDER) and --out FOLDER"),
        (["{trees}", "--out", "o", "--ranker", "bm26"], "no ranker is called 'bm26', and it is not a model's folder"),
        (["{trees}", "--out", "o", "--ranker", "bm25", "--ranker", "bm25"], "two rankers are called 'bm25'"),
        (["{trees}", "--out", "o", "--ranker", "embedding"], "write it as embedding:ENCODER"),
        (["{trees}", "--out", "o", "--ranker", "llm-pairwise:gpt"], "'' is not the address of an endpoint"),
        (
            ["{trees}", "--out", "o", "--ranker", "cascade:bm25,x,bm25"],
            "written as cascade:CHEAP,10,EXPENSIVE",
        ),
        (["--published", "{trees}", "--out", "o"], "has no test files"),
    ],
)
def test_what_cannot_be_evaluated_is_told_in_one_line(
    trees: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    run = _run("evaluate", *(argument.replace("{trees}", str(trees)) for argument in arguments))
    assert run.exit_code == 1
    assert complaint in str(run.exception)
    assert "\n" not in str(run.exception)
