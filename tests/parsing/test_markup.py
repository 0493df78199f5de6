import subprocess
import sys

import pytest

from linkspot.errors import UnknownMarkup
from linkspot.parsing import link_targets, parse, redirect_target
from linkspot.parsing.markup import MARKUPS, NewLink, endings, markup_kind, markup_names, markup_of
from linkspot.records import Markup, Page

LIBRARIES = {"html": "selectolax", "wikitext": "mwparserfromhell", "markdown": "markdown_it"}


@pytest.mark.parametrize(
    ("name", "markup"),
    [("a.html", Markup.HTML), ("A.HTM", Markup.HTML), ("a.wiki", Markup.WIKITEXT), ("x/a.md", Markup.MARKDOWN)],
)
def test_the_files_name_tells_the_markup(name: str, markup: Markup) -> None:
    assert markup_of(name) == markup


def test_an_unknown_ending_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UnknownMarkup, match=r"notes\.txt does not end in \.html, .*name its markup: html, wiki"):
        markup_of("notes.txt")


def test_every_ending_belongs_to_one_markup() -> None:
    every = [ending for name in markup_names() for ending in markup_kind(name).endings]
    assert sorted(every) == sorted(endings())
    assert all(ending.startswith(".") and ending == ending.lower() for ending in every)


def test_a_page_in_an_unknown_markup_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UnknownMarkup, match=r"^no markup is called 'troff'; there are: html, wikitext, markdown$"):
        parse(Page("Dog", "Woof.", "troff", "en"))


def test_a_markup_can_be_named_by_a_plain_string() -> None:
    page = Page("Dog", "It barks at the [[cat]].", "wikitext", "en")
    assert parse(page).markup == Markup.WIKITEXT
    assert link_targets(page) == {"cat": 1}


def test_only_markups_with_redirects_have_a_redirect_target() -> None:
    text = "#REDIRECT [[Cat]]"
    targets = {name: redirect_target(Page("Dog", text, name, "en")) for name in MARKUPS}
    assert targets == {"html": None, "wikitext": "Cat", "markdown": None}


@pytest.mark.parametrize(
    ("markup", "link", "written"),
    [
        ("html", NewLink("<i>cats</i>", 'The "cat"', "en", "./Cat?a&b"), "The &quot;cat&quot;"),
        ("html", NewLink("cats", "", "en", "./Cat?a&b"), '<a href="./Cat?a&amp;b">cats</a>'),
        ("wikitext", NewLink("cats", "The_cat", "en"), "[[The cat|cats]]"),
        ("wikitext", NewLink("cats", "Category:Cats", "en"), "[[:Category:Cats|cats]]"),
        ("wikitext", NewLink("cat", "Cat", "en", says_title=True), "[[cat]]"),
        ("markdown", NewLink("cats", "Cat", "en", "cat.md"), "[cats](cat.md)"),
    ],
)
def test_each_markup_writes_links_in_its_own_way(markup: str, link: NewLink, written: str) -> None:
    assert written in markup_kind(markup).write_link(link)


@pytest.mark.parametrize("markup", MARKUPS)
def test_a_link_that_a_markup_writes_is_one_that_it_reads(markup: str) -> None:
    kind = markup_kind(markup)
    page = Page("Dog", f"It barks at {kind.write_link(NewLink('cats', 'Cat', 'en', 'Cat'))}.", markup, "en")
    (link,) = parse(page).sections[0].links
    assert (link.target.capitalize(), link.mention) == ("Cat", "cats")  # a wiki's [[cat]]s leads to Cat
    assert link_targets(page) == {link.target: 1}


@pytest.mark.parametrize("markup", MARKUPS)
def test_reading_one_markup_imports_no_library_of_another(markup: str) -> None:
    program = f"""
import sys
from linkspot.parsing import parse
from linkspot.parsing.markup import endings, markup_kind, markup_names
from linkspot.records import Page
for name in markup_names():
    markup_kind(name)
endings()
libraries = {set(LIBRARIES.values())!r}
assert not libraries & sys.modules.keys(), "the table imports a library"
parse(Page("Dog", "It barks.", {str(markup)!r}, "en"))
assert libraries & sys.modules.keys() == {{{LIBRARIES[markup]!r}}}, libraries & sys.modules.keys()
"""
    subprocess.run([sys.executable, "-c", program], check=True)
