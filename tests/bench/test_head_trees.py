import numpy as np
import pytest
from bench.head_trees import Trees, TreesSettings, fit_trees, trees_of
from tests.training.test_head import CUE, samples

from linkspot.training.head_rows import Rows

SETTINGS = TreesSettings(trees=20, leaves=4, rows_of_leaf=5, patience=5)
REASON = "only bench fits trees: pip install 'linkspot[bench]'"


def trees() -> Trees:
    """Two stumps: 1 where feature 0 is above 0, and 10 where feature 1 is above 5."""
    node = np.array([[0, 1, 2]] * 2, np.int32)
    return Trees(
        np.array([[0, 0, 0], [1, 0, 0]], np.int32),
        np.array([[0, 0, 0], [5, 0, 0]], np.float32),
        np.where(node == 0, 1, node).astype(np.int32),
        np.where(node == 0, 2, node).astype(np.int32),
        np.array([[0, 0, 1], [0, 0, 10]], np.float32),
        depth=3,
    )


def test_a_row_goes_left_at_the_threshold_and_right_above() -> None:
    rows = np.zeros((4, 2), np.float32)
    rows[1, 0], rows[2, 1], rows[3] = 0.1, 5.0, (1, 6)
    assert trees()(rows).tolist() == [0, 1, 0, 11]


@pytest.mark.parametrize("leaves", [2, 7])
def test_trees_in_arrays_say_what_lightgbm_says(leaves: int) -> None:
    lightgbm = pytest.importorskip("lightgbm", reason=REASON)
    chance = np.random.default_rng(0)
    inputs = chance.normal(size=(400, 6)).astype(np.float32)
    answers = inputs[:, 0] * (inputs[:, 1] > 0) + inputs[:, 2]
    options = {"objective": "regression", "num_leaves": leaves, "min_data_in_leaf": 3, "verbose": -1}
    booster = lightgbm.train(options, lightgbm.Dataset(inputs, answers), 15)
    fitted = trees_of([one["tree_structure"] for one in booster.dump_model()["tree_info"]])
    np.testing.assert_allclose(fitted(inputs), booster.predict(inputs), atol=1e-5)
    assert np.ptp(fitted(inputs)) > 1


def test_trees_learn_to_order_the_sentences_of_a_page() -> None:
    pytest.importorskip("lightgbm", reason=REASON)
    fitted = fit_trees(samples(150, 0), samples(40, 1), SETTINGS, seed=0)
    assert Rows.of(samples(60, 2)).figures(fitted).hits_at_1 > 0.85
    assert CUE in fitted.feature
