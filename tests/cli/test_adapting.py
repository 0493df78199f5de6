from pathlib import Path

from typer.testing import CliRunner

from linkspot.cli import app
from linkspot.errors import UnusableInput


def test_what_cannot_be_adapted_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    run = CliRunner().invoke(app, ["adapt", str(tmp_path), "--model", str(tmp_path / "model"), "--out", str(tmp_path)])
    assert isinstance(run.exception, UnusableInput)
    assert "is no linkspot model" in str(run.exception)
    assert "\n" not in str(run.exception)
    assert list(tmp_path.iterdir()) == [tmp_path / "model"]


def test_help_says_what_is_kept() -> None:
    run = CliRunner().invoke(app, ["adapt", "--help"])
    assert run.exit_code == 0
    assert "kept only if it ranks" in " ".join(run.output.replace("│", "").split())
