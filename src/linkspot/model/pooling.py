"""Pooling: what each kind of model takes from the encoder's vectors; one code for torch in training, numpy in serving.

Shapes: H is the encoder's dimensions, C the candidates of an input, T the tokens of a sequence. `arrays` is the module
torch or numpy; only what both have is used.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from linkspot.model.config import ModelKind
from linkspot.model.encoder_inputs import EncoderInput

PLACE, NOWHERE = "place", "nowhere"  # the heads, by their names

Array = Any  # a torch.Tensor or a numpy.ndarray
Pool = Callable[[EncoderInput, Sequence[Array], Any], Array]


@dataclass(frozen=True, slots=True)
class Pooling:
    """What the heads of a kind of model read: for each candidate, `vectors` of the encoder, joined by `pool`.

    A kind that reads whole pages can say *nowhere here*.
    """

    vectors: int
    pool: Pool
    reads_pages: bool = False


def _window(encoder_input: EncoderInput, vectors: Sequence[Array], arrays: Any) -> Array:
    """Return each candidate's first token, [CLS]: (C, H)."""
    return _means(encoder_input, vectors, arrays)


def _article(encoder_input: EncoderInput, vectors: Sequence[Array], arrays: Any) -> Array:
    """Return the mean of each sentence's tokens, joined with its closing separator: (C, 2H)."""
    closing = arrays.stack([vectors[place.sequence][place.end] for place in encoder_input.places])
    return arrays.concatenate((_means(encoder_input, vectors, arrays), closing), 1)


def _triple(encoder_input: EncoderInput, vectors: Sequence[Array], arrays: Any) -> Array:
    """Return each candidate's first token, joined with the target's and the source's: (C, 3H)."""
    target_and_source = arrays.concatenate((vectors[0][0], vectors[1][0]))
    candidates = _means(encoder_input, vectors, arrays)
    return arrays.concatenate(
        (candidates, arrays.broadcast_to(target_and_source, (len(candidates), len(target_and_source)))), 1
    )


def similarities(encoder_input: EncoderInput, vectors: Sequence[Array], arrays: Any) -> Array:
    """Return the cosines of each sentence and the target's names, and of each sentence and its lead: (C, 2)."""
    target = _unit(arrays.stack([vectors[0].mean(0), vectors[1].mean(0)]))
    return _unit(_means(encoder_input, vectors, arrays)) @ target.T


POOLINGS = {
    ModelKind.WINDOW: Pooling(1, _window),
    ModelKind.TRIPLE: Pooling(3, _triple),
    ModelKind.ARTICLE: Pooling(2, _article, reads_pages=True),
}


def page_vector(vectors: Sequence[Array], arrays: Any) -> Array:
    """Return the mean of the sequences' first tokens: the page as a whole, seen with the target, (1, H)."""
    return arrays.stack([sequence[0] for sequence in vectors]).mean(0)[None]


def _means(encoder_input: EncoderInput, vectors: Sequence[Array], arrays: Any) -> Array:
    return arrays.stack([vectors[place.sequence][place.start : place.end].mean(0) for place in encoder_input.places])


def _unit(vectors: Array) -> Array:
    return vectors / (vectors * vectors).sum(1)[:, None] ** 0.5
