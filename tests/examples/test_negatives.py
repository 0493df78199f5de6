from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples.linked_pages import ALWAYS, linked_page, linked_pages, seeds

from linkspot.errors import UnusableInput
from linkspot.examples.candidates import Candidate, candidates
from linkspot.examples.context_removal import Problem, remove_context, without_removal
from linkspot.examples.linked_example import LinkedExample, target_finder
from linkspot.examples.negatives import elsewhere_in, window_problem
from linkspot.examples.removal_spots import Removal
from linkspot.records import Article, Entity, Example

OTHERS = [linked_page([6, 6], 7, mention="zebra").article, linked_page([8], 2, mention="lion").article]
ZEBRA = target_finder(Entity("Zebra"), "en")


class _Pages:
    def __len__(self) -> int:
        return len(OTHERS)

    def article(self, number: int) -> Article:
        return OTHERS[number]


ELSEWHERE = elsewhere_in(_Pages())


@given(linked_pages(), st.sampled_from(list(Removal)), seeds, st.integers(1, 12))
def test_negatives_are_wrong_and_their_contexts_do_not_name_the_target(
    linked: LinkedExample, removal: Removal, draw: Random, count: int
) -> None:
    problem = remove_context(linked, draw, ALWAYS[removal])
    window = window_problem(problem, draw, count, elsewhere=ELSEWHERE, finder=linked.finder)
    assert window is not None
    page = candidates(problem.example.article)
    right = [page[number] for number in problem.example.gold]
    assert window.positive in right
    assert not any(negative in right or ZEBRA.find(negative.context) for negative in window.negatives)
    assert len(window.negatives) + window.missing == count
    assert all(window.negatives.count(negative) == 1 for negative in window.negatives)


def test_hard_ones_come_first() -> None:
    problem = without_removal(linked_page([30, 30], 3))
    page = candidates(problem.example.article)
    window = window_problem(problem, Random(0), elsewhere=ELSEWHERE, finder=ZEBRA)
    assert window is not None
    assert all(negative in page for negative in window.negatives)


def test_easy_ones_fill_up_what_the_page_lacks() -> None:
    problem = without_removal(linked_page([2, 3], 0))  # the first section's contexts name the target
    page = candidates(problem.example.article)
    window = window_problem(problem, Random(0), elsewhere=ELSEWHERE, finder=ZEBRA)
    assert window is not None
    assert [negative in page for negative in window.negatives] == [True] * 3 + [False] * 6


def test_what_cannot_be_filled_up_is_counted() -> None:
    def only_zebras(_: Random) -> Candidate:
        return candidates(linked_page([1], 0).article)[0]

    window = window_problem(without_removal(linked_page([1], 0)), Random(0), elsewhere=only_zebras, finder=ZEBRA)
    assert window is not None
    assert (window.negatives, window.missing) == ((), 9)


def test_a_link_that_belongs_nowhere_makes_no_window() -> None:
    problem = Problem(Example(Entity("Zebra"), OTHERS[1], ()))
    assert window_problem(problem, Random(0), elsewhere=ELSEWHERE, finder=ZEBRA) is None


def test_without_negatives_nothing_can_be_learned() -> None:
    with pytest.raises(UnusableInput, match="0 negatives; expected 1 or more"):
        window_problem(without_removal(linked_page([3], 0)), Random(0), 0, elsewhere=ELSEWHERE, finder=ZEBRA)


def test_the_finder_may_know_more_names_than_the_problem() -> None:
    linked = linked_page([20, 20], 30)
    finder = target_finder(linked.entity, "en", "word12")
    window = window_problem(without_removal(linked), Random(0), 40, elsewhere=ELSEWHERE, finder=finder)
    assert window is not None
    assert not any("word12" in negative.context for negative in window.negatives)
