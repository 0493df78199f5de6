import lightgbm
import numpy as np
import pytest
from tests.training.test_head import CUE, samples

from linkspot.training.head_rows import Rows
from linkspot.training.head_trees import TreesSettings, fit_trees, trees_of

SETTINGS = TreesSettings(trees=20, leaves=4, rows_of_leaf=5, patience=5)


@pytest.mark.parametrize("leaves", [2, 7])
def test_trees_in_arrays_say_what_lightgbm_says(leaves: int) -> None:
    chance = np.random.default_rng(0)
    inputs = chance.normal(size=(400, 6)).astype(np.float32)
    answers = inputs[:, 0] * (inputs[:, 1] > 0) + inputs[:, 2]
    options = {"objective": "regression", "num_leaves": leaves, "min_data_in_leaf": 3, "verbose": -1}
    booster = lightgbm.train(options, lightgbm.Dataset(inputs, answers), 15)
    trees = trees_of([one["tree_structure"] for one in booster.dump_model()["tree_info"]])
    np.testing.assert_allclose(trees(inputs), booster.predict(inputs), atol=1e-5)
    assert np.ptp(trees(inputs)) > 1


def test_trees_learn_to_order_the_sentences_of_a_page() -> None:
    trees = fit_trees(samples(150, 0), samples(40, 1), SETTINGS, seed=0)
    assert Rows.of(samples(60, 2)).figures(trees).hits_at_1 > 0.85
    assert CUE in trees.feature
