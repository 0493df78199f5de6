from pathlib import Path

from tests.tiny_encoders import tiny_model
from typer.testing import CliRunner, Result

import linkspot
from linkspot import Entity, Markup, Page
from linkspot.cli.program import app
from linkspot.encoders.export import export_folder
from linkspot.errors import UnusableInput
from linkspot.model.config import CARD, HEADS, ModelKind
from linkspot.model.shipped import shipped_model


def _adapt(dataset: Path, out: Path, *flags: str | Path) -> Result:
    return CliRunner().invoke(app, ["adapt", str(dataset), "--out", str(out), *map(str, flags)])


def _files(folder: Path) -> dict[str, int]:
    """Return what must not change when a model is adapted: all but its head and its card."""
    return {path.name: path.stat().st_size for path in folder.iterdir() if path.name not in {HEADS, CARD}}


def _checked(run: Result, model: Path, out: Path) -> None:
    assert run.exit_code == 0, run.output
    assert "validation links: Hits@1" in run.output
    assert run.output.endswith(f"The model is in {out}\n")
    assert _files(out) == _files(model)
    assert "## Adapted" in (out / CARD).read_text(encoding="utf-8")
    page = Page("Alder", "The alder is kin of the birch. It burns slowly.", Markup.MARKDOWN, "en")
    answer = linkspot.suggest(page, Entity("Birch"), str(out), top=2, anyway=True)
    assert len(answer.places) == 2


def test_an_exported_model_that_is_packed_is_adapted_without_its_torch_weights(trees: Path, tmp_path: Path) -> None:
    model, out = tmp_path / "packed", tmp_path / "out"
    export_folder(tiny_model(tmp_path / "model", ModelKind.DUAL), model, is_packed=True)
    assert not (model / "model.safetensors").exists()
    _checked(_adapt(trees, out, "--model", model), model, out)


def test_the_model_that_comes_with_linkspot_is_adapted_if_no_other_is_named(trees: Path, tmp_path: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in shipped_model().iterdir()}
    _checked(_adapt(trees, tmp_path / "out"), shipped_model(), tmp_path / "out")
    assert {path.name: path.stat().st_mtime_ns for path in shipped_model().iterdir()} == before


def test_what_cannot_be_adapted_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    run = CliRunner().invoke(app, ["adapt", str(tmp_path), "--model", str(tmp_path / "model"), "--out", str(tmp_path)])
    assert isinstance(run.exception, UnusableInput)
    assert "is not a linkspot model" in str(run.exception)
    assert "\n" not in str(run.exception)
    assert list(tmp_path.iterdir()) == [tmp_path / "model"]


def test_help_says_what_is_kept() -> None:
    run = CliRunner().invoke(app, ["adapt", "--help"])
    assert run.exit_code == 0
    assert "kept only if it ranks better" in " ".join(run.output.replace("│", "").split())
