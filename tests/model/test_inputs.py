from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from linkspot.encoders.special_tokens import SpecialTokens
from linkspot.encoders.tokenizer import FastTokenizer
from linkspot.errors import UnusableInput
from linkspot.examples.candidates import candidates
from linkspot.model.config import ModelConfig, ModelKind
from linkspot.model.encoder_inputs import EncoderInputMaker
from linkspot.model.inputs import Form, Inputs, PageTokens, TokenBudget
from linkspot.parsing import parse
from linkspot.records import Article, Entity, Markup, Page

FIRST, CLOSE, PADDING, UNKNOWN = 0, 1, 2, 3
WORDS = "mill river bridge town train station signal wagon boat harbour old new The A lead Heading Next Title".split()
IDS = {word: number for number, word in enumerate(["<s>", "</s>", "<pad>", "<unk>", *WORDS, "."])}


def inputs(budget: TokenBudget | None = None) -> Inputs:
    tokenizer = Tokenizer(models.WordLevel(IDS, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return Inputs(FastTokenizer(tokenizer), SpecialTokens(FIRST, CLOSE, PADDING), budget or TokenBudget())


def ids(text: str) -> tuple[int, ...]:
    return tuple(IDS[word] for word in text.split())


def article(text: str) -> Article:
    return parse(Page("Title", text, Markup.MARKDOWN, "en"))


PAGE = article("The old mill. The river.\n\n## Heading\n\nA train. A station. A signal.\n\n## Next\n\nThe harbour.\n")
ENTITY = Entity("old bridge", "The lead.", ("bridge", "new bridge"))


def shown(sequence: tuple[int, ...]) -> str:
    """A sequence as people read it."""
    words = {number: word for word, number in IDS.items()} | {FIRST: "[CLS]", CLOSE: "[SEP]"}
    return " ".join(words[token] for token in sequence)


def every_input(kind: ModelKind, form: Form | None = None) -> list[str]:
    """All sequences that a model of this kind reads for the sentence "A station.", those beside the candidate first."""
    makes = inputs()
    config = ModelConfig(kind, makes.special, form=form or Form())
    page = makes.page(PAGE)
    made = EncoderInputMaker(makes, config).of_candidates(makes.target(ENTITY), page, [(page, 3)])
    return [shown(sequence) for sequence in made.sequences]


WHOLE = "A train . A station . A signal ."
MARKED = "A train . [SEP] A station . [SEP] A signal ."
TARGET, SOURCE = "[CLS] old bridge [SEP] The lead .", "[CLS] Title [SEP] The old mill . The river ."
PAPERS = f"[CLS] old bridge bridge new bridge [SEP] The lead . [SEP] Heading [SEP] {WHOLE} [SEP]"


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (None, PAPERS),
        (Form(knowledge=False), f"[CLS] old bridge [SEP] The lead . [SEP] {WHOLE} [SEP]"),
        (Form(marks=True), PAPERS.replace(WHOLE, MARKED)),
        (Form(knowledge=False, marks=True), f"[CLS] old bridge [SEP] The lead . [SEP] {MARKED} [SEP]"),
    ],
)
def test_a_window_is_the_papers_input_unless_it_is_marked(form: Form | None, expected: str) -> None:
    assert every_input(ModelKind.WINDOW, form) == [expected]


@pytest.mark.parametrize(
    ("form", "candidate"),
    [
        (None, f"[CLS] Heading [SEP] bridge new bridge [SEP] {WHOLE}"),
        (Form(knowledge=False), f"[CLS] {WHOLE}"),
        (Form(marks=True), f"[CLS] Heading [SEP] bridge new bridge [SEP] {MARKED}"),
    ],
)
def test_the_triple_encoder_reads_the_three_inputs_of_the_papers_appendix(form: Form | None, candidate: str) -> None:
    assert every_input(ModelKind.TRIPLE, form) == [TARGET, SOURCE, candidate]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The river.\n\n## Heading\n\nA train.\n", "[CLS] Title [SEP] The river ."),
        ("## Heading\n\nA train.\n", "[CLS] Title [SEP]"),
    ],
)
def test_the_source_shows_its_lead_and_never_the_next_section(text: str, expected: str) -> None:
    makes, page = inputs(), article(text)
    assert shown(makes.triple_source(makes.page(page))) == expected
    assert shown(makes.triple_source(makes.opening(page))) == expected  # what training reads


