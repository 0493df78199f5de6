"""Pages that once took a time that grows with the square of their length."""

from collections.abc import Callable
from time import process_time

import pytest

from linkspot.errors import TooLarge
from linkspot.parsing import link_targets, parse
from linkspot.parsing.html.page import declared_language
from linkspot.parsing.wikitext.redirects import names_redirect, redirect_target
from linkspot.records import Markup, Page


def _parsed(markup: Markup) -> Callable[[str], object]:
    def read(text: str) -> object:
        try:
            return parse(Page("", text, markup, "en"))
        except TooLarge:
            return None

    return read


def _glance(markup: Markup) -> Callable[[str], object]:
    return lambda text: link_targets(Page("", text, markup, "en"))


HTML, WIKITEXT, MARKDOWN = map(_parsed, (Markup.HTML, Markup.WIKITEXT, Markup.MARKDOWN))
SHAPES: dict[str, tuple[Callable[[str], object], Callable[[int], str]]] = {
    "tags without an end": (declared_language, lambda n: "<html " * n),
    "blanks in a tag": (declared_language, lambda n: "<html" + " " * n),
    "attributes without a value": (declared_language, lambda n: "<body " + "lang " * n),
    "blanks after the word of a redirect": (redirect_target, lambda n: "#redirect" + " " * n),
    "blanks before a redirect": (redirect_target, lambda n: " " * n),
    "categories above a redirect": (redirect_target, lambda n: "[[a:b]]\n" * n),
    "signs before the word of a redirect": (names_redirect, lambda n: "# " * n + "#" + " " * n),
    "a bracket without an end": (redirect_target, lambda n: "#redirect [[" + "a" * n),
}
# Fewer repetitions, since parsing takes longer than a glance.
PARSED_SHAPES: dict[str, tuple[Callable[[str], object], Callable[[int], str]]] = {
    "elements in one another": (HTML, lambda n: "<div>" * n),
    "formatting that is begun anew": (HTML, lambda n: "".join(f"<p><b id={number}>x" for number in range(n))),
    "paragraphs deep in a page": (HTML, lambda n: "<div>" * 400 + "<p>x " * n),
    "scripts in comments": (HTML, lambda n: "<script>" + "<!--<script>" * n),
    "scripts in comments that end": (HTML, lambda n: "<script>" + "<!-<!--<script></script>--" * n),
    "attributes that begin with a quotation mark": (HTML, lambda n: "<a b='" * n),
    "equals signs in a tag": (HTML, lambda n: "<a " + "=" * n),
    "combining marks": (HTML, lambda n: "<p>e" + "\u0301" * n),
    "words in one element": (HTML, lambda n: "<p><b>" + "<i>x</i> " * n + "</b>"),
    "addresses inside of addresses": (_glance(Markup.HTML), lambda n: "<a " + "href=" * 8 * n),
    "addresses without blanks": (_glance(Markup.HTML), lambda n: "<a " + "/href=" * n),
    "links and sentences": (WIKITEXT, lambda n: "[[a]] Foo. " * n),
    "links without an end": (WIKITEXT, lambda n: "[[a" * n),
    "links in links": (WIKITEXT, lambda n: "[[a|" * n + "]]" * n),
    "blanks before the bar of a link": (WIKITEXT, lambda n: "[[" + " " * n + "|]]"),
    "blanks behind a namespace": (WIKITEXT, lambda n: "[[a:" + " " * n + "|]]"),
    "addresses that end at a blank": (WIKITEXT, lambda n: "http://a\xa0" * n),
    "terms without a definition": (WIKITEXT, lambda n: ";" + "[[a]]" * n),
    "templates in templates": (WIKITEXT, lambda n: "{{a|" * n + "}}" * n),
    "what looks like a tag around a tag": (WIKITEXT, lambda n: "<d<pre>>" * n),
    "covered titles": (_glance(Markup.WIKITEXT), lambda n: "[[a{{" * n),
    "blanks in a heading": (MARKDOWN, lambda n: "# a" + " " * 8 * n + "b"),
    "emphasis in emphasis": (MARKDOWN, lambda n: "*a " * n + "b* " * n),
    "backticks": (MARKDOWN, lambda n: "`a" * n),
    "braces": (MARKDOWN, lambda n: "{{" * n),
    "brackets": (MARKDOWN, lambda n: "[a](" * n),
    "line ends behind a backslash": (MARKDOWN, lambda n: "[a](" + "b\\\n" * n),
    "lines of an address": (MARKDOWN, lambda n: "- <a href='" + "b \n  " * n + "'>a</a>"),
    "quotations in quotations": (MARKDOWN, lambda n: ">" * n + " a"),
    "tags in tags": (MARKDOWN, lambda n: "<b>" * n + "x" + "</b>" * n),
    "anchors without an end": (_glance(Markup.MARKDOWN), lambda n: "<a " * 8 * n),
    "definitions of labels": (_glance(Markup.MARKDOWN), lambda n: "]:" * n),
}


@pytest.mark.no_cover  # which would take ten times as long
@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_the_page_takes_about_four_times_as_long(shape: str) -> None:
    read, page = SHAPES[shape]
    small, large = (_seconds(read, page(size)) for size in (20_000, 80_000))
    assert large < 8 * small + 0.1


@pytest.mark.no_cover
@pytest.mark.parametrize("shape", PARSED_SHAPES)
def test_four_times_the_page_is_parsed_in_about_four_times_as_long(shape: str) -> None:
    read, page = PARSED_SHAPES[shape]
    small, large = (_seconds(read, page(size)) for size in (1_500, 6_000))
    assert large < 8 * small + 0.1


def _seconds(read: Callable[[str], object], text: str) -> float:
    times = []
    for _ in range(3):
        start = process_time()
        read(text)
        times.append(process_time() - start)
    return min(times)


def test_a_redirect_is_read_as_before() -> None:
    assert redirect_target("[[Category:Towns]] \n\n #REDIRECT : [[Stone Town|x]]") == "Stone Town"
    assert redirect_target("# redirect[[ Dhow ]]") == "Dhow"
    assert redirect_target("#redirect [[]]") is None


def test_the_declared_language_is_found_behind_other_attributes() -> None:
    assert declared_language('<!DOCTYPE html>\n<html class="a b"\n dir=ltr lang="sw-TZ">') == "sw-tz"
