from html.parser import HTMLParser

import pytest

from linkspot import Answer, Entity, Markup, Page, suggest
from linkspot.answers.json_shape import to_dict
from linkspot.answers.web_page import to_html

PAGE = Page("Dog", "The dog descends from the wolf. " + "It barks and runs and eats. " * 200, Markup.WIKITEXT, "en")


@pytest.fixture(scope="module")
def answer() -> Answer:
    return suggest(PAGE, Entity("Wolf"), "bm25", 2)


def test_an_answer_is_a_dictionary_or_a_web_page_as_on_the_command_line(answer: Answer) -> None:
    assert answer.to_dict() == to_dict(answer)
    assert answer.to_html() == to_html(answer)


def test_json_has_the_line_and_the_sentence_before_and_after(answer: Answer) -> None:
    linked, other = answer.to_dict()["places"]
    assert (linked["line"], linked["column"]) == (1, 27)
    sentence = "The dog descends from the wolf."
    assert (linked["edit"]["before"], linked["edit"]["after"]) == (sentence, sentence.replace("wolf", "[[wolf]]"))
    assert (other["edit"]["before"], other["edit"]["after"]) == ("It barks and runs and eats.", None)


def test_an_answer_is_shown_in_a_few_lines(answer: Answer) -> None:
    assert repr(answer).splitlines() == [
        "<Answer: “Wolf” in “Dog”, ranker bm25",
        "  1. score 11 link_words [[wolf]] “The dog descends from the wolf.”",
        "  2. score 1.1 add_sentence [[Wolf]] “It barks and runs and eats.”>",
    ]
    nowhere = suggest(PAGE, Entity("Zoroaster"), "bm25")
    assert repr(nowhere).endswith("\n  Nowhere: nothing in this page fits “Zoroaster”.>")


def test_a_notebook_shows_the_web_page_in_a_frame_of_its_own(answer: Answer) -> None:
    tags = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: tags.append((tag, dict(attributes)))  # type: ignore[method-assign]
    parser.feed(answer._repr_html_())
    ((tag, attributes),) = tags
    assert (tag, attributes["srcdoc"]) == ("iframe", answer.to_html())


def test_a_place_knows_its_sentence(answer: Answer) -> None:
    for place in answer.places:
        assert place.text == answer.article.sections[place.section].sentences[place.sentence].text


def test_a_page_without_a_title_is_called_this_page() -> None:
    answer = suggest("Rain falls.", "Rain", markup="markdown", language="en", ranker="bm25")
    assert repr(answer).startswith("<Answer: “Rain” in this page, ranker bm25")
