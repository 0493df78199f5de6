from hypothesis import given
from hypothesis import strategies as st

from linkspot.insertions.alignment import align
from linkspot.parsing import parse
from linkspot.records import Article, Markup, Page

_SENTENCES = [f"Sentence {word} tells of {word} things." for word in "one two three four five six".split()]


def _article(*paragraphs: str) -> Article:
    return parse(Page("Page", "\n\n".join(paragraphs), Markup.WIKITEXT, "en"))


def _origins(before: list[str], after: list[str]) -> list[int | None]:
    return list(align(_article(*before), _article(*after)).origins)


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


def test_the_likeliest_of_several_edited_sentences_is_taken() -> None:
    before = ["The red train stops at the small station.", "The blue train stops at the large station."]
    after = ["The blue train never stops at the large station.", "The red train never stops at the small station."]
    assert _origins(before, after) == [1, 0]


def test_repeated_sentences_are_paired_one_by_one() -> None:
    assert _origins(["Yes.", "Yes."], ["Yes.", "Yes.", "Yes."]) in ([0, 1, None], [0, None, 1])


@given(
    before=st.lists(st.sampled_from(_SENTENCES), max_size=8), after=st.lists(st.sampled_from(_SENTENCES), max_size=8)
)
def test_each_old_sentence_is_the_origin_of_at_most_one(before: list[str], after: list[str]) -> None:
    origins = [origin for origin in _origins(before, after) if origin is not None]
    assert len(origins) == len(set(origins))
    assert all(0 <= origin < len(before) for origin in origins)


@given(sentences=st.lists(st.sampled_from(_SENTENCES), max_size=8))
def test_a_page_is_aligned_with_itself(sentences: list[str]) -> None:
    assert _origins(sentences, sentences) == list(range(len(sentences)))
