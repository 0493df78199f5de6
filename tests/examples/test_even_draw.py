from hypothesis import given
from hypothesis import strategies as st

from linkspot.examples.even_draw import even_draw

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
