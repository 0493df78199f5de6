"""LambdaMART, which the small network of a `dual` head is compared with: trees that LightGBM fits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from linkspot.errors import MissingExtra
from linkspot.model.dual.page_view import Floats
from linkspot.training.head_rows import HeadSample, Rows


class Scorer(Protocol):
    """Gives each sentence a logit: a network, or trees."""

    def __call__(self, matrix: Floats, /) -> Floats:
        """Return a number for each row: (n, features) → (n,)."""
        ...

    def scaled(self, factor: float) -> "Scorer":
        """Return a scorer whose numbers are multiplied by a factor."""
        ...


@dataclass(frozen=True)
class Trees:
    """A sum of regression trees: T of them, with up to N nodes each.

    A row goes left where its feature is at most the threshold. A leaf leads to itself.
    """

    feature: npt.NDArray[np.int32]  # (T, N)
    threshold: Floats  # (T, N)
    left: npt.NDArray[np.int32]  # (T, N)
    right: npt.NDArray[np.int32]  # (T, N)
    value: Floats  # (T, N), 0 where it is not a leaf
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
        """Return trees whose numbers are multiplied by a factor."""
        return replace(self, value=np.float32(factor) * self.value)


@dataclass(frozen=True, slots=True)
class TreesSettings:
    """How trees are fitted; `patience` counts trees without a better MRR on validation."""

    trees: int = 300
    leaves: int = 10
    rate: float = 0.08
    rows_of_leaf: int = 80
    share_of_features: float = 0.4
    patience: int = 60


def fit_trees(
    samples: Sequence[HeadSample], validation: Sequence[HeadSample], settings: TreesSettings, seed: int
) -> Trees:
    """Fit trees that order the sentences of each page, as many as do best on validation."""
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra("trees are fitted by LightGBM; run: pip install 'linkspot[bench]'") from error
    train, test = (Rows.of([sample for sample in part if sample.teaches_places]) for part in (samples, validation))
    data = _data(train)
    booster = lightgbm.train(
        {
            "objective": "lambdarank",
            "metric": "None",
            "learning_rate": settings.rate,
            "num_leaves": settings.leaves,
            "min_data_in_leaf": settings.rows_of_leaf,
            "feature_fraction": settings.share_of_features,
            "lambda_l2": 10.0,
            "seed": seed,
            "deterministic": True,
            "verbose": -1,
        },
        data,
        settings.trees,
        valid_sets=[_data(test, data)],
        feval=lambda scores, _data: ("mrr", test.figures(lambda _matrix: scores).mrr, True),
        callbacks=[lightgbm.early_stopping(settings.patience, verbose=False)],
    )
    return trees_of([tree["tree_structure"] for tree in booster.dump_model(booster.best_iteration)["tree_info"]])


def trees_of(structures: Sequence[Mapping[str, Any]]) -> Trees:
    """Return trees that LightGBM writes as nested nodes, in arrays."""
    flat = [_flat(structure) for structure in structures]
    most = max(len(nodes) for nodes, _ in flat)
    arrays = np.zeros((5, len(flat), most))  # feature, threshold, left, right, value
    for number, (nodes, _) in enumerate(flat):
        arrays[:, number, : len(nodes)] = np.array(nodes).T
    feature, left, right = (arrays[row].astype(np.int32) for row in (0, 2, 3))
    # LightGBM's thresholds are float64: rounded down, the same float32 values are at most as high.
    threshold = arrays[1].astype(np.float32)
    threshold = np.where(threshold > arrays[1], np.nextafter(threshold, np.float32(-np.inf)), threshold)
    return Trees(feature, threshold, left, right, arrays[4].astype(np.float32), max(depth for _, depth in flat))


def _flat(structure: Mapping[str, Any]) -> tuple[list[tuple[float, ...]], int]:
    """Return the nodes of a tree by their numbers, the root first, and how deep the deepest leaf is."""
    nodes: list[tuple[float, ...]] = []
    deepest = 0

    def add(node: Mapping[str, Any], depth: int) -> int:
        nonlocal deepest
        number = len(nodes)
        if "split_feature" not in node:
            nodes.append((0, 0, number, number, node["leaf_value"]))
            deepest = max(deepest, depth)
            return number
        nodes.append(())
        left, right = add(node["left_child"], depth + 1), add(node["right_child"], depth + 1)
        nodes[number] = (node["split_feature"], node["threshold"], left, right, 0)
        return number

    add(structure, 0)
    return nodes, deepest


def _data(rows: Rows, reference: Any = None) -> Any:
    import lightgbm

    lengths = (rows.starts[1:] - rows.starts[:-1]).numpy()
    return lightgbm.Dataset(rows.inputs.numpy(), rows.right.numpy(), group=lengths, reference=reference)
