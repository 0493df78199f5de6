import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tiny_encoders import tiny_model

from linkspot.model.config import ModelKind


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "linkspot.cli", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_recipes_are_listed_and_printed() -> None:
    listed = run("train", "--print-recipe", "?")
    names = [line.split()[0] for line in listed.stdout.splitlines()]
    assert {"locei", "xlocei", "article", "dual", "pointwise", "triple-encoder", "simple-fine-tuning"} <= set(names)
    printed = run("train", "--print-recipe", "locei").stdout
    assert 'model = "window"' in printed


def test_a_recipe_that_is_not_known_is_answered_in_one_line() -> None:
    answer = run("train", "--print-recipe", "lokei")
    assert answer.returncode == 1
    assert answer.stderr.startswith("linkspot: no recipe is called 'lokei'")
    assert answer.stderr.count("\n") == 1


def test_training_without_a_folder_says_what_it_takes() -> None:
    answer = run("train")
    assert answer.returncode == 1
    assert "--out FOLDER" in answer.stderr


@pytest.mark.parametrize("kind", [ModelKind.ARTICLE, ModelKind.DUAL])
def test_an_exported_model_ranks_as_before_without_torch(tmp_path: Path, kind: ModelKind) -> None:
    folder = tiny_model(tmp_path / "model", kind)
    answer = run("export", folder, "--int8", "--out", tmp_path / "small")
    assert answer.returncode == 0, answer.stderr
    assert "rankings of 3 pages" in answer.stdout
    program = f"""
import json, sys
import linkspot
from linkspot.answers.samples import SAMPLES
ranker = linkspot.load({str(tmp_path / "small")!r})
answers = [linkspot.suggest(sample.page(), sample.target(), ranker=ranker) for sample in SAMPLES]
print(json.dumps([len(answer.scores) for answer in answers] + ["torch" in sys.modules, "transformers" in sys.modules]))
"""
    found = json.loads(
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    )
    assert found[-2:] == [False, False]
    assert min(found[:-2]) > 5
