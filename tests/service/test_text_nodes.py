"""The text nodes in which front ends count words, found in wikitext."""

import pytest

from linkspot.parsing import parse
from linkspot.records import Page
from linkspot.service.text_nodes import CountedText, occurrences


def counted(text: str) -> CountedText:
    page = Page("Sailing", text, "wikitext", "en")
    return CountedText(page, parse(page))


def index_of(text: str, marked: str = "dhow") -> int | None:
    """Return the match index of the words that stand between arrows."""
    start = text.index("→")
    return counted(text.replace("→", "").replace("←", "")).match_index(marked, start)


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("A →dhow← sails.", 0),
        ("A dhow and a →dhow← sail.", 1),
        ("The dhows and adhow count, so does the →dhow←.", 2),
        ("The Dhow differs from the →dhow←.", 0),
        ("A [[dhow]], a [[boat|dhow]] and a '''dhow''' or ''dhow'' do not count, a →dhow← does.", 0),
        ("== The dhow ==\nA →dhow← sails.", 0),
        ("{{box|dhow}}<ref>A dhow.</ref><!-- dhow -->A →dhow← sails.", 0),
        ("{|\n| dhow\n|}\n<blockquote>A dhow.</blockquote>\n[[File:x.png|thumb|A dhow]]\nA →dhow← sails.", 0),
        ("* A dhow.\n* Two dhow.\n# A →dhow←.", 2),
        ("<b>A dhow</b> and <i>a dhow</i>, a →dhow←.", 0),
        ("A <nowiki>dhow</nowiki> and <span>a dhow</span>, a →dhow←.", 1),
        ("See https://example.org/dhow or [https://example.org a dhow], a →dhow←.", 0),
        ("A dh<!-- x -->ow and a →dhow←.", 0),
        ("A <small>dhow</small> and a →dhow←.", 1),
    ],
)
def test_words_are_counted_as_in_the_rendered_page(text: str, index: int) -> None:
    assert index_of(text) == index


@pytest.mark.parametrize(
    "text", ["The <code>dhow</code> is code, the →dhow← is not.", '<div title="dhow">A →dhow←.</div>']
)
def test_where_the_count_is_not_sure_it_is_not_given(text: str) -> None:
    assert index_of(text) is None


def test_words_across_two_nodes_are_in_none() -> None:
    page = counted("A ''dhow'' sails far.")
    text = page.article.sections[0].text
    assert page.node_around(0, text.index("sails"), text.index("sails") + 5) is not None
    assert page.node_around(0, 0, len(text)) is None


def test_occurrences_do_not_overlap() -> None:
    assert list(occurrences("aaaa aa", "aa")) == [0, 2, 5]
