"""Vectors of texts, as features read them: those of a page and those of a target."""

from dataclasses import dataclass

import numpy as np

from linkspot.model.page_view import Floats


@dataclass(frozen=True)
class PageVectors:
    """A page's vectors, each of length 1."""

    sentences: Floats  # (n, H)
    titles: Floats  # (s, H)


@dataclass(frozen=True)
class TargetVectors:
    """An entity's vectors, each of length 1; without a lead, that of the names stands for it.

    Of each precedent there are those of its passage, and of its section's title.
    """

    names: Floats  # (H,)
    lead: Floats  # (H,)
    precedents: tuple[PageVectors, ...] = ()


def unit(vectors: Floats) -> Floats:
    """Return the vectors, one a row, each made as long as 1."""
    made: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    return made
