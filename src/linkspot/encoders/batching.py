"""Batches: how sequences go through a network, the same for every network."""

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
    """Return the vectors of each sequence, in the same order, without the padding's."""
    lengths = [len(sequence) for sequence in sequences]
    if lengths and not 1 <= min(lengths) <= max(lengths) <= longest:
        wrong = next(length for length in lengths if not 1 <= length <= longest)
        raise UnusableInput(f"a sequence has {wrong:,} tokens; this encoder takes 1 to {longest:,}: cut it first")

    def vectors_of(batch: list[int]) -> Any:
        return run(*padded([sequences[number] for number in batch], padding))

    by_number: dict[int, Any] = {}
    groups = list(batches(lengths, most_tokens))
    for batch, vectors in zip(groups, each(vectors_of, groups), strict=True):
        by_number |= {number: row[: lengths[number]] for number, row in zip(batch, vectors, strict=True)}
    return [by_number[number] for number in range(len(sequences))]
