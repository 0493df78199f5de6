"""How each kind of model reads the encoder's vectors: written once, for torch in training and numpy in serving.

Shapes: H is the encoder's dimensions, C an item's candidates, T the tokens of a sequence. `arrays` is the module torch
or numpy; of both only what they share is used.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from linkspot.model.config import ModelKind
from linkspot.model.encoder_inputs import EncoderInput

PLACE, NOWHERE = "place", "nowhere"  # the heads, by their names

Array = Any  # a torch.Tensor or a numpy.ndarray
Read = Callable[[EncoderInput, Sequence[Array], Any], Array]


@dataclass(frozen=True, slots=True)
class Pooling:
    """What the heads of a kind of model read: `vectors` of the encoder's for each candidate, put together by `read`.

    A kind that reads pages whole can say *nowhere here*.
    """

    vectors: int
    read: Read
    reads_pages: bool = False


def _window(item: EncoderInput, vectors: Sequence[Array], arrays: Any) -> Array:
    """Return each candidate's first token, [CLS]: (C, H)."""
    return _means(item, vectors, arrays)


def _article(item: EncoderInput, vectors: Sequence[Array], arrays: Any) -> Array:
    """Return the mean of each sentence's tokens, joined with its closing separator: (C, 2H)."""
    closing = arrays.stack([vectors[place.sequence][place.end] for place in item.places])
    return arrays.concatenate((_means(item, vectors, arrays), closing), 1)


def _triple(item: EncoderInput, vectors: Sequence[Array], arrays: Any) -> Array:
    """Return each candidate's first token, joined with the target's and the source's: (C, 3H)."""
    told = arrays.concatenate((vectors[0][0], vectors[1][0]))
    candidates = _means(item, vectors, arrays)
    return arrays.concatenate((candidates, arrays.broadcast_to(told, (len(candidates), len(told)))), 1)


def similarities(item: EncoderInput, vectors: Sequence[Array], arrays: Any) -> Array:
    """Return the cosines of each sentence and the target's names, and of each sentence and its lead: (C, 2)."""
    target = _unit(arrays.stack([vectors[0].mean(0), vectors[1].mean(0)]))
    return _unit(_means(item, vectors, arrays)) @ target.T


POOLINGS = {
    ModelKind.WINDOW: Pooling(1, _window),
    ModelKind.TRIPLE: Pooling(3, _triple),
    ModelKind.ARTICLE: Pooling(2, _article, reads_pages=True),
}


def page_vector(vectors: Sequence[Array], arrays: Any) -> Array:
    """Return the mean of the sequences' first tokens: the page as a whole, seen with the target, (1, H)."""
    return arrays.stack([sequence[0] for sequence in vectors]).mean(0)[None]


def _means(item: EncoderInput, vectors: Sequence[Array], arrays: Any) -> Array:
    return arrays.stack([vectors[place.sequence][place.start : place.end].mean(0) for place in item.places])


def _unit(vectors: Array) -> Array:
    return vectors / (vectors * vectors).sum(1)[:, None] ** 0.5
