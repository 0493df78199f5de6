import numpy as np

from linkspot.metrics.nearness import best_in_section, near_best
from linkspot.metrics.rankings import Lists
from linkspot.metrics.separation import auc


def lists(*values: list[float]) -> Lists:
    starts = np.concatenate([[0], np.cumsum([len(own) for own in values])]).astype(np.int64)
    return Lists(np.array([value for own in values for value in own]), starts)


def numbers(*values: list[int]) -> Lists:
    found = lists(*[[float(number) for number in own] for own in values])
    return Lists(found.values.astype(np.int64), found.starts)


SCORES = lists([0, 9, 0, 0, 0], [0, 0, 0, 9, 0], [5, 0, 0, 0, 5], [1, 2], [])
GOLD = numbers([3], [0, 4], [1], [], [])


def test_a_best_place_counts_if_it_is_near_a_right_one() -> None:
    assert near_best(SCORES, GOLD, 2).tolist() == [1, 1, 0, 0, 0]
    assert near_best(SCORES, GOLD, 0).tolist() == [0, 0, 0, 0, 0]


def test_of_places_that_share_the_highest_score_the_farthest_counts() -> None:
    assert near_best(SCORES, GOLD, 3).tolist()[2] == 1
    assert near_best(SCORES, GOLD, 2).tolist()[2] == 0


def test_a_best_place_counts_if_its_section_has_a_right_one() -> None:
    sections = numbers([2, 3], [3, 2], [4, 1], [2], [])
    assert best_in_section(SCORES, GOLD, sections).tolist() == [0, 1, 0, 0, 0]
    assert best_in_section(SCORES, GOLD, numbers([5], [0, 5], [5], [2], [])).tolist() == [1, 1, 1, 0, 0]


def test_the_auc_is_the_share_of_pairs_in_the_right_order() -> None:
    higher, lower = np.array([3.0, 1.0, 2.0]), np.array([0.0, 1.0, 2.5])
    pairs = [(a > b) + 0.5 * (a == b) for a in higher for b in lower]
    assert auc(higher, lower) == sum(pairs) / len(pairs)
    assert auc(np.ones(4), np.zeros(2)) == 1
    assert auc(np.ones(4), np.ones(3)) == 0.5
