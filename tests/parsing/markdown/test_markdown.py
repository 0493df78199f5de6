"""The Markdown parser: what is prose, where it stands in the page, and that nothing makes it fail."""

import re
import string
from itertools import pairwise

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from linkspot.parsing import parse
from linkspot.records import Article, LinkKind, Markup, Page, Section
from linkspot.source_map import Span

AS_SHOWN = str.maketrans("\t\n\r\f\0", "    \ufffd")


def read(text: str, title: str = "") -> Article:
    return parse(Page(title, text, Markup.MARKDOWN, "en"))


def prose(text: str) -> str:
    return "\n".join(section.text for section in read(text).sections)


def links(text: str) -> list[tuple[str, str, LinkKind]]:
    return [(link.mention, link.target, link.kind) for section in read(text).sections for link in section.links]


def check_places(text: str) -> Article:
    """Assert that every range of the article is one of the page, and every character in its place."""
    article = read(text)
    for section in article.sections:
        runs = section.source_map.runs
        for run in runs:
            shown = section.text[run.start : run.end]
            assert 0 <= run.source_start <= run.source_end <= len(text)
            assert not run.is_verbatim or text[run.source_start : run.source_end].translate(AS_SHOWN) == shown
        for before, after in pairwise(runs):
            assert before.source_end <= after.source_start
        for element in section.source_map.elements:
            assert element.outer_start <= element.inner_start <= element.inner_end <= element.outer_end <= len(text)
        for link in section.links:
            markup = link.source.cut(text)
            assert markup[0] + markup[-1] in {"[)", "[]", "<>", "{}"}
    return article


@pytest.mark.parametrize(
    "markup",
    [
        "```js\nText.\n```\n",
        "    Text.\n",
        "> Text.\n",
        "> [!NOTE]\n> Text.\n",
        "> **Note:** Text.\nText, lazily.\n",
        "| Text | Text |\n| --- | --- |\n| Text | Text |\n",
        "<div>Text.</div>\n",
        "<table>\n<tr><td>\n\nText.\n\n</td></tr></table>\n",
        "<!-- Text. -->\n",
        "![Text](image.png)\n",
        "[^1]: Text.\n\n    Text.\n",
        "[Text]: /page 'Text'\n",
        "$$\nText\n$$\n",
        "---\ntitle: Text\n---\n",
        "# Text\n",
        "<https://example.org/Text>\n",
        "https://example.org/Text\n",
    ],
)
def test_this_is_no_prose(markup: str) -> None:
    assert prose(f"{markup}\nOnly this.\n").strip() == "Only this."


def test_paragraphs_items_and_definitions_are_blocks_of_prose() -> None:
    text = "One\ntwo.\n\n- three\n\n  four\n- [x] five\n\nsix\n: seven\n\n- eight\n  - : nine\n"
    assert prose(text) == "One two.\nthree\nfour\nfive\nsix\nseven\neight\nnine"


def test_a_hard_line_break_is_a_blank_and_a_br_ends_a_block() -> None:
    assert prose("a  \nb\\\nc<br>d") == "a b c\nd"


def test_the_first_h1_is_the_title_and_other_headings_begin_sections() -> None:
    article = read(
        "[![badge](b.svg)](ci)\n\n# The *page*\n\nLead.\n\n## A `b` [c](d) {#id}\n\nText.\n\nOld\n===\n\nEnd.\n"
    )
    assert article.title == "The page"
    assert [(s.title, s.level, s.text) for s in article.sections] == [
        ("", 1, "Lead."),
        ("A b c", 2, "Text."),
        ("Old", 1, "End."),
    ]


def test_an_h1_behind_text_begins_a_section() -> None:
    assert [section.title for section in read("Text.\n\n# Title\n").sections] == ["", "Title"]


def test_links_of_all_kinds_are_found_with_their_targets_as_written() -> None:
    text = (
        "[a](./b%20c.md 'title') [d](<e f>) [g][r] [h][] [r] [i](#j) [k](https://l.m) [n](mailto:o@p.q) "
        'See <a class="x" href="/s">t</a> [u](v\\_w&amp;x).\n\n[r]: /docs/r\n[h]: h.md\n'
    )
    assert links(text) == [
        ("a", "./b%20c.md", LinkKind.PAGE),
        ("d", "e f", LinkKind.PAGE),
        ("g", "/docs/r", LinkKind.PAGE),
        ("h", "h.md", LinkKind.PAGE),
        ("r", "/docs/r", LinkKind.PAGE),
        ("i", "#j", LinkKind.PAGE),
        ("k", "https://l.m", LinkKind.EXTERNAL),
        ("n", "mailto:o@p.q", LinkKind.EXTERNAL),
        ("t", "/s", LinkKind.PAGE),
        ("u", "v_w&x", LinkKind.PAGE),
    ]


@pytest.mark.parametrize("text", ["[a](b\\\nc)", "[a](<b\\\nc>)", "- [a](b\\\n  c)", "[a](b\\\x01c)"])
def test_a_backslash_brings_no_line_end_into_an_address(text: str) -> None:
    assert links(text) == []


