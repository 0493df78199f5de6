from hypothesis import given
from hypothesis import strategies as st

from linkspot.insertions.alignment import Alignment, align
from linkspot.insertions.readings import Reading

_SENTENCES = [f"Sentence {word} tells of {word} things." for word in "one two three four five six".split()]


def _origins(before: list[str], after: list[str]) -> list[int | None]:
    return list(align([Reading(text) for text in before], [Reading(text) for text in after], "en").origins)


def test_the_same_sentences_are_paired_in_order() -> None:
    assert _origins(["A cat sat.", "A dog ran."], ["A cat sat.", "It was new here.", "A dog ran."]) == [0, None, 1]


def test_a_sentence_that_moved_is_the_same_sentence() -> None:
    before = ["First of all this.", "Then that came along.", "At last the end."]
    assert _origins(before, [before[2], before[0], before[1]]) == [2, 0, 1]


def test_an_edited_sentence_is_the_one_that_it_was() -> None:
    before = ["A dog ran home.", "The tunnel makes trains keep a larger distance.", "A cat sat."]
    after = ["A dog ran home.", "The long tunnel makes all trains keep a larger distance there.", "A cat sat."]
    assert _origins(before, after) == [0, 1, 2]


def test_a_sentence_with_few_words_in_common_is_new() -> None:
    before = ["A dog ran home.", "The tunnel is long."]
    assert _origins(before, ["A dog ran home.", "Signals cost money, and the depot costs more."]) == [0, None]


def test_a_name_that_is_written_together_is_one_word_in_common_and_not_three() -> None:
    assert _origins(["Work continues on OpenTTD to this day."], ["History of OpenTTD"]) == [None]


def test_the_likeliest_of_several_edited_sentences_is_taken() -> None:
    before = ["The red train stops at the small station.", "The blue train stops at the large station."]
    after = ["The blue train never stops at the large station.", "The red train never stops at the small station."]
    assert _origins(before, after) == [1, 0]


def test_a_sentence_that_moved_and_was_edited_is_the_same_sentence() -> None:
    before = ["Trams need rails in every street of a town.", "Cats sleep.", "Dogs bark at night."]
    after = ["Cats sleep.", "Dogs bark at night.", "Trams need their own rails in every street of a town."]
    assert _origins(before, after) == [1, 2, 0]


def test_a_sentence_that_was_made_much_longer_is_the_same_sentence() -> None:
    before = ["Cats sleep.", "Minimap button: Shows the map.", "Dogs bark at night."]
    longer = "Minimap button: Shows the whole world, the other window and the map, with all signs and their owners."
    assert _origins(before, ["Cats sleep.", longer, "Dogs bark at night."]) == [0, 1, 2]


def test_what_a_sentence_was_split_into_comes_from_it() -> None:
    before = ["The train stops at the station, and the old driver sleeps in the depot.", "Cats sleep."]
    after = ["The train always stops at the station.", "The old driver sleeps in the depot.", "Cats sleep."]
    assert _origins(before, after) == [0, 0, 1]


def test_repeated_sentences_are_paired_one_by_one() -> None:
    assert _origins(["Yes.", "Yes."], ["Yes.", "Yes.", "Yes."]) in ([0, 1, None], [0, None, 1])


def test_what_stayed_in_order_is_as_much_as_possible() -> None:
    assert Alignment((3, 0, None, 1, 2)).in_order == {1, 3, 4}
    assert Alignment((None,)).in_order == frozenset()


@given(
    before=st.lists(st.sampled_from(_SENTENCES), max_size=8), after=st.lists(st.sampled_from(_SENTENCES), max_size=8)
)
def test_equal_sentences_are_paired_as_often_as_both_versions_have_them(before: list[str], after: list[str]) -> None:
    origins = _origins(before, after)
    for sentence in _SENTENCES:
        paired = [o for o, text in zip(origins, after, strict=True) if o is not None and before[o] == text == sentence]
        assert len(set(paired)) == len(paired) == min(before.count(sentence), after.count(sentence))


@given(sentences=st.lists(st.sampled_from(_SENTENCES), max_size=8))
def test_a_page_is_aligned_with_itself(sentences: list[str]) -> None:
    assert _origins(sentences, sentences) == list(range(len(sentences)))


@given(origins=st.lists(st.none() | st.integers(0, 20), max_size=30))
def test_the_sentences_in_order_have_rising_origins(origins: list[int | None]) -> None:
    in_order = Alignment(tuple(origins)).in_order
    kept = [origins[number] for number in sorted(in_order)]
    assert None not in kept
    assert kept == sorted(kept, key=lambda origin: origin or 0)
