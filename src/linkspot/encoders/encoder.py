"""The encoder protocol: token ids in, one vector for each token out, whatever runs the network."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
TokenIds = Sequence[int]

MOST_TOKENS = 4_096  # of a batch, padding included: enough to keep two cores busy, little enough to stay in cache


class Encoder(Protocol):
    """Turns sequences of token ids, special tokens included, into vectors."""

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        ...

    @property
    def longest(self) -> int:
        """The most tokens that a sequence may have."""
        ...

    def encode(self, sequences: Sequence[TokenIds]) -> list[Vectors]:
        """Return for each sequence, in the same order, its vectors: (tokens, dimensions)."""
        ...


def batches(lengths: Sequence[int], most_tokens: int = MOST_TOKENS) -> Iterator[list[int]]:
    """Yield the numbers of sequences that go together: of similar length, so that padding costs little.

    A batch padded to its longest sequence has at most `most_tokens`, unless a single sequence is longer.
    """
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lambda n: -lengths[n]):
        if batch and lengths[batch[0]] * (len(batch) + 1) > most_tokens:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def padded(sequences: Sequence[TokenIds], padding: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the sequences as one array, (sequences, tokens), padded at the end, and a mask with 1 for real tokens."""
    longest = max(map(len, sequences))
    ids = np.full((len(sequences), longest), padding, dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, sequence in enumerate(sequences):
        ids[row, : len(sequence)] = sequence
        mask[row, : len(sequence)] = 1
    return ids, mask
