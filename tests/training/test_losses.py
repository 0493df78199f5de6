import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from linkspot.training.losses import listwise, pointwise


def test_listwise_is_the_cross_entropy_of_a_softmax() -> None:
    scores = torch.tensor([2.0, 1.0, 0.0])
    expected = -math.log(math.exp(1) / (math.exp(2) + math.exp(1) + 1))
    assert listwise(scores, [1], [], False).item() == pytest.approx(expected)


def test_several_right_answers_count_together() -> None:
    scores = torch.zeros(4)
    assert listwise(scores, [0, 2], [], False).item() == pytest.approx(math.log(2))


def test_what_is_ignored_is_no_rival_and_learns_nothing() -> None:
    scores = torch.tensor([0.0, 9.0, 0.0], requires_grad=True)
    loss = listwise(scores, [0], [1], False)
    assert loss.item() == pytest.approx(math.log(2))
    loss.backward()
    assert scores.grad is not None
    assert scores.grad[1] == 0


@pytest.mark.parametrize("loss", [listwise, pointwise])
def test_without_gold_nowhere_is_the_answer(loss: object) -> None:
    scores = torch.tensor([0.0, 0.0, 5.0], requires_grad=True)
    loss(scores, [], [], True).backward()  # type: ignore[operator]
    assert scores.grad is not None
    assert scores.grad[2] < 0 < scores.grad[0]


def test_without_gold_and_without_nowhere_there_is_nothing_to_learn() -> None:
    with pytest.raises(ValueError, match="teaches nothing"):
        listwise(torch.zeros(3), [], [], False)


def test_pointwise_is_the_mean_of_binary_cross_entropies() -> None:
    scores = torch.tensor([1.0, -2.0, 7.0])
    expected = (math.log(1 + math.exp(-1)) + math.log(1 + math.exp(-2))) / 2
    assert pointwise(scores, [0], [2], False).item() == pytest.approx(expected)


@given(st.lists(st.floats(-30, 30), min_size=1, max_size=12), st.data())
def test_a_higher_right_score_never_costs_more(values: list[float], data: st.DataObject) -> None:
    gold = data.draw(st.integers(0, len(values) - 1))
    raised = [value + (1 if number == gold else 0) for number, value in enumerate(values)]
    for loss in (listwise, pointwise):
        before, after = (loss(torch.tensor(scores), [gold], [], False).item() for scores in (values, raised))
        assert after <= before + 1e-6
