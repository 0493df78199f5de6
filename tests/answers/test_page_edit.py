"""The edit at a place: made, read again, and refused unless it adds this one link and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot import Action, Answer, Entity, LinkspotError, Markup, Page, parse, suggest
from linkspot.answers.line_position import line_position
from linkspot.answers.page_edit import page_edit
from linkspot.errors import UnwritableEdit, WrongType

TEXT = (
    "The '''dog''' descends from the wolf.\n\n"
    "== Diet ==\nDogs eat [[meat]].<ref>A book.</ref> They chew bones for hours.\n\n"
    "== Work ==\nSome dogs guard houses.\n"
)
WOLF = Entity("Wolf")


def _answer(target: Entity, text: str = TEXT, markup: Markup = Markup.WIKITEXT) -> Answer:
    page = Page("Dog", text, markup, "en")
    return suggest(page, target, ranker="bm25", top=9, anyway=True)


def _place(answer: Answer, sentence: str, action: Action) -> int:
    """Return the number of the place at a sentence, which must have this action."""
    number = next(number for number, place in enumerate(answer.places, 1) if place.text.startswith(sentence))
    assert answer.places[number - 1].action is action
    return number


def test_words_that_are_there_become_the_link() -> None:
    answer = _answer(WOLF)
    assert answer.edited() == TEXT.replace("wolf", "[[wolf]]")
    edit = page_edit(answer)
    assert edit.link_markup == "[[wolf]]"
    assert edit.position == (1, 33)


@pytest.mark.parametrize(
    ("markup", "text", "edited"),
    [
        (Markup.HTML, "<p>A wolf howls.</p>", '<p>A <a href="./Wolf" title="Wolf">wolf</a> howls.</p>'),
        (Markup.MARKDOWN, "A wolf howls.", "A [wolf](Wolf) howls."),
        (Markup.WIKITEXT, "A wolf\r\nhowls.\r\n", "A [[wolf]]\r\nhowls.\r\n"),
    ],
)
def test_every_markup_is_edited_in_its_own_way(markup: Markup, text: str, edited: str) -> None:
    assert _answer(WOLF, text, markup).edited() == edited


def test_a_target_without_a_title_is_linked_by_the_words_in_the_page() -> None:
    answer = suggest(Page("Dog", TEXT, Markup.WIKITEXT, "en"), Entity("", mentions=("bone",)), ranker="string-match")
    assert answer.edited() == TEXT.replace("bones", "[[bones]]")


def test_a_diff_has_the_edit_and_names_a_file() -> None:
    answer = _answer(WOLF)
    assert answer.diff().startswith("--- a/Dog.wiki\n+++ b/Dog.wiki\n@@ -1,4 +1,4 @@\n-The '''dog'''")
    assert "\n+The '''dog''' descends from the [[wolf]].\n" in answer.diff(path="docs/dog.md")
    assert "+++ b/docs/dog.md\n" in answer.diff(path="docs/dog.md")


def test_a_new_sentence_stands_behind_the_place_and_its_footnotes() -> None:
    answer = _answer(Entity("Zebra"))
    number = _place(answer, "Dogs eat", Action.ADD_SENTENCE)
    edited = answer.edited(number, "They never eat a [[zebra]].")
    assert edited == TEXT.replace("</ref> They", "</ref> They never eat a [[zebra]]. They")


def test_a_new_sentence_gets_no_space_in_a_script_without_spaces() -> None:
    page = Page("緑茶", "緑茶は日本の茶である。葉を蒸して作る。", Markup.WIKITEXT, "ja")
    answer = suggest(page, Entity("急須"), ranker="bm25", anyway=True)
    number = _place(answer, "緑茶は", Action.ADD_SENTENCE)
    assert "茶である。[[急須]]で飲む。葉を" in answer.edited(number, "[[急須]]で飲む。")


def test_a_sentence_is_rewritten_with_the_link_in_it() -> None:
    answer = _answer(Entity("House cat", "Cats live in houses, and guard nothing."))
    number = _place(answer, "Some dogs guard", Action.ADD_TO_SENTENCE)
    edited = answer.edited(number, "Some dogs guard houses, as no [[house cat]] does.")
    assert edited == TEXT.replace("houses.", "houses, as no [[house cat]] does.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"place \d says: add a sentence here\. Only you can write it: give a sentence with \[\[Zebra\]\]"),
        ("A zebra runs.", r"the text has no link to “Zebra”; write \[\[Zebra\]\] in it"),
        ("A [[horse]] runs.", r"has no link to “Zebra”"),
        ("A [[zebra]] and a [[zebra|mare]] run.", r"more than one link \(also to “Zebra”\)"),
        ("A [[zebra]] and a [[horse]] run.", r"more than one link \(also to “horse”\)"),
        ("A [[zebra]] runs.\n== Head ==\n", "would change the page around it"),
        ("A [[zebra]] runs.<!--", "would change the page around it"),
        ("A [[zebra]] runs.\n{|\n", "would change the page around it"),
    ],
)
def test_a_text_that_does_something_else_is_refused_in_one_line(text: str, message: str) -> None:
    answer = _answer(Entity("Zebra"))
    with pytest.raises(UnwritableEdit, match=message) as refusal:
        answer.edited(_place(answer, "Dogs eat", Action.ADD_SENTENCE), text)
    assert "\n" not in str(refusal.value)


def test_a_rewritten_sentence_keeps_its_other_links() -> None:
    answer = _answer(Entity("Meat market", "It sells meat."))
    number = _place(answer, "Dogs eat", Action.ADD_TO_SENTENCE)
    with pytest.raises(UnwritableEdit, match="drops the link to “meat” that the sentence has"):
        answer.edited(number, "Dogs eat at the [[meat market]].")
    text = "Dogs eat [[meat]] of the [[meat market]]."
    assert f"{text} They" in answer.edited(number, text)


def test_a_place_that_is_not_there_is_refused() -> None:
    answer = _answer(WOLF)
    with pytest.raises(UnwritableEdit, match=r"there is no place 10; the answer has \d"):
        answer.edited(10)
    with pytest.raises(UnwritableEdit, match="there is no place 0"):
        answer.edited(0)
    with pytest.raises(UnwritableEdit, match="leave the text out"):
        answer.edited(1, "A [[wolf]].")
    with pytest.raises(WrongType, match="1 for the best, not by str"):
        answer.edited("1")  # type: ignore[arg-type]
    with pytest.raises(WrongType, match="is a string, not int"):
        answer.edited(1, 5)  # type: ignore[arg-type]


def test_an_answer_without_places_says_why_there_is_no_edit() -> None:
    answer = suggest(Page("Dog", TEXT, Markup.WIKITEXT, "en"), "Meat", ranker="bm25")
    with pytest.raises(LinkspotError, match=r"there is no place to edit\. Already linked: this page links “Meat”"):
        answer.edited()


WORDS = st.sampled_from(
    ["wolf", "wolves", "dog", "'''wolf'''", "[[meat]]", "{{x}}", "<ref>wolf</ref>", "''", "]]", "|"]
)


@given(st.lists(WORDS, min_size=1, max_size=12), st.sampled_from([" ", "\n", ""]))
def test_an_edit_adds_one_link_and_changes_no_text_whatever_the_page_is(words: list[str], space: str) -> None:
    page = Page("Dog", space.join(words) + ".", Markup.WIKITEXT, "en")
    answer = suggest(page, WOLF, ranker="string-match", anyway=True)
    for number, place in enumerate(answer.places, 1):
        if place.action is not Action.LINK_WORDS:
            continue
        edited = parse(Page("Dog", answer.edited(number), Markup.WIKITEXT, "en"))
        assert [section.text for section in edited.sections] == [section.text for section in answer.article.sections]
        assert sum(len(section.links) for section in edited.sections) == 1 + sum(
            len(section.links) for section in answer.article.sections
        )


@given(st.text("ab\r\n", max_size=30), st.integers(0, 30))
def test_lines_and_columns_are_counted_as_editors_count_them(text: str, offset: int) -> None:
    offset = min(offset, len(text))
    line, column = line_position(text, offset)
    assert (
        "\n".join(text.split("\n")[: line - 1]) + "\n" * (line > 1) + text.split("\n")[line - 1][: column - 1]
        == (text[:offset])
    )
