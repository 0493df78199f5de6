"""PCA: the directions in which an encoder's vectors differ most, so that a head can read what a text is about.

Similarities say how near a text is to the target, and nothing about the text itself: that a section is called
"See also", in whatever language, or that a sentence is one of a list.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from linkspot.errors import UnusableInput
from linkspot.files import unfinished
from linkspot.model.config import PCA
from linkspot.model.dual.feature_table import SENTENCE_AXES, TITLE_AXES
from linkspot.model.dual.page_view import Floats

_TEXTS, _PARTS = ("sentence", "title"), ("mean", "directions")  # a file holds both parts for both texts
_SMALLEST = 1e-4  # deviation: so that a direction without differences is not divided by 0


@dataclass(frozen=True)
class Axes:
    """Some directions, each scaled so that vectors have a deviation of 1 along it."""

    mean: Floats  # (H,)
    directions: Floats  # (H, k)

    def __call__(self, vectors: Floats) -> Floats:
        """Return where vectors lie along the directions: (n, H) → (n, k)."""
        return ((vectors - self.mean) @ self.directions).astype(np.float32)

    @classmethod
    def of(cls, vectors: Floats, count: int) -> "Axes":
        """Return the directions in which vectors differ most; directions without differences give 0."""
        mean = vectors.mean(axis=0, dtype=np.float64)
        _, sizes, components = np.linalg.svd(vectors - mean, full_matrices=False)
        deviations = sizes / np.sqrt(len(vectors))
        # The sign of a direction is arbitrary: its largest number is made positive.
        signs = np.sign(components[np.arange(len(components)), np.abs(components).argmax(axis=1)])
        scaled = components * (signs * (deviations > _SMALLEST) / np.maximum(deviations, _SMALLEST))[:, None]
        directions = np.zeros((vectors.shape[1], count), np.float32)
        directions[:, : len(scaled[:count])] = scaled[:count].T
        return cls(mean.astype(np.float32), directions)


@dataclass(frozen=True)
class Pca:
    """The axes of sentences and those of sections' titles."""

    sentence: Axes
    title: Axes

    @classmethod
    def of(cls, sentences: Floats, titles: Floats) -> "Pca":
        """Return the PCA of vectors, one a row."""
        return cls(Axes.of(sentences, SENTENCE_AXES), Axes.of(titles, TITLE_AXES))

    @classmethod
    def blank(cls, dimensions: int) -> "Pca":
        """Return a PCA that gives 0 for every text."""
        mean = np.zeros(dimensions, np.float32)
        return cls(*(Axes(mean, np.zeros((dimensions, count), np.float32)) for count in (SENTENCE_AXES, TITLE_AXES)))

    def save(self, folder: Path) -> None:
        """Write the PCA into a model's folder."""
        tensors = {
            f"{name}.{part}": np.ascontiguousarray(getattr(axes, part))
            for name, axes in zip(_TEXTS, (self.sentence, self.title), strict=True)
            for part in _PARTS
        }
        with unfinished(folder / PCA) as path:
            save_file(tensors, path)

    @classmethod
    def of_folder(cls, folder: Path) -> "Pca":
        """Read the PCA from a model's folder."""
        try:
            tensors = load_file(folder / PCA)
            return cls(*(Axes(*(tensors[f"{name}.{part}"] for part in _PARTS)) for name in _TEXTS))
        except (OSError, SafetensorError, KeyError) as error:
            raise UnusableInput(
                f"{folder} has no {PCA} that can be read ({error}); fit the model again with `linkspot train`"
            ) from None
