import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.source_map import Element, SourceMap, Span, TextRun

# A <b>big</b> dog.<ref/> barks  →  A big dog. barks
MARKUP = "A <b>big</b> dog.<ref/> barks"
TEXT = "A big dog. barks"
MAP = SourceMap(
    (TextRun(0, 2, 0, 2), TextRun(2, 5, 5, 8), TextRun(5, 10, 12, 17), TextRun(10, 16, 23, 29)),
    (Element(2, 5, 2, 5, 8, 12), Element(10, 10, 17, 17, 23, 23)),
)


def _cut(words: str) -> str:
    start = TEXT.index(words)
    return MAP.source_span(start, start + len(words)).cut(MARKUP)


def test_a_range_is_found_in_the_markup() -> None:
    assert _cut("barks") == "barks"
    assert _cut("dog") == "dog"


def test_what_is_covered_entirely_comes_with_its_delimiters() -> None:
    assert _cut("big") == "<b>big</b>"
    assert _cut("A big") == "A <b>big</b>"


def test_what_is_cut_comes_without_them() -> None:
    assert _cut("bi") == "bi"


def test_a_footnote_belongs_to_the_text_right_before_it() -> None:
    assert _cut("A big dog.") == "A <b>big</b> dog.<ref/>"
    assert _cut(" barks") == " barks"


def test_without_notes_no_footnote_belongs_to_the_text() -> None:
    assert MAP.source_span(6, 10, with_notes=False).cut(MARKUP) == "dog."


def test_an_entity_is_found_as_a_whole_and_never_cut() -> None:
    entity = SourceMap((TextRun(0, 1, 0, 5), TextRun(1, 3, 5, 7)))
    assert entity.source_span(0, 2) == Span(0, 6)
    macro = SourceMap((TextRun(0, 4, 0, 20),))
    assert macro.is_balanced(0, 4)
    assert not macro.is_balanced(1, 3)


def test_text_that_was_not_in_the_markup_has_no_place_there() -> None:
    with pytest.raises(ValueError, match="not read from"):
        MAP.source_span(16, 17)
    with pytest.raises(ValueError, match="has no text, so it is nowhere in the markup"):
        MAP.source_span(3, 3)


@pytest.mark.parametrize(
    ("words", "balanced"),
    [("big", True), ("bi", True), ("A big", True), ("big dog", True), ("ig dog", False), ("dog. barks", False)],
)
def test_a_link_fits_around_whole_elements_only(words: str, balanced: bool) -> None:
    start = TEXT.index(words)
    assert MAP.is_balanced(start, start + len(words)) is balanced


def test_unseen_markup_between_words_cannot_be_wrapped() -> None:
    # red <!-- or green --> car
    hidden = SourceMap((TextRun(0, 4, 0, 4), TextRun(4, 7, 22, 25)))
    assert not hidden.is_balanced(0, 7)
    assert hidden.is_balanced(0, 3)


def _places(size: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    place = st.tuples(st.integers(0, size), st.integers(0, size)).map(sorted).map(tuple)
    return st.lists(place, max_size=6)


@given(places=_places(8), start=st.integers(0, 7), length=st.integers(1, 8))
def test_a_link_cuts_no_element_and_wraps_no_hidden_markup(
    places: list[tuple[int, int]], start: int, length: int
) -> None:
    elements = tuple(sorted(Element(first, last, first, first, last, last) for first, last in places))
    end = start + length
    is_cut = any(first < start < last < end or start < first < end < last for first, last in places)
    is_hidden = any(start < first == last < end for first, last in places)
    assert SourceMap((TextRun(0, 16, 0, 16),), elements).is_balanced(start, end) == (not is_cut and not is_hidden)
