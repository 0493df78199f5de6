from pathlib import Path

import numpy as np
import pytest

from linkspot.errors import UnusableInput
from linkspot.model.dual.feature_table import SENTENCE_AXES, TITLE_AXES
from linkspot.model.dual.pca import Axes, Pca


def vectors(rows: int, *deviations: float) -> np.ndarray:
    chance = np.random.default_rng(1)
    return (3 + chance.normal(size=(rows, len(deviations))) * deviations).astype(np.float32)


def test_the_first_direction_is_the_one_in_which_vectors_differ_most() -> None:
    axes = Axes.of(vectors(2000, 0.1, 5.0, 1.0), 2)
    assert np.abs(axes.directions).argmax(axis=0).tolist() == [1, 2]


def test_along_every_direction_vectors_have_mean_0_and_deviation_1() -> None:
    found = vectors(500, 1.0, 2.0, 0.5, 4.0)
    told = Axes.of(found, 4)(found)
    assert np.allclose(told.mean(axis=0), 0, atol=1e-3)
    assert np.allclose(told.std(axis=0), 1, atol=1e-3)


def test_the_same_vectors_in_another_order_have_the_same_directions() -> None:
    found = vectors(300, 1.0, 2.0, 3.0)
    assert np.allclose(Axes.of(found, 3).directions, Axes.of(found[::-1].copy(), 3).directions, atol=1e-4)


def test_where_vectors_differ_in_few_directions_the_others_say_nothing() -> None:
    few = vectors(3, 1.0, 1.0, 1.0, 1.0, 1.0)  # three points differ in two directions
    told = Axes.of(few, 8)(few)
    assert told.shape == (3, 8)
    assert np.isfinite(told).all()
    assert not told[:, 2:].any()
    assert not Pca.blank(5).sentence(few).any()


def test_a_pca_is_read_as_it_was_written(tmp_path: Path) -> None:
    pca = Pca.of(vectors(50, *[1.0] * 20), vectors(50, *[2.0] * 20))
    pca.save(tmp_path)
    found, texts = Pca.of_folder(tmp_path), vectors(4, *[1.0] * 20)
    assert np.array_equal(found.sentence(texts), pca.sentence(texts))
    assert np.array_equal(found.title(texts), pca.title(texts))
    assert (found.sentence(texts).shape, found.title(texts).shape) == ((4, SENTENCE_AXES), (4, TITLE_AXES))


def test_a_folder_without_a_pca_or_with_a_broken_one_is_told_in_one_line(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(UnusableInput, match=r"no basis\.safetensors that can be read.*linkspot train"):
            Pca.of_folder(tmp_path)
        (tmp_path / "basis.safetensors").write_bytes(b"nothing of the kind")
