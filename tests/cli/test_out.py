"""Where results go: a path that cannot take them is called what it is, before any work."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from linkspot.cli.program import app
from linkspot.errors import UnusableInput

COMMANDS = {
    "index": ["index", "wiki.xml"],
    "insertions": ["insertions", "wiki.xml"],
    "dataset": ["dataset", "tables"],
    "stats": ["stats", "tables"],
    "train": ["train", "recipe.toml"],
    "adapt": ["adapt", "dataset"],
    "pretrained": ["pretrained", "minilm-l6-english"],
    "export": ["export", "model"],
    "evaluate": ["evaluate", "dataset"],
    "compare": ["compare", "results"],
    "experiment": ["experiment", "loss", "--dataset", "dataset"],
    "benchmark": ["benchmark", "--data", "data"],
}


def _refusal(*words: str | Path) -> str:
    run = CliRunner().invoke(app, [*map(str, words)])
    assert isinstance(run.exception, UnusableInput), run.output
    return str(run.exception)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_where_a_folder_is_to_be_is_called_a_file(command: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine", encoding="utf-8")
    words = COMMANDS[command]
    assert _refusal(*words, "--out", file) == f"{file} is a file; expected the path of a folder to write to"
    below = file / "deeper" / "out"
    assert (
        _refusal(*words, "--out", below) == f"{below} cannot be a folder, since {file} is a file; choose another path"
    )
    assert file.read_text(encoding="utf-8") == "mine"


def test_a_folder_where_a_dump_is_to_be_is_called_a_folder(tmp_path: Path) -> None:
    words = ("fetch", "https://wiki.invalid/w/api.php", "--contact", "ann@example.org", "--out", tmp_path)
    assert _refusal(*words) == f"{tmp_path} is a folder; --out takes the name of a file"
