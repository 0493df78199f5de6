import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.errors import UnusableInput
from linkspot.examples.even_draw import Portion, drawn_portions, even_draw

WIKIS = {("a", "en"): range(100), ("a", "sw"): range(100, 110), ("a", "fr"): range(200, 300), ("b", "en"): range(5)}


def test_languages_of_a_corpus_share_evenly_and_small_ones_leave_the_rest_to_others() -> None:
    drawn = even_draw(WIKIS, 60, seed=0)
    assert {wiki: len(numbers) for wiki, numbers in drawn.items()} == {
        ("a", "en"): 25,
        ("a", "sw"): 10,
        ("a", "fr"): 25,
        ("b", "en"): 5,
    }


def test_the_seed_decides_what_is_drawn() -> None:
    assert even_draw(WIKIS, 30, seed=1) == even_draw(WIKIS, 30, seed=1)
    assert even_draw(WIKIS, 30, seed=1) != even_draw(WIKIS, 30, seed=2)


@given(
    st.dictionaries(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), st.integers(0, 40)), st.integers(0, 99)
)
def test_no_corpus_gets_more_than_asked_for_and_none_less_than_it_has(
    sizes: dict[tuple[str, str], int], most: int
) -> None:
    drawn = even_draw({wiki: range(size) for wiki, size in sizes.items()}, most, seed=0)
    for corpus in "ab":
        has = sum(size for (name, _), size in sizes.items() if name == corpus)
        got = sum(len(numbers) for (name, _), numbers in drawn.items() if name == corpus)
        assert got == min(has, most)
    assert all(len(set(numbers)) == len(numbers) for numbers in drawn.values())


def test_a_portion_is_drawn_evenly_from_its_corpora_and_what_is_in_no_portion_is_left_out() -> None:
    wikis = {
        ("a", "en"): range(50),
        ("a", "sw"): range(50, 54),
        ("b", "en"): range(100, 103),
        ("c", "fr"): range(200, 300),
    }
    drawn = drawn_portions(wikis, [Portion(("a", "b"), 23)], seed=0)
    counts = {wiki: len(set(numbers) & set(drawn)) for wiki, numbers in wikis.items()}
    assert counts == {("a", "en"): 16, ("a", "sw"): 4, ("b", "en"): 3, ("c", "fr"): 0}
    both = drawn_portions(wikis, [Portion(("a", "b"), 23), Portion(("c",), 7)], seed=0)
    assert [number for number in both if number < 200] == drawn
    assert len(both) == 30


@pytest.mark.parametrize(
    ("portions", "message"),
    [
        ([Portion(("x",), 1)], "a portion asks for 'x'; the dataset has: a, b"),
        ([Portion(("a",), 1), Portion(("b", "a"), 1)], "'a' is in two portions; name each corpus once"),
    ],
)
def test_a_portion_of_what_is_not_there_is_refused_in_one_line(portions: list[Portion], message: str) -> None:
    with pytest.raises(UnusableInput, match=message):
        drawn_portions(WIKIS, portions, seed=0)
