"""Sequences through a network in batches: the same for every network that runs them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from linkspot.encoders.encoder import MOST_TOKENS, TokenIds, batches, padded
from linkspot.errors import UnusableInput

# Token ids and mask, each (sequences, tokens), to an array or tensor of vectors (sequences, tokens, dimensions).
RunsBatch = Callable[[npt.NDArray[np.int64], npt.NDArray[np.int64]], Any]
RunsEach = Callable[[Callable[[list[int]], Any], Iterable[list[int]]], Iterable[Any]]  # as map does, or on threads


def encode_in_batches(
    sequences: Sequence[TokenIds],
    run: RunsBatch,
    padding: int,
    longest: int,
    most_tokens: int = MOST_TOKENS,
    each: RunsEach = map,
) -> list[Any]:
    """Return for each sequence, in the same order, its vectors, without those of the padding."""
    lengths = [len(sequence) for sequence in sequences]
    if lengths and not 1 <= min(lengths) <= max(lengths) <= longest:
        wrong = next(length for length in lengths if not 1 <= length <= longest)
        raise UnusableInput(f"a sequence has {wrong:,} tokens; this encoder takes 1 to {longest:,}: cut it first")

    def vectors_of(batch: list[int]) -> Any:
        return run(*padded([sequences[number] for number in batch], padding))

    found: dict[int, Any] = {}
    together = list(batches(lengths, most_tokens))
    for batch, vectors in zip(together, each(vectors_of, together), strict=True):
        found |= {number: row[: lengths[number]] for number, row in zip(batch, vectors, strict=True)}
    return [found[number] for number in range(len(sequences))]
