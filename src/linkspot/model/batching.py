"""Sequences through a network in batches: the same for every network that runs them."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from linkspot.errors import UnusableInput
from linkspot.model.encoder import MOST_TOKENS, TokenIds, Vectors, batches, padded

# Token ids and mask, each (sequences, tokens), to vectors (sequences, tokens, dimensions).
Network = Callable[[npt.NDArray[np.int64], npt.NDArray[np.int64]], Vectors]


def encode_in_batches(
    sequences: Sequence[TokenIds], network: Network, padding: int, longest: int, most_tokens: int = MOST_TOKENS
) -> list[Vectors]:
    """Return for each sequence, in the same order, its vectors, without those of the padding."""
    lengths = [len(sequence) for sequence in sequences]
    if lengths and not 1 <= min(lengths) <= max(lengths) <= longest:
        wrong = next(length for length in lengths if not 1 <= length <= longest)
        raise UnusableInput(f"a sequence has {wrong:,} tokens; this encoder takes 1 to {longest:,}: cut it first")
    found: dict[int, Vectors] = {}
    for batch in batches(lengths, most_tokens):
        vectors = network(*padded([sequences[number] for number in batch], padding))
        found |= {number: row[: lengths[number]] for number, row in zip(batch, vectors, strict=True)}
    return [found[number] for number in range(len(sequences))]
