"""A vocabulary's embeddings in a file of 32, 8 or 4 bits a number, looked up token by token in a memory map.

With fewer than 32 bits a row is cut into blocks of 32 numbers, and a block is a float16 scale followed by its numbers:
as int8, or as half-bytes that stand for -8 … 7, the first sixteen of a block in the low halves, the others in the high.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from linkspot.encoders.encoder import Vectors
from linkspot.errors import UnusableInput
from linkspot.field_types import checked

BITS = (32, 8, 4)
TABLE, SHAPE = "embeddings.bin", "embeddings.json"
_BLOCK = 32
_SCALE_BYTES = 2
_ROWS_AT_ONCE = 8_192
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class TableShape:
    """The layout of a table in its file."""

    rows: int
    width: int
    bits: int

    def __post_init__(self) -> None:
        if self.bits not in BITS:
            raise UnusableInput(
                f"embeddings cannot have {self.bits} bits a number; choose one of: {', '.join(map(str, BITS))}"
            )

    @property
    def blocks(self) -> int:
        """How many blocks make a row; the last is filled up with zeros."""
        return -(-self.width // _BLOCK)

    @property
    def row_bytes(self) -> int:
        """How many bytes a row takes."""
        return self.width * 4 if self.bits == 32 else self.blocks * (_SCALE_BYTES + _BLOCK * self.bits // 8)


class EmbeddingTable:
    """Gives the embeddings of token ids, from a file that is mapped into memory."""

    def __init__(self, folder: Path) -> None:
        self.shape = _read_shape(folder / SHAPE)
        path = folder / TABLE
        expected = self.shape.rows * self.shape.row_bytes
        size = path.stat().st_size if path.is_file() else 0
        if size != expected:
            raise UnusableInput(f"{path} has {size:,} bytes, expected {expected:,}; export the model again")
        self._bytes = np.memmap(path, np.uint8, "r", shape=(self.shape.rows, self.shape.row_bytes))

    def lookup(self, ids: npt.NDArray[np.int64]) -> Vectors:
        """Return the embeddings of token ids of any shape: (*shape, width)."""
        tokens, inverse = np.unique(ids, return_inverse=True)  # most words of a page occur more than once
        if tokens.size and not 0 <= tokens[0] <= tokens[-1] < self.shape.rows:
            wrong = tokens[0] if tokens[0] < 0 else tokens[-1]
            raise UnusableInput(
                f"token {wrong:,} is not one of the encoder's {self.shape.rows:,}; the tokenizer is another model's"
            )
        rows = _DECODERS[self.shape.bits](np.asarray(self._bytes[tokens]))
        return rows[:, : self.shape.width][inverse.reshape(ids.shape)]


def write_table(weights: Vectors, bits: int, folder: Path) -> None:
    """Write embeddings, (tokens, width), as the table of a folder."""
    rows, width = weights.shape
    shape = TableShape(rows, width, bits)
    (folder / SHAPE).write_text(json.dumps(asdict(shape)) + "\n", encoding="utf-8")
    with (folder / TABLE).open("wb") as file:
        for start in range(0, shape.rows, _ROWS_AT_ONCE):
            part = np.ascontiguousarray(weights[start : start + _ROWS_AT_ONCE], dtype="<f4")
            file.write(_ENCODERS[bits](part).tobytes())


def unpack_4_bits(blocks: Bytes) -> Vectors:
    """Return the numbers of 4-bit blocks: (…, 18) bytes, (…, 32) numbers."""
    halves = blocks[..., _SCALE_BYTES:]
    numbers = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32)
    numbers -= 8
    numbers *= _scales(blocks)
    return numbers


def _read_shape(path: Path) -> TableShape:
    try:
        return checked(TableShape(**json.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise UnusableInput(
            f"{path} does not describe the table of embeddings; export the model again ({error})"
        ) from None


def _scales(blocks: Bytes) -> Vectors:
    return np.ascontiguousarray(blocks[..., :_SCALE_BYTES]).view("<f2").astype(np.float32)


def _decode_32(rows: Bytes) -> Vectors:
    return rows.view("<f4").astype(np.float32, copy=False)


def _decode_8(rows: Bytes) -> Vectors:
    blocks = _byte_blocks(rows, _SCALE_BYTES + _BLOCK)
    numbers = blocks[..., _SCALE_BYTES:].view(np.int8).astype(np.float32)
    numbers *= _scales(blocks)
    return numbers.reshape(len(rows), blocks.shape[1] * _BLOCK)


def _decode_4(rows: Bytes) -> Vectors:
    blocks = _byte_blocks(rows, _SCALE_BYTES + _BLOCK // 2)
    return unpack_4_bits(blocks).reshape(len(rows), blocks.shape[1] * _BLOCK)


def _byte_blocks(rows: Bytes, size: int) -> Bytes:
    return rows.reshape(len(rows), rows.shape[1] // size, size)


def _encode_32(rows: Vectors) -> Bytes:
    return rows.view(np.uint8)


def _encode_8(rows: Vectors) -> Bytes:
    blocks = _blocks(rows)
    scales = (np.abs(blocks).max(axis=-1, keepdims=True) / 127).astype("<f2")
    numbers = np.clip(np.rint(blocks / _divisors(scales)), -127, 127).astype(np.int8)
    return np.concatenate([scales.view(np.uint8), numbers.view(np.uint8)], axis=-1)


def _encode_4(rows: Vectors) -> Bytes:
    blocks = _blocks(rows)
    # The number farthest from zero becomes -8, so that weights that already had 4 bits do not change.
    farthest = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=-1)[..., None], axis=-1)
    scales = (farthest / -8).astype("<f2")
    numbers = (np.clip(np.rint(blocks / _divisors(scales)), -8, 7) + 8).astype(np.uint8)
    half = _BLOCK // 2
    return np.concatenate([scales.view(np.uint8), numbers[..., :half] | numbers[..., half:] << 4], axis=-1)


def _blocks(rows: Vectors) -> Vectors:
    """Cut rows into blocks: (rows, blocks, 32)."""
    filled = np.pad(rows, ((0, 0), (0, -rows.shape[1] % _BLOCK)))
    return filled.reshape(len(rows), -1, _BLOCK)


def _divisors(scales: npt.NDArray[np.float16]) -> Vectors:
    """Return the scales to divide by; a block of zeros has none."""
    return np.where(scales == 0, np.float32(1), scales.astype(np.float32))


_DECODERS: dict[int, Callable[[Bytes], Vectors]] = {32: _decode_32, 8: _decode_8, 4: _decode_4}
_ENCODERS: dict[int, Callable[[Vectors], Bytes]] = {32: _encode_32, 8: _encode_8, 4: _encode_4}