def test_the_address_of_a_reference_ends_with_its_line() -> None:
    assert links("[x]\n\n[x]:\\\ny") == [("x", "\\", LinkKind.PAGE)]


def test_the_address_of_a_tag_has_no_line_ends_and_no_blanks_around_it() -> None:
    assert links("- <a href=' x/\n  y.md\n\t'>a</a> <a href=' '>b</a>") == [("a", "x/y.md", LinkKind.PAGE)]


def test_a_sentence_is_cut_out_with_all_its_markup() -> None:
    text = "One **two *three*** `four`.[^1] Five \\* [six](/s) &amp; <kbd>seven</kbd>.\r\n\r\n[^1]: Note.\r\n"
    (section,) = read(text).sections
    assert [(sentence.text, sentence.source.cut(text)) for sentence in section.sentences] == [
        ("One two three four.", "One **two *three*** `four`.[^1]"),
        ("Five * six & seven.", "Five \\* [six](/s) &amp; <kbd>seven</kbd>."),
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_sentence_over_several_lines_of_an_item_keeps_its_place(newline: str) -> None:
    text = newline.join(["- One", "  - two", "\tthree  ", "    *four", "five*."])
    section = read(text).sections[0]
    assert section.text == "One\ntwo three four five."
    assert section.sentences[1].source.cut(text) == text[text.index("two") :]


def test_code_is_one_whole_that_can_be_linked() -> None:
    text = "Call `window.open()` now."
    (section,) = read(text).sections
    start = section.text.index("window.open()")
    assert section.source_map.is_balanced(start, start + len("window.open()"))
    assert section.source_map.source_span(start, start + len("window.open()")).cut(text) == "`window.open()`"
    assert section.source_map.source_span(start, start + len("window")).cut(text) == "`window.open()`"
    assert not section.source_map.is_balanced(0, start + len("window"))


def test_tags_pair_within_markdown_and_others_show_nothing() -> None:
    (section,) = read("*a <b>c* d</b> <i>e</i> <svg>f</svg> g").sections
    assert section.text == "a c d e g"
    widths = {(element.start, element.end) for element in section.source_map.elements if element.start < element.end}
    assert widths == {(0, 3), (6, 7)}


def test_a_tag_does_not_close_beyond_the_emphasis_that_it_stands_in() -> None:
    (section,) = read("<b>a *c</b> d*").sections
    assert section.text == "a c d"
    assert [(e.start, e.end) for e in section.source_map.elements if e.start < e.end] == [(2, 5)]


def test_a_lone_tilde_beside_struck_text_keeps_its_place() -> None:
    text = "b ~~~a~~~ c"
    (section,) = check_places(text).sections
    assert section.text == "b ~a~ c"
    assert section.source_map.source_span(3, 4).cut(text) == "~~a~~"


def test_words_that_their_own_list_marker_repeats_are_found_behind_it() -> None:
    assert read("1) 1").sections[0].sentences[0].source == Span(3, 4)


FRAGMENTS = st.sampled_from(
    "word |Two words. |*|**|_|`|``|~~|~~~|[|](|](/a)|)|]|[x](y)|[r]|[^1]|![|![i](s)|<b>|</b>|<br>|<a href='/h'>|</a>|"
    "<!-- c -->|<!--|<svg>|</svg>|<https://a.b>|https://a.b/c_d|&amp;|&#32;|&nGt;|\\*|\\|\t|    |  |- |1. |- : |> |# |"
    '$x$|$|$$|{{domxref("A.b()")}}|{{Compat}}|{{|}}|{{< ref "p.md" >}}|{% x %}|{% comment %}|[[P/w]]|[[|]]|'
    "\0|\ud800|\u2028|\x0b|\xa0|é|漢字。|<div>|<table>|{: .c}|^[|!!! note|:::note|===|---|+++|```|: def|[r]: /u".split(
        "|"
    )
) | st.sampled_from(["\n", "\n\n", "\r\n", "\r", "  \n", "|a|b|\n|-|-|\n"])


@given(st.lists(FRAGMENTS, max_size=40).map("".join))
@example("&Gt;\x0b  >")  # a vertical tab is not white space that Markdown collapses
@example("[a $x](u) b$")  # a formula binds tighter than a link, as code does
@example("- a\n\tb")  # the indentation of the item cuts the tab
@example("*<b>*</b>")
@settings(max_examples=120, deadline=None)
def test_no_markup_however_broken_fails_or_loses_its_place(text: str) -> None:
    check_places(text)


@given(st.text(max_size=200))
@settings(max_examples=40, deadline=None)
def test_any_text_is_a_page(text: str) -> None:
    check_places(text)


INLINE = st.sampled_from(
    "word|Two words.|*em*|**strong one**|_a `c d` b_|`code here`|~~gone~~|[link *em*](/a)|[r]|![i](s)|<b>bold</b>|"
    '<!-- c -->|<https://a.b>|a &amp; b|\\* star|{{domxref("A.b()")}}|{{Compat}}|$x$|line\nbreak|***both** one*|'
    "<kbd>Ctrl</kbd>+<kbd>C</kbd>|x<sup>2</sup>|note[^1]|un*frag*able".split("|")
)
BLOCKS = st.sampled_from(
    ["{}", "- {}", "1. {}", "- a\n  - : {}", "> {}", "## {}", "\t- {}", "Term\n: {}", ":::note\n{}\n:::"]
)


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Return a page that is well formed, however wild."""
    blocks = ["[r]: /u", "[^1]: note"]
    for block in draw(st.lists(BLOCKS, min_size=1, max_size=4)):
        words = " ".join(draw(st.lists(INLINE, min_size=1, max_size=6)))
        indent = "   " if block[0] in "-1\t" else ""
        blocks.append(
            block.format(words if "#" not in block else words.replace("\n", " ")).replace("\nbreak", f"\n{indent}break")
        )
    return draw(st.sampled_from(["\n", "\r\n"])).join("\n\n".join(blocks).split("\n"))


def linkable_ranges(section: Section) -> list[tuple[int, int]]:
    """Return ranges of one to three words that a link can be put around and that are not linked."""
    words = [match.span() for match in re.finditer(r"\w+", section.text)]
    ranges = [(a[0], b[1]) for width in (0, 1, 2) for a, b in zip(words, words[width:], strict=False)]
    source_map = section.source_map
    return [
        (start, end)
        for start, end in ranges
        if source_map.is_balanced(start, end)
        and "\n" not in section.text[start:end]
        and not any(section.links_in(start, end))
        and not any(element.start == element.end == end for element in source_map.elements)
        and not any(not r.is_verbatim and (r.start < start < r.end or r.start < end < r.end) for r in source_map.runs)
    ]


@given(pages(), st.data())
@settings(max_examples=40, deadline=None)
def test_a_link_put_around_words_adds_that_link_and_changes_nothing_else(text: str, data: st.DataObject) -> None:
    article = check_places(text)
    places = [(section, words) for section in article.sections for words in linkable_ranges(section)]
    assume(places)
    section, (start, end) = data.draw(st.sampled_from(places))
    source = section.source_map.source_span(start, end)
    edited = read(source.replace(text, f"[{source.cut(text)}](/new)"))
    assert [section.text for section in edited.sections] == [section.text for section in article.sections]
    new = [link.mention for section in edited.sections for link in section.links if link.target == "/new"]
    assert new == [section.text[start:end]]


@given(pages(), st.data())
@settings(max_examples=40, deadline=None)
def test_a_sentence_rewritten_in_its_range_leaves_the_others_as_they_were(text: str, data: st.DataObject) -> None:
    article = read(text)
    sentences = [sentence for section in article.sections for sentence in section.sentences]
    assume(sentences)
    index = data.draw(st.integers(0, len(sentences) - 1))
    edited = read(sentences[index].source.replace(text, "Rewritten."))
    # Its neighbours in the block may join it or be parted from it: words are compared, not borders.
    kept = [s.text for i, s in enumerate(sentences) if i != index]
    words = " ".join([*kept[:index], "Rewritten.", *kept[index:]]).split()
    assert " ".join(section.text for section in edited.sections).split() == words


UNITS = (
    ">~> ~- ~[~[a](~![~*~*a ~_a *b ~`a ~<b>~<!-- ~{{~{% ~[[a~$a ~http://~^[~"
    "[a\n~a\n: b\n~{{< highlight a >}}\n~!!! note\n~\\~\0~|a"
)


@pytest.mark.no_cover  # which would take ten times as long
@pytest.mark.parametrize("unit", UNITS.split("~"))
def test_ten_thousand_of_anything_are_read(unit: str) -> None:
    check_places(unit * 10_000)


def test_a_closing_bracket_for_each_of_ten_thousand_is_no_prose() -> None:
    assert prose("[" * 10_000 + "a" + "]" * 10_000 + "\n\nText.") == "Text."


def test_lists_nested_beyond_all_measure_are_read_as_far_as_it_goes() -> None:
    text = "".join(f"{'  ' * depth}- {string.ascii_letters[depth % 52]}\n" for depth in range(500))
    assert check_places(text).sections[0].text.startswith("a\nb\nc")


@pytest.mark.parametrize(
    "text",
    [
        "The <a>wolf</a> ran.",
        "The <a name=x>wolf ran.",
        "<a name=x>The wolf [ran](x).",
        "The [wolf]() ran.",
        "The [wolf](x) ran.",
    ],
)
def test_no_link_goes_into_an_anchor(text: str) -> None:
    section = read(text).sections[0]
    assert not section.source_map.is_balanced(4, 8)


def test_a_text_between_two_rules_is_not_front_matter_with_or_without_a_link() -> None:
    assert prose("---\nThe wolf\n~~~\n---\n") == "The wolf"
    assert prose("---\nThe [wolf](x)\n~~~\n---\n") == "The wolf"
    assert prose("---\ntitle: [x\n---\nDogs.") == "Dogs."
