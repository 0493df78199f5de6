from pathlib import Path

import numpy as np
import pytest
from tests.progress_notes import ProgressNotes
from tests.tiny_encoders import tiny_encoder, tiny_model

import linkspot
from linkspot.encoders.special_tokens import SpecialTokens
from linkspot.encoders.torch_encoder import TorchEncoder, load_encoder
from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.model.config import ModelConfig, ModelKind
from linkspot.model.dual.feature_table import NAMES, PAGE_NAMES
from linkspot.model.dual.head import Head
from linkspot.model.dual.pca import Pca
from linkspot.model.mlp import Mlp
from linkspot.pipeline.dataset import DatasetSettings, dataset
from linkspot.pipeline.splits import TEST_ALONE
from linkspot.progress import SILENT, Progress
from linkspot.records import Entity, Markup, Page
from linkspot.training.adapt import Adapted, AdaptSettings, adapt, check, vectors_of


def untaught(inputs: int) -> Mlp:
    return Mlp(*(np.full(shape, 0.01, np.float32) for shape in ((8, inputs), (8,), (1, 8), (1,))))


@pytest.fixture(scope="module")
def dual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of which the head has learned nothing."""
    folder = tiny_encoder(tmp_path_factory.mktemp("dual"))
    Head(untaught(len(NAMES)), untaught(len(PAGE_NAMES))).save(folder)
    Pca.blank(load_encoder(str(folder)).config.hidden_size).save(folder)
    ModelConfig(ModelKind.DUAL, SpecialTokens(2, 3, 0)).save(folder)
    (folder / "README.md").write_text("# A model\n")
    return folder


def run(trees: Path, dual: Path, out: Path, progress: Progress = SILENT) -> Adapted:
    return adapt(trees, dual, out, TorchEncoder(load_encoder(str(dual)), 0), progress)


def test_an_adapted_model_ranks_better_and_says_so(trees: Path, dual: Path, tmp_path: Path) -> None:
    notes = ProgressNotes()
    found = run(trees, dual, tmp_path / "out", notes)
    assert found.after.mrr >= found.before.mrr
    assert found.after.queries > 0
    assert notes.finished == ["vectors of training", "vectors of validation", "head"]
    assert "## Adapted" in (tmp_path / "out" / "README.md").read_text()
    assert (dual / "README.md").read_text() == "# A model\n"
    page = Page("Oak", "The oak is kin of the birch. It grows slowly.", Markup.MARKDOWN, "en")
    assert linkspot.load(tmp_path / "out").score(Entity("Birch"), linkspot.parse(page)).places
    assert vectors_of(tmp_path / "out").is_file()


def test_a_wiki_without_a_history_adapts_with_its_existing_links(
    trees: Path, dual: Path, tmp_path: Path, local: Engine
) -> None:
    dataset([trees.parent / "trees"], tmp_path / "links", local)
    adapted = run(tmp_path / "links", dual, tmp_path / "out")
    assert adapted.examples > adapted.before.queries > 0
    old, new = (Head.of_folder(folder) for folder in (dual, tmp_path / "out"))
    assert not np.array_equal(old.nowhere.bias, new.nowhere.bias)


def test_a_dataset_that_only_tests_teaches_nothing(trees: Path, dual: Path, tmp_path: Path, local: Engine) -> None:
    dataset([trees.parent / "edits"], tmp_path / "tests", local, DatasetSettings({"edits": TEST_ALONE}))
    with pytest.raises(UnusableInput, match="has nothing to learn from"):
        run(tmp_path / "tests", dual, tmp_path / "out")


def test_a_head_is_fitted_afresh_if_asked_for(trees: Path, dual: Path, tmp_path: Path) -> None:
    settings = AdaptSettings(links=20, insertions=20, afresh=True)
    encoder = TorchEncoder(load_encoder(str(dual)), 0)
    adapt(trees, dual, tmp_path / "out", encoder, SILENT, settings)
    old, new = (Head.of_folder(folder) for folder in (dual, tmp_path / "out"))
    assert len(new.place.hidden_bias) > len(old.place.hidden_bias)


def test_nothing_is_written_over(trees: Path, dual: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(UnusableInput, match="exists and is not empty"):
        run(trees, dual, tmp_path)
    assert (tmp_path / "note.txt").read_text() == "mine"


def test_a_model_of_another_kind_is_told(trees: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="is a window model; only the head of a dual model"):
        check(trees, tiny_model(tmp_path / "window", ModelKind.WINDOW), tmp_path / "out")
    with pytest.raises(UnusableInput, match="is not a linkspot model"):
        check(trees, trees, tmp_path / "out")


def test_a_folder_that_is_no_finished_dataset_is_told(dual: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="expected a folder that 'linkspot dataset' made"):
        check(tmp_path, dual, tmp_path / "out")
    unfinished = tmp_path / "unfinished"
    unfinished.mkdir()
    (unfinished / "manifest.json").write_text('{"plan": {"command": "dataset"}}')
    with pytest.raises(UnusableInput, match="is not finished"):
        check(unfinished, dual, tmp_path / "out")
    (unfinished / "manifest.json").write_text('{"plan": {"command": "dataset"}, "finished": true}')
    with pytest.raises(UnusableInput, match="has no links to learn from"):
        check(unfinished, dual, tmp_path / "out")
