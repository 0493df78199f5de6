import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.published_sample import write_links, write_tests, write_training
from tests.tiny_encoders import tiny_encoder, tiny_model

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


_WITHOUT_EXTRAS = """
import sys
from linkspot.extras import MODULES
for module in {module for modules in MODULES.values() for module in modules}:
    sys.modules[module] = None  # as if it were not installed
from linkspot.cli import main
main()
"""


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("--print-recipe", "default"), 0, 'model = "dual"'),
        (("--print-recipe", "?"), 0, "xlocei"),
        (("mine.toml", "--out", "model"), 1, "run: pip install 'linkspot[train]'"),
    ],
)
def test_recipes_are_printed_by_the_core_alone(words: tuple[str, ...], code: int, text: str) -> None:
    command = [sys.executable, "-c", _WITHOUT_EXTRAS, "train", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert text in done.stdout + done.stderr


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


def test_a_model_learns_from_the_papers_published_files(trees: Path, tmp_path: Path) -> None:
    published = tmp_path / "published"
    write_tests(trees, tmp_path / "tests")
    write_links(trees, published / "stage1")
    write_training(tmp_path / "tests" / "en.parquet", published / "stage2", negatives=2)
    stage_2 = published / "stage2" / "train" / "train.parquet"
    rows = pq.read_table(stage_2).to_pylist()
    pq.write_table(pa.Table.from_pylist([*rows, rows[0] | {"link_context": " "}]), stage_2)
    rates = "encoder_rate = 1e-3\nhead_rate = 1e-3\nbatch = 4"
    (tmp_path / "mine.toml").write_text(
        f'model = "window"\nencoder = "{tiny_encoder(tmp_path / "encoder")}"\ndataset = "none"\nlanguages = ["en"]\n'
        f'[[stage]]\nname = "warm start"\ntraining_examples = "existing_links"\nexamples = 8\nepochs = 1\n{rates}\n'
        f'[[stage]]\nname = "expansion"\ntraining_examples = "insertions"\nepochs = 1\n{rates}\n'
    )
    answer = run("train", tmp_path / "mine.toml", "--published", published, "--out", tmp_path / "model")
    assert answer.returncode == 0, answer.stderr
    config = json.loads((tmp_path / "model" / "linkspot.json").read_text())
    assert config["form"] == {"knowledge": True, "marks": False}
    card = (tmp_path / "model" / "README.md").read_text()
    assert "Zenodo record 13888211" in card
    assert "- set aside: 1 × a window without a text or a section" in card
    assert str(tmp_path) not in card
    log = [json.loads(line) for line in (tmp_path / "model" / "training.jsonl").read_text().splitlines()]
    assert {line["stage"] for line in log} == {"warm start", "expansion"}
    assert sum(line["examples"] for line in log) == 8 + len(rows)
    suggest = run(
        "evaluate", "--published", tmp_path / "tests", "--ranker", tmp_path / "model", "--out", tmp_path / "r"
    )
    assert suggest.returncode == 0, suggest.stderr


@pytest.mark.parametrize(
    ("model", "message"),
    [("window", "has no folder stage1, which the stage 'warm start'"), ("article", "hold windows, not pages")],
)
def test_published_files_that_cannot_train_are_told_in_one_line(tmp_path: Path, model: str, message: str) -> None:
    (tmp_path / "mine.toml").write_text(
        f'model = "{model}"\nencoder = "{tiny_encoder(tmp_path / "encoder")}"\ndataset = "none"\n'
        '[[stage]]\nname = "warm start"\ntraining_examples = "existing_links"\nepochs = 1\n'
    )
    answer = run("train", tmp_path / "mine.toml", "--published", tmp_path, "--out", tmp_path / "model")
    assert answer.returncode == 1
    assert message in answer.stderr
    assert answer.stderr.count("\n") == 1
