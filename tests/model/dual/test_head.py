from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from linkspot.errors import UnusableInput
from linkspot.model.dual.feature_table import NAMES, PAGE_NAMES
from linkspot.model.dual.features import page_features
from linkspot.model.dual.head import Head
from linkspot.model.mlp import Mlp

CHANCE = np.random.default_rng(0)


def mlp(inputs: int, hidden: int = 4) -> Mlp:
    shapes = ((hidden, inputs), (hidden,), (1, hidden), (1,))
    return Mlp(*(CHANCE.normal(size=shape).astype(np.float32) for shape in shapes))


def page(sentences: int = 5) -> np.ndarray:
    return CHANCE.normal(size=(sentences, len(NAMES))).astype(np.float32)


def test_a_head_comes_back_from_its_file(tmp_path: Path) -> None:
    head, matrix = Head(mlp(len(NAMES)), mlp(len(PAGE_NAMES))), page()
    head.save(tmp_path)
    before, after = head.scores(matrix), Head.of_folder(tmp_path).scores(matrix)
    assert np.array_equal(before.places, after.places)
    assert before.nowhere == after.nowhere


def test_nowhere_is_as_likely_as_its_own_network_says() -> None:
    head, matrix = Head(mlp(len(NAMES)), mlp(len(PAGE_NAMES))), page()
    found = head.scores(matrix)
    logits = np.append(found.places, found.nowhere)
    chance = np.exp(logits - logits.max())
    own = float(head.nowhere(page_features(matrix)[None])[0])
    assert chance[-1] / chance.sum() == pytest.approx(1 / (1 + np.exp(-own)), rel=1e-4)


def test_a_page_without_sentences_has_no_places() -> None:
    found = Head(mlp(len(NAMES)), mlp(len(PAGE_NAMES))).scores(page(0))
    assert len(found.places) == 0


def test_heads_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"has no heads.safetensors"):
        Head.of_folder(tmp_path)
    save_file({"place": np.zeros(3)}, tmp_path / "heads.safetensors", metadata={"place": "other features"})
    with pytest.raises(UnusableInput, match="reads other features"):
        Head.of_folder(tmp_path)
    (tmp_path / "heads.safetensors").write_bytes(b"nothing of the kind")
    with pytest.raises(UnusableInput, match="is not the head of a dual model"):
        Head.of_folder(tmp_path)
