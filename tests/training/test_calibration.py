from dataclasses import replace

import numpy as np
import pytest

from linkspot.model.dual.feature_table import NAMES, PAGE_NAMES
from linkspot.model.dual.head import Head
from linkspot.model.mlp import Mlp
from linkspot.training.calibration import MIXTURE, QuestionKind, calibrated
from linkspot.training.head_rows import HeadSample

WIDTH, PAGE_WIDTH = len(NAMES), len(PAGE_NAMES)
SPREAD = 1.5  # of the true logits


def _reader(column: int, inputs: int, factor: float, shift: float = 0.0) -> Mlp:
    """Return a network that says one of its inputs, scaled; two hidden units, as ReLU keeps one sign each."""
    weight = np.zeros((2, inputs), np.float32)
    weight[0, column], weight[1, column] = 1, -1
    last = np.array([[factor, -factor]], np.float32)
    return Mlp(weight, np.zeros(2, np.float32), last, np.array([shift], np.float32))


def _samples(count: int = 3_000) -> list[HeadSample]:
    """Return pages whose first feature is the true logit of a place; every third page has none."""
    draw = np.random.default_rng(0)
    found = []
    for number in range(count):
        matrix = np.zeros((6, WIDTH), np.float32)
        matrix[:, 0] = SPREAD * draw.normal(size=6)
        odds = np.exp(matrix[:, 0])
        right = int(draw.choice(6, p=odds / odds.sum()))
        found.append(HeadSample(matrix, () if number % 3 == 0 else (right,)))
    return found


@pytest.mark.parametrize("factor", [0.2, 1.0, 6.0])
def test_a_temperature_brings_places_to_their_true_logits(factor: float) -> None:
    head = Head(_reader(0, WIDTH, factor), _reader(0, PAGE_WIDTH, 0.0))
    found = calibrated(head, _samples())
    row = np.zeros((1, WIDTH), np.float32)
    row[0, 0] = 1
    assert found.place(row)[0] == pytest.approx(1.0, abs=0.1)


def test_nowhere_is_said_as_often_as_it_is_true() -> None:
    head = Head(_reader(0, WIDTH, 1.0), _reader(0, PAGE_WIDTH, 0.0, shift=5.0))
    said = calibrated(head, _samples()).nowhere(np.zeros((1, PAGE_WIDTH), np.float32))[0]
    placed, new = MIXTURE[QuestionKind.PLACED], MIXTURE[QuestionKind.NEW_SECTION]
    assert 1 / (1 + np.exp(-said)) == pytest.approx(new / (placed + new), abs=0.01)


def test_the_mixture_decides_how_often_a_link_belongs_nowhere_not_how_many_were_learned_from() -> None:
    samples = [replace(one, is_stranger=not one.gold and number % 2 == 0) for number, one in enumerate(_samples())]
    head = Head(_reader(0, WIDTH, 1.0), _reader(0, PAGE_WIDTH, 0.0, shift=5.0))
    said = calibrated(head, samples).nowhere(np.zeros((1, PAGE_WIDTH), np.float32))[0]
    assert 1 / (1 + np.exp(-said)) == pytest.approx(1 - MIXTURE[QuestionKind.PLACED], abs=0.01)


def test_places_are_surer_where_a_fact_says_that_they_are_right() -> None:
    known = NAMES.index("mentions_in_page")
    samples = _samples()
    for number, one in enumerate(samples):  # where the target is named, the features say only half of the true logits
        one.matrix[:, known] = number % 2
        one.matrix[:, 0] *= 1 - 0.5 * (number % 2)
    head = Head(_reader(0, WIDTH, 1.0), _reader(0, PAGE_WIDTH, 0.0))
    found = calibrated(head, samples)
    matrix = np.zeros((2, WIDTH), np.float32)
    matrix[1, 0] = 1
    without = np.subtract(*found.scores(matrix).places[::-1])
    matrix[:, known] = 1
    assert np.subtract(*found.scores(matrix).places[::-1]) == pytest.approx(2 * without, rel=0.1)
    assert without == pytest.approx(1, abs=0.1)


def test_the_order_of_places_stays() -> None:
    rows = np.random.default_rng(1).normal(size=(50, WIDTH)).astype(np.float32)
    head = Head(_reader(3, WIDTH, 7.0), _reader(0, PAGE_WIDTH, 1.0))
    found = calibrated(head, _samples(300))
    assert np.argsort(found.place(rows)).tolist() == np.argsort(head.place(rows)).tolist()


def test_validation_that_knows_no_nowhere_leaves_it_as_it_is() -> None:
    head = Head(_reader(0, WIDTH, 1.0), _reader(0, PAGE_WIDTH, 1.0))
    found = calibrated(head, [one for one in _samples(60) if one.gold])
    assert found.nowhere is head.nowhere


def test_a_single_example_does_not_make_a_model_certain() -> None:
    matrix = np.zeros((6, WIDTH), np.float32)
    matrix[2, 0] = 1
    head = Head(_reader(0, WIDTH, 1.0), _reader(0, PAGE_WIDTH, 0.0))
    row, page = matrix[2:3], np.zeros((1, PAGE_WIDTH), np.float32)
    adapted = calibrated(head, [HeadSample(matrix, (2,)), HeadSample(matrix, ())])
    assert 1 < adapted.place(row)[0] < 2.5
    assert abs(adapted.nowhere(page)[0]) < 1
