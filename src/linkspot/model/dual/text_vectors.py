"""Vectors of texts, as features read them: of a page and of a target."""

from dataclasses import dataclass

import numpy as np

from linkspot.model.dual.page_view import Floats, PageView, around, mean_of_ranges


@dataclass(frozen=True)
class PageVectors:
    """A page's vectors, each of length 1."""

    sentences: Floats  # (n, H)
    titles: Floats  # (s, H)


@dataclass(frozen=True)
class TargetVectors:
    """An entity's vectors, each of length 1; without a lead, the vector of the names takes its place.

    A precedent has the vectors of its passage and of its section's title.
    """

    names: Floats  # (H,)
    lead: Floats  # (H,)
    precedents: tuple[PageVectors, ...] = ()


@dataclass(frozen=True)
class MeanLengths:
    """How long the means of a page's vectors are; divided by them, means of products with a target are cosines.

    They are the same for all targets, so that a page's vectors are summed only once.
    """

    near: Floats  # (n, 1), of the sentences around each
    section: Floats  # (n, 1), of each one's section
    page: Floats  # (1, 1)

    @classmethod
    def of(cls, page: PageView, vectors: PageVectors) -> "MeanLengths":
        """Return the mean lengths of a page."""
        sentences = vectors.sentences
        section = mean_of_ranges(sentences, page.first, page.last + 1)
        return cls(_lengths(around(sentences, page)), _lengths(section), _lengths(sentences.mean(axis=0)[None]))


def unit(vectors: Floats) -> Floats:
    """Return the vectors, one a row, scaled to length 1."""
    return vectors / _lengths(vectors)


def _lengths(vectors: Floats) -> Floats:
    lengths: Floats = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    return lengths
