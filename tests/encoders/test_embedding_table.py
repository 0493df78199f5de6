from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from linkspot.encoders.embedding_table import EmbeddingTable, unpack_4_bits, write_table
from linkspot.errors import UnusableInput

WEIGHTS = np.random.default_rng(0).normal(size=(50, 72)).astype(np.float32)  # 72: the last block of a row is not full


def _table(folder: Path, bits: int, weights: np.ndarray = WEIGHTS) -> EmbeddingTable:
    write_table(weights, bits, folder)
    return EmbeddingTable(folder)


def _bytes(bits: int) -> int:
    return {32: 50 * 72 * 4, 8: 50 * 3 * 34, 4: 50 * 3 * 18}[bits]


@pytest.mark.parametrize(("bits", "apart"), [(32, 0), (8, 0.02), (4, 0.5)])
def test_a_row_comes_back_as_well_as_its_bits_allow(tmp_path: Path, bits: int, apart: float) -> None:
    found = _table(tmp_path, bits).lookup(np.arange(50))
    assert found.dtype == np.float32
    assert np.abs(found - WEIGHTS).max() <= apart
    assert (tmp_path / "embeddings.bin").stat().st_size == _bytes(bits)


@pytest.mark.parametrize("bits", [32, 8, 4])
def test_tokens_keep_their_places_in_batches_of_any_shape(tmp_path: Path, bits: int) -> None:
    table = _table(tmp_path, bits)
    ids = np.array([[3, 49, 3], [0, 7, 3]])
    found = table.lookup(ids)
    assert found.shape == (2, 3, 72)
    for place in np.ndindex(2, 3):
        assert np.array_equal(found[place], table.lookup(ids[place][None])[0])
    assert table.lookup(np.zeros((0, 4), dtype=np.int64)).shape == (0, 4, 72)


@given(
    arrays.arrays(np.uint8, (4, 16)),
    arrays.arrays(np.float16, (4, 1), elements=st.floats(-4, 4, width=16)),
)
def test_weights_that_had_four_bits_lose_nothing(halves: np.ndarray, scales: np.ndarray) -> None:
    halves[:, 0] &= 0xF0  # in such weights the number farthest from zero is -8 of the scale, kept as 0
    given_blocks = np.concatenate([scales.view(np.uint8), halves], axis=1)
    weights = unpack_4_bits(given_blocks)
    with TemporaryDirectory() as folder:
        assert np.array_equal(_table(Path(folder), 4, weights).lookup(np.arange(4)), weights)


def test_zeros_stay_zeros(tmp_path: Path) -> None:
    for bits in (8, 4):
        assert not _table(tmp_path, bits, np.zeros((3, 32), np.float32)).lookup(np.arange(3)).any()


def test_a_token_of_another_model_is_told(tmp_path: Path) -> None:
    table = _table(tmp_path, 8)
    for token in (50, -1):
        with pytest.raises(UnusableInput, match=f"token {token} is not one of the encoder's 50"):
            table.lookup(np.array([1, token]))


def test_a_damaged_table_is_told(tmp_path: Path) -> None:
    _table(tmp_path, 8)
    (tmp_path / "embeddings.bin").write_bytes(b"abc")
    with pytest.raises(UnusableInput, match="has 3 bytes, expected 5,100; export the model again"):
        EmbeddingTable(tmp_path)
    (tmp_path / "embeddings.json").write_text('{"rows": 1, "width": 2, "bits": 5}')
    with pytest.raises(UnusableInput, match="5 bits"):
        EmbeddingTable(tmp_path)
    (tmp_path / "embeddings.json").unlink()
    with pytest.raises(UnusableInput, match="does not describe the table of embeddings"):
        EmbeddingTable(tmp_path)
