import time

from hypothesis import given
from hypothesis import strategies as st

from linkspot.insertions.matching import _unique_pairs, in_common, opcodes, pairs, similarity

_ITEMS = st.lists(st.sampled_from("abcd"), max_size=12)


@given(old=_ITEMS, new=_ITEMS)
def test_the_new_sequence_is_made_of_the_old_one_and_what_came(old: list[str], new: list[str]) -> None:
    made: list[str] = []
    position = 0
    for tag, old_start, old_end, new_start, new_end in opcodes(old, new):
        assert old_start == position
        made += old[old_start:old_end] if tag == "equal" else new[new_start:new_end]
        position = old_end
    assert made == new
    assert position == len(old)


@given(old=_ITEMS, new=_ITEMS)
def test_pairs_are_equal_and_in_the_order_of_both(old: list[str], new: list[str]) -> None:
    found = list(pairs(old, new))
    assert len(found) == in_common(old, new)
    assert all(old[a] == new[b] for a, b in found)
    assert found == sorted(found)
    assert [b for _, b in found] == sorted({b for _, b in found})


@given(one=_ITEMS, other=_ITEMS, least=st.floats(0, 1))
def test_a_likeness_below_the_least_is_none(one: list[str], other: list[str], least: float) -> None:
    share = similarity(one, other)
    assert similarity(one, other, least) == (share if share >= least else 0)
    assert similarity(one, one) == 1


def test_text_that_repeats_itself_takes_no_time() -> None:
    old = ["begin", *(["lol", "ha"] * 20_000), "end"]
    new = ["begin", *(["ha", "lol", "x"] * 13_000), "end"]
    start = time.process_time()
    assert in_common(old, new) == 2
    assert time.process_time() - start < 1


def test_long_texts_are_matched_by_what_stands_in_both_once() -> None:
    old = [f"word{number}" for number in range(20_000)]
    new = [word for item in old for word in (item, f"new {item}")]
    start = time.process_time()
    assert in_common(old, new) == len(old)
    assert time.process_time() - start < 5


@given(old=_ITEMS, new=_ITEMS)
def test_items_that_both_have_once_are_paired_in_order(old: list[str], new: list[str]) -> None:
    unique = list(_unique_pairs(old, new))
    assert all(old[a] == new[b] and old.count(old[a]) == new.count(old[a]) == 1 for a, b in unique)
    assert unique == sorted(unique)
    assert [b for _, b in unique] == sorted({b for _, b in unique})
