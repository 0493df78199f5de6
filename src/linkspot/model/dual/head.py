"""The head of a `dual` model: features → logits, in numpy alone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from linkspot.errors import UnusableInput
from linkspot.files import unfinished
from linkspot.model.config import HEADS
from linkspot.model.cross.scoring import PageScores
from linkspot.model.dual.feature_table import NAMES, PAGE_NAMES
from linkspot.model.dual.features import page_features
from linkspot.model.dual.page_view import Floats
from linkspot.model.mlp import Mlp
from linkspot.model.pooling import NOWHERE, PLACE

_TREES = "trees"


class Scorer(Protocol):
    """Gives each sentence a logit."""

    def __call__(self, matrix: Floats, /) -> Floats:
        """Return a number for each row: (n, features) → (n,)."""
        ...

    def scaled(self, factor: float) -> "Scorer":
        """Return one that says its numbers times a factor."""
        ...

    def tensors(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return what it is made of, by name."""
        ...


@dataclass(frozen=True)
class HeadNetwork:
    """A small network; several that are averaged are one with more hidden units."""

    mlp: Mlp

    def __call__(self, matrix: Floats, /) -> Floats:
        """Return a number for each row."""
        return self.mlp(matrix)

    def scaled(self, factor: float) -> "HeadNetwork":
        """Return one that says its numbers times a factor."""
        return HeadNetwork(self.mlp.scaled(factor))

    def tensors(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return what it is made of."""
        return {**self.mlp.tensors(PLACE)}


@dataclass(frozen=True)
class Trees:
    """Regression trees that are summed up: T of them, with up to N nodes each.

    A row goes left where its feature is at most the threshold. A leaf leads to itself.
    """

    feature: npt.NDArray[np.int32]  # (T, N)
    threshold: Floats  # (T, N)
    left: npt.NDArray[np.int32]  # (T, N)
    right: npt.NDArray[np.int32]  # (T, N)
    value: Floats  # (T, N), 0 where it is no leaf
    depth: int

    def __call__(self, matrix: Floats, /) -> Floats:
        """Return a number for each row; all rows go down all trees at once."""
        rows, trees = np.arange(len(matrix))[:, None], np.arange(len(self.feature))[None]
        node = np.zeros((len(matrix), len(self.feature)), np.int32)
        for _ in range(self.depth):
            is_left = matrix[rows, self.feature[trees, node]] <= self.threshold[trees, node]
            node = np.where(is_left, self.left[trees, node], self.right[trees, node])
        total: Floats = self.value[trees, node].sum(axis=1)
        return total

    def scaled(self, factor: float) -> "Trees":
        """Return trees that say their numbers times a factor."""
        return replace(self, value=np.float32(factor) * self.value)

    def tensors(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return what they are made of."""
        parts = ("feature", "threshold", "left", "right", "value")
        return {f"{_TREES}.{part}": getattr(self, part) for part in parts} | {f"{_TREES}.depth": np.array([self.depth])}


@dataclass(frozen=True)
class Head:
    """Scores the sentences of a page from their features, and *nowhere* from what they say together.

    The logit for *nowhere* is the log-sum-exp of the places' plus what its own network says. So the likelihood of an
    example is the product of two that are learned apart: does the link belong here at all, and if so, where?
    """

    place: Scorer
    nowhere: Mlp

    def scores(self, matrix: Floats) -> PageScores:
        """Return the logits of a page: (n, features) → n places and nowhere."""
        if not len(matrix):
            return PageScores(np.zeros(0, np.float32), 0.0)
        places = self.place(matrix)
        top = float(places.max())
        together = top + float(np.log(np.exp(places - top).sum()))
        return PageScores(places, together + float(self.nowhere(page_features(matrix)[None])[0]))

    def save(self, folder: Path) -> None:
        """Write it into a model's folder."""
        tensors = {
            name: np.ascontiguousarray(tensor)
            for name, tensor in (self.place.tensors() | {**self.nowhere.tensors(NOWHERE)}).items()
        }
        with unfinished(folder / HEADS) as path:
            save_file(tensors, path, metadata=_names())

    @classmethod
    def of_folder(cls, folder: Path) -> "Head":
        """Read it from a model's folder."""
        path = folder / HEADS
        if not path.is_file():
            raise UnusableInput(f"{folder} has no {HEADS}; `linkspot train` with a dual recipe makes one")
        try:
            with safe_open(path, framework="numpy") as file:
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no mapping)
                told = file.metadata()
            if told != _names():
                raise UnusableInput(
                    f"{path} reads other features than this version has; fit it anew with `linkspot train`"
                )
            return cls(_scorer(tensors), Mlp.of_tensors(tensors, NOWHERE))
        except (SafetensorError, KeyError) as error:
            raise UnusableInput(
                f"{path} is no head of a dual model ({error}); fit it anew with `linkspot train`"
            ) from None


def _scorer(tensors: Mapping[str, npt.NDArray[np.generic]]) -> Scorer:
    if f"{_TREES}.depth" not in tensors:
        return HeadNetwork(Mlp.of_tensors(tensors, PLACE))  # type: ignore[arg-type]
    of_trees = {name.removeprefix(f"{_TREES}."): tensor for name, tensor in tensors.items() if name.startswith(_TREES)}
    return Trees(**{**of_trees, "depth": int(of_trees["depth"][0])})  # type: ignore[arg-type]


def _names() -> dict[str, str]:
    """Return the features that a head reads, as it keeps them, so that it never reads others by mistake."""
    return {PLACE: " ".join(NAMES), NOWHERE: " ".join(PAGE_NAMES)}
