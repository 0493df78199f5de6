from hypothesis import given
from hypothesis import strategies as st

from linkspot.examples.candidates import CONTEXT_SENTENCES, candidates
from linkspot.parsing.prose import Prose
from linkspot.records import Article, Markup, Page


def article(*sections: int) -> Article:
    """An article whose sections have so many sentences."""
    lines = [f"Section {s} has sentence {i}." for s, count in enumerate(sections) for i in range(count)]
    page = Page("Counting", "\n".join(lines), Markup.MARKDOWN, "en")
    prose, position, remaining = Prose(page), 0, iter(lines)
    for index, count in enumerate(sections):
        if index:
            prose.heading(f"Heading {index}", 2)
        for _ in range(count):
            line = next(remaining)
            prose.write(line, position, position + len(line))
            prose.end_block()
            position += len(line) + 1
    return prose.article()


@given(st.lists(st.integers(0, 15), min_size=1, max_size=5))
def test_every_sentence_is_a_candidate_once_and_in_reading_order(sections: list[int]) -> None:
    page = article(*sections)
    texts = [sentence.text for section in page.sections for sentence in section.sentences]
    assert [candidate.sentence.text for candidate in candidates(page)] == texts


@given(st.lists(st.integers(0, 15), min_size=1, max_size=5), st.integers(0, 7))
def test_context_holds_the_sentence_and_never_leaves_the_section(sections: list[int], width: int) -> None:
    for candidate in candidates(article(*sections), width):
        sentences = candidate.section.sentences
        assert 0 <= candidate.first <= candidate.sentence_index <= candidate.last < len(sentences)
        assert candidate.last - candidate.first <= 2 * width
        assert candidate.sentence.text in candidate.context
        assert candidate.context in candidate.section.text


def test_context_reaches_five_sentences_to_each_side() -> None:
    middle = candidates(article(20))[10]
    assert (middle.first, middle.last) == (10 - CONTEXT_SENTENCES, 10 + CONTEXT_SENTENCES) == (5, 15)
    assert middle.context.startswith("Section 0 has sentence 5.")
    assert middle.context.endswith("Section 0 has sentence 15.")


def test_without_context_a_candidate_is_its_sentence_alone() -> None:
    assert all(candidate.context == candidate.sentence.text for candidate in candidates(article(4, 2), 0))
