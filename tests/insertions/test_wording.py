from hypothesis import given
from hypothesis import strategies as st

from linkspot.insertions.readings import Reading
from linkspot.insertions.wording import may_occur, wording_before
from linkspot.source_map import Span

_TEXT = st.lists(st.sampled_from(["a", "Signal", "signal", "(x)", "en/Signals", "&&", "信", "号"]), max_size=7).map(
    " ".join
)


@given(old=_TEXT, new=_TEXT, data=st.data())
def test_a_sentence_that_has_not_all_words_is_rightly_left_out(old: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(new)))
    words = Span(start, data.draw(st.integers(start, len(new))))
    folders = data.draw(st.sampled_from([(), (Span(0, min(3, len(new))),)]))
    before, after = Reading(old), Reading(new, folders)
    assert may_occur(before, after, words) or not wording_before(before, after, words).occurrences


def test_words_need_not_stand_together_to_be_compared() -> None:
    old, new = Reading("Red cars stop at a signal."), Reading("A red signal shines.")
    assert may_occur(old, new, Span(2, 12))
    assert not may_occur(old, new, Span(13, 19))