def test_no_input_is_longer_than_the_encoder_reads() -> None:
    budget = TokenBudget(longest=40, title=2, mentions=4, lead=4, section=2, sentence=8)
    makes, long = inputs(budget), article("## Heading\n\n" + "The old mill The river. " * 30)
    target, page = makes.target(ENTITY), makes.page(long)
    for form in (Form(), Form(marks=True), Form(knowledge=False), Form(knowledge=False, marks=True)):
        assert 30 < len(makes.window(target, page, 12, form)) <= 40
        assert 30 < len(makes.triple_candidate(target, page, 12, form)) <= 40


def test_a_candidate_alone_reads_like_the_candidate_in_its_page() -> None:
    makes = inputs()
    target, page = makes.target(ENTITY), makes.page(PAGE)
    for number, candidate in enumerate(candidates(PAGE)):
        assert makes.window(target, *makes.candidate(candidate), Form()) == makes.window(target, page, number, Form())


def test_a_window_never_loses_its_own_sentence() -> None:
    long = article("The river. " * 30 + "A signal. " + "The town. " * 30)
    makes = inputs(TokenBudget(longest=32, title=4, mentions=4, lead=4, section=4, sentence=8))
    target, page = makes.target(ENTITY), makes.page(long)
    window = makes.window(target, page, 30, Form())
    assert len(window) <= 32
    assert "".join(map(chr, ids("A signal ."))) in "".join(map(chr, window))


def test_the_mentions_that_do_not_fit_are_left_out_whole() -> None:
    target = inputs(TokenBudget(mentions=2)).target(Entity("mill", "", ("river", "bridge town station", "boat")))
    assert target.mentions == ids("river boat")


def test_an_entity_without_a_lead_has_no_tokens_for_it() -> None:
    assert inputs().target(Entity("mill")).lead == ()


def test_a_chunk_shows_the_titles_and_closes_every_sentence() -> None:
    makes = inputs()
    (chunk,) = makes.chunks((FIRST,), makes.page(PAGE))
    parts = "Title", "The old mill .", "The river .", "Heading", "A train .", "A station .", "A signal .", "Next"
    assert chunk.ids == (FIRST, *(token for part in (*parts, "The harbour .") for token in (*ids(part), CLOSE)))
    assert [chunk.ids[end] for _, end in chunk.spans] == [CLOSE] * 6


@given(
    lengths=st.lists(st.lists(st.integers(1, 12), min_size=1, max_size=9), min_size=1, max_size=6),
    longest=st.integers(30, 80),
    overlap=st.integers(0, 3),
)
def test_chunks_score_every_sentence_once_and_in_order(lengths: list[list[int]], longest: int, overlap: int) -> None:
    section_of = tuple(section for section, of_section in enumerate(lengths) for _ in of_section)
    flat = [length for of_section in lengths for length in of_section]
    sentences = tuple((100 + number,) * length for number, length in enumerate(flat))
    page = PageTokens(sentences, section_of, tuple((50 + section,) for section in range(len(lengths))))
    makes = inputs(TokenBudget(longest=longest, title=2, mentions=2, lead=2, section=4, sentence=12, overlap=overlap))
    chunks = makes.chunks((FIRST, 9, CLOSE), page)
    assert [number for chunk in chunks for number in chunk.sentences] == list(range(len(sentences)))
    for chunk in chunks:
        assert len(chunk.ids) <= longest
        assert chunk.ids[:3] == (FIRST, 9, CLOSE)
        for number, (start, end) in zip(chunk.sentences, chunk.spans, strict=True):
            assert chunk.ids[start:end] == sentences[number]
            assert chunk.ids[end] == CLOSE


def test_neighbouring_chunks_show_some_sentences_of_each_other() -> None:
    makes = inputs(TokenBudget(longest=60, title=2, mentions=2, lead=2, section=4, sentence=10))
    page = makes.page(article("The river. " * 60))
    chunks = makes.chunks((FIRST,), page)
    assert len(chunks) > 3
    for chunk in chunks[1:-1]:
        shown = chunk.ids.count(CLOSE) - 1  # less the title's
        assert shown == len(chunk.sentences) + 2 * makes.budget.overlap


def test_long_sentences_are_not_shown_twice() -> None:
    makes = inputs(TokenBudget(longest=60, title=2, mentions=2, lead=2, section=4, sentence=20))
    page = makes.page(article("The old mill The new mill The old town The new town. " * 20))
    for chunk in makes.chunks((FIRST,), page):
        assert chunk.ids.count(CLOSE) - 1 == len(chunk.sentences)


def test_a_text_without_tokens_is_still_a_sentence() -> None:
    assert inputs().tokens([""]) == [(CLOSE,)]


def test_parts_that_leave_no_room_for_the_text_are_refused() -> None:
    with pytest.raises(UnusableInput, match="more than the 100"):
        replace(TokenBudget(), longest=100)
