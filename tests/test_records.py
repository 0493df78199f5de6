from datetime import UTC, datetime
from typing import Any

import pytest

from linkspot.errors import LinkspotError, WrongType
from linkspot.records import (
    Action,
    Article,
    Entity,
    Example,
    Insertion,
    Link,
    Markup,
    Page,
    Place,
    Scenario,
    Section,
    Sentence,
)
from linkspot.source_map import Span


def _section(*texts: str, title: str = "", level: int = 1) -> Section:
    sentences, position = [], 0
    for text in texts:
        sentences.append(Sentence(text, position, position + len(text), Span(position, position + len(text))))
        position += len(text) + 1
    return Section(title, level, " ".join(texts), tuple(sentences))


def _article(*sections: Section) -> Article:
    return Article("Dhow", "en", sections, Markup.HTML)


def test_a_sentence_has_just_the_room_of_its_text() -> None:
    with pytest.raises(ValueError, match="room for 4 characters, its text has 5"):
        Sentence("Hello", 0, 4, Span(0, 4))


def test_a_section_refuses_sentences_that_are_not_in_its_text() -> None:
    with pytest.raises(ValueError, match="not in its section"):
        Section("", 1, "Hello there", (Sentence("there", 0, 5, Span(0, 5)),))


def test_a_section_refuses_sentences_out_of_order() -> None:
    first, second = Sentence("aa", 0, 2, Span(0, 2)), Sentence("bb", 3, 5, Span(3, 5))
    with pytest.raises(ValueError, match="out of order"):
        Section("", 1, "aa bb", (second, first))


def test_a_section_refuses_a_link_beside_its_mention() -> None:
    with pytest.raises(ValueError, match="does not cover its mention"):
        Section("", 1, "a dog", (), (Link("Dog", "dog", 0, 3, Span(0, 3)),))


def test_sentences_and_gaps_rebuild_the_section() -> None:
    section = _section("One.", "Two.", "Three.")
    gaps = section.gaps()
    pieces = [piece for pair in zip(gaps, [s.text for s in section.sentences], strict=False) for piece in pair]
    assert "".join([*pieces, gaps[-1]]) == section.text


def test_a_span_runs_forward() -> None:
    with pytest.raises(ValueError, match="runs forward"):
        Span(3, 2)


def test_a_deeper_heading_belongs_to_the_main_section_above_it() -> None:
    levels = [1, 2, 3, 4, 2, 3]
    article = _article(*(_section("Text.", level=level) for level in levels))
    assert article.major_sections == (0, 1, 1, 1, 4, 4)


def test_the_lead_is_the_first_paragraph() -> None:
    section = Section("", 1, "First paragraph.\nSecond.", (Sentence("First paragraph.", 0, 16, Span(0, 16)),))
    assert _article(section).lead == "First paragraph."


def test_an_entity_needs_a_name() -> None:
    with pytest.raises(ValueError, match="title or a mention"):
        Entity("  ", mentions=(" ",))


def test_an_entity_names_each_of_its_names_once_and_the_title_first() -> None:
    assert Entity("Dog", mentions=("dogs", "Dog", "hound")).names == ("Dog", "dogs", "hound")


def test_gold_candidates_are_sentences_of_the_article() -> None:
    article = _article(_section("One.", "Two."))
    assert Example(Entity("X"), article, (0, 1)).gold == (0, 1)
    with pytest.raises(ValueError, match="below 2"):
        Example(Entity("X"), article, (2,))
    with pytest.raises(ValueError, match="ordered"):
        Example(Entity("X"), article, (1, 0))


def test_only_a_missing_section_has_no_gold_candidate() -> None:
    article, now = _article(_section("One.")), datetime(2026, 1, 1, tzinfo=UTC)
    nowhere, here = Example(Entity("X"), article, ()), Example(Entity("X"), article, (0,))
    assert Insertion(nowhere, Scenario.MISSING_SECTION, "1", "2", now).example.gold == ()
    for example, scenario in ((nowhere, Scenario.TEXT_PRESENT), (here, Scenario.MISSING_SECTION)):
        with pytest.raises(ValueError, match="only missing_section has no gold"):
            Insertion(example, scenario, "1", "2", now)


def test_an_edit_replaces_the_words_and_nothing_else() -> None:
    page = "The wind turns. It rains."
    place = Place(0, 0, 1.0, Action.LINK_WORDS, "", Span(4, 8), "[[Wind|wind]]", Span(4, 8))
    assert place.edit(page) == "The [[Wind|wind]] turns. It rains."


def test_an_edit_inserts_the_sentence_that_the_editor_wrote() -> None:
    page = "The wind turns. It rains."
    place = Place(0, 0, 1.0, Action.ADD_SENTENCE, "", Span(15, 15), "[[Monsoon]]")
    assert place.edit(page, " This is the [[Monsoon]].") == "The wind turns. This is the [[Monsoon]]. It rains."
    with pytest.raises(ValueError, match="text that you write"):
        place.edit(page)


def test_only_words_that_are_there_can_be_linked() -> None:
    with pytest.raises(ValueError, match="only link_words has words to link"):
        Place(0, 0, 1.0, Action.ADD_SENTENCE, "", Span(0, 0), words=Span(0, 1))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"mentions": "abc"}, r"^Entity.mentions takes a tuple of strings, not str; write \('abc',\)$"),
        ({"mentions": ("abc", 5)}, "^Entity.mentions takes a tuple of strings; one of these is int: 5$"),
        ({"mentions": None}, "^Entity.mentions takes a tuple of strings, not NoneType$"),
        ({"precedents": ("abc",)}, "^Entity.precedents takes a tuple of Precedent; one of these is str: 'abc'$"),
        ({"title": 5}, "^an entity's title is a string, not int$"),
        ({"lead": None}, "^an entity's lead is a string, not NoneType$"),
    ],
)
def test_an_entity_of_wrong_types_gets_one_clear_sentence(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence) as raised:
        Entity(**{"title": "Dog"} | fields)
    assert isinstance(raised.value, LinkspotError)


def test_a_list_of_mentions_becomes_a_tuple() -> None:
    assert Entity("Dog", mentions=["dogs"]) == Entity("Dog", mentions=("dogs",))  # type: ignore[arg-type]


def test_a_page_of_wrong_types_gets_one_clear_sentence() -> None:
    with pytest.raises(WrongType, match=r"^Page.redirects takes a tuple of strings, not str; write "):
        Page("Dog", "", "wikitext", "en", redirects="Hound")  # type: ignore[arg-type]
    with pytest.raises(WrongType, match=r"^a page's text is a string, not bytes$"):
        Page("Dog", b"", "wikitext", "en")  # type: ignore[arg-type]
