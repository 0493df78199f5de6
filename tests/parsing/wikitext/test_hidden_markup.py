"""Wikitext that is hidden, or that the library misreads: it never reaches the prose, and no link goes there."""

import pytest

from linkspot.parsing.wikitext import page as wikitext
from linkspot.records import Markup, Page, Section


def lead(text: str) -> Section:
    return wikitext.parse(Page("Title", text, Markup.WIKITEXT, "en")).sections[0]


def text_of(text: str) -> str:
    return lead(text).text


def test_nothing_that_is_hidden_reaches_the_text() -> None:
    assert text_of("A <d<pre>> dog.") == "A <d> dog."
    assert text_of("A <username<!-- x -->> dog.") == "A <username> dog."
    assert text_of("A \uffffdog\ufffe.") == "A dog."


@pytest.mark.parametrize("text", ["=팁= 만나는", "* * Dogs", "* # Dogs", "a : b", ":- * x"])
def test_a_text_reads_the_same_with_and_without_a_link_in_it(text: str) -> None:
    assert text_of(f"{text} [[wolf]]") == f"{text_of(text)} wolf"


@pytest.mark.parametrize(
    "text", ["[[" * 30 + "wolf", "<div>" + "[[" * 30 + "<div>wolf", "The <s" + "<s" * 30 + " wolf"]
)
def test_no_link_goes_where_none_would_be_read(text: str) -> None:
    section = lead(text)
    start = section.text.index("wolf")
    assert not section.source_map.is_balanced(start, start + 4)
