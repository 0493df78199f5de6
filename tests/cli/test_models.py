import subprocess
import sys
from pathlib import Path

import pytest
from tests.tiny_encoders import tiny_encoder, tiny_model

from linkspot.model.config import CARD, ModelKind
from linkspot.model.shipped import shipped_model


def _run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "linkspot.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_from_an_encoder_to_an_export_that_tells_what_it_lost(tmp_path: Path) -> None:
    tiny_encoder(tmp_path / "tiny")
    made = _run("pretrained", tmp_path / "tiny", "--out", tmp_path / "copy")
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout.startswith(f"{tmp_path / 'copy'} holds {tmp_path / 'tiny'}")
    texts = tmp_path / "texts.txt"
    texts.write_text("The river flows.\n\nA train leaves the station.\n", encoding="utf-8")
    flags = ("--int8", "--embedding-bits", "4", "--texts", texts, "--out", tmp_path / "out")
    done = _run("export", tmp_path / "copy", *flags)
    assert (done.returncode, done.stderr) == (0, "")
    assert "cosine to torch on 2 sequences: mean 0.9" in done.stdout
    assert (tmp_path / "out" / "encoder.onnx").is_file()
    assert (tmp_path / "out" / "tokenizer.json").is_file()


def test_a_model_is_shown_with_its_card(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "mine", ModelKind.DUAL)
    (folder / CARD).write_text("---\nlibrary_name: linkspot\n---\n\n# mine\n\nHits@1 **.5**\n", encoding="utf-8")
    done = _run("model", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{folder}: a dual model, " in done.stdout
    assert "run by torch" in done.stdout
    assert "Hits@1 .5" in done.stdout
    assert "library_name" not in done.stdout
    (folder / CARD).unlink()
    assert "It has no card." in _run("model", folder).stdout


def test_without_a_folder_the_model_that_comes_with_linkspot_is_shown() -> None:
    done = _run("model")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("The model that comes with linkspot:\n")
    assert f"{shipped_model()}: a dual model, " in done.stdout
    assert "run by onnxruntime" in done.stdout
    assert "It has no card." not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["model", "{here}"], "is not a linkspot model"),
        (["pretrained", "{here}/none", "--out", "{here}/out"], "is neither a folder nor an id"),
        (["export", "{here}", "--out", "{here}/out", "--texts", "{here}/empty.txt"], "has no text in it"),
    ],
)
def test_bad_input_gets_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "empty.txt").touch()
    (tmp_path / "tokenizer.json").write_text("{}")
    done = _run(*(argument.format(here=tmp_path) for argument in arguments))
    assert done.returncode == 1
    assert done.stderr.startswith("linkspot: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert not (tmp_path / "out").exists()
