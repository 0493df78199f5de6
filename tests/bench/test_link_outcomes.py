"""A link that is written again is compared with the one that stood there, strictly."""

import pytest
from bench.link_addresses import Case, outcome

from linkspot.parsing import parse
from linkspot.records import Markup, Page

ADDRESS = "/en-US/docs/Web/HTML/Reference/Elements/video"


def _case(text: str) -> Case:
    """Return the case of a text's first link."""
    page = Page("Page", text, Markup.MARKDOWN, "en")
    return Case(page, parse(page).sections[0].links[0], page)


@pytest.mark.parametrize(
    ("others", "result"),
    [
        ("", "different"),
        ('{{HTMLElement("audio")}}', "different"),
        ('{{HTMLElement("audio")}} and [a list](/en-US/docs/Web/HTML/Reference/Elements/ul)', "different"),
        ('{{HTMLElement("audio")}} and [`<ul>`](/en-US/docs/Web/HTML/Reference/Elements/ul)', "equivalent"),
    ],
)
def test_another_form_is_equivalent_only_if_the_rest_of_the_page_has_both(others: str, result: str) -> None:
    case = _case(f"A [`<video>`]({ADDRESS}) and {others}.")
    assert outcome(case, ADDRESS, "HTMLElement") == result
    assert outcome(case, ADDRESS, "") == "equal"


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ('{{HTMLElement("video")}}', "`<video>`"),
        ('{{Glossary("Void element")}}', "Void element"),
        (f"[`<video>`]({ADDRESS})", "`<video>`"),
        (f"[a video]({ADDRESS})", "a video"),
    ],
)
def test_the_words_of_a_link_that_is_taken_away_look_as_before(link: str, words: str) -> None:
    assert _case(f"See {link} there.").without.text == f"See {words} there."
