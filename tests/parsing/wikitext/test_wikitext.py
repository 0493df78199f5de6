"""Wikitext → article: what is text, what is not, and where each character of it stands in the page."""

import re
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from linkspot.parsing.wikitext import page as wikitext
from linkspot.records import Article, Link, LinkKind, Markup, Page, Section

WHITE = re.compile(r"[ \t\n\r\f]")


def parse(text: str, language: str = "en") -> Article:
    return wikitext.parse(Page("Title", text, Markup.WIKITEXT, language))


def text_of(text: str, language: str = "en") -> str:
    return "\n".join(section.text for section in parse(text, language).sections if section.text)


def lead(text: str, language: str = "en") -> Section:
    return parse(text, language).sections[0]


def only_link(text: str, language: str = "en") -> Link:
    (link,) = lead(text, language).links
    return link


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("A {{template|with {{nested}} [[link]]}} b.", "A b."),
        ("A {{{argument|{{x}}}}} b.", "A b."),
        ("A {{#if: x | y }} b.", "A b."),
        ("A.<ref>A note with [[link]] and {{cite}}.</ref> B.<ref name=x /> C.", "A. B. C."),
        ("[[File:Cat.jpg|thumb|A [[cat]].\n\nSecond paragraph.]]\nText.", "Text."),
        ("Text <!-- [[hidden]] --> goes on.", "Text goes on."),
        ("Text <!-- unclosed, so that it hides [[the rest]].", "Text"),
        ("<gallery>\nA.jpg|[[caption]]\n</gallery>\nText.", "Text."),
        ("'''Bold''' and ''italic'' and '''''both'''''.", "Bold and italic and both."),
        ("__NOTOC__\nText with __init__ in it.", "Text with __init__ in it."),
        ("Text.\n[[Category:Cats]]\n[[fr:Chat]]", "Text."),
        ("Text ~~~~", "Text"),
        ("See http://example.org/x and [http://example.org] there.", "See and there."),
        ("At http://example.jp/x　日本語。 [[Cat]] http://a.b\xa0http://c.d\te.", "At 　日本語。 Cat \xa0 e."),
        ("<b>http://example.org\xa0is</b> here, news:\xa0none.", "\xa0is here, news:\xa0none."),
        ("mailto:\x85x", ""),
        ("A <math>x^2</math> b <code>c</code> d.", "A b c d."),
        ("<pre>\n[[code]]\n</pre>\nText.\n<blockquote>A quotation.</blockquote>", "Text."),
        ("Text.\n a line of [[code]]\nMore.", "Text.\nMore."),
        ("Fish &amp; chips, 5&nbsp;m<sup>2</sup>.", "Fish & chips, 5\xa0m2."),
        ("A <span style='color:red'>red</span> <small>word</small>.", "A red word."),
        ("A <span style='display:none'>hidden</span> word.", "A word."),
        ("<nowiki>[[not a link]] '''nor bold''' &lt; {{x}}</nowiki>", "[[not a link]] '''nor bold''' < {{x}}"),
        ("{| class=x\n| [[cell]]\n{|\n| inner\n|}\n|}\nText.", "Text."),
        (":{|\n| cell\n|}\nText.", "Text."),
        ("<table><tr><td>[[cell]]</td></tr></table>\nText.", "Text."),
        ("{| no end\n| [[cell]]\n== Next ==\nText.", "Text."),
        ("Set <username> here.", "Set <username> here."),
        ("<h2>Heading</h2>\nText.", "Text."),
    ],
)
def test_only_prose_is_text(markup: str, shown: str) -> None:
    assert text_of(markup) == shown


@pytest.mark.parametrize(
    ("markup", "blocks"),
    [
        ("One\ntwo.\n\nThree.", ["One two.", "Three."]),
        ("Text.\n* one\n** two\n# three\n: four\nText.", ["Text.", "one", "two", "three", "four", "Text."]),
        ("; term: definition\n;[[a:b|c]]: d", ["term", "definition", "c", "d"]),
        ("One<br>two<br />three", ["One", "two", "three"]),
        ("One.\n{{template}}\nTwo.", ["One.", "Two."]),
        ("One\n<!-- a comment's line is no line -->\ntwo.", ["One two."]),
        ("One.\n----\nTwo.", ["One.", "Two."]),
        ("<div>One.</div>\n<div>\nTwo.\n</div>", ["One.", "Two."]),
        ("One.\r\n\r\nTwo.\r\n", ["One.", "Two."]),
    ],
)
def test_every_paragraph_and_list_item_is_a_block(markup: str, blocks: list[str]) -> None:
    assert text_of(markup).split("\n") == blocks


def test_headings_make_sections() -> None:
    article = parse("Lead.\n== A ''b'' [[c|d]] == <!-- e -->\nOne.\n=== Sub ===\r\n= Top =\nTwo.\n== no heading\n")
    assert [(s.title, s.level, s.text) for s in article.sections] == [
        ("", 1, "Lead."),
        ("A b d", 2, "One."),
        ("Sub", 3, ""),
        ("Top", 1, "Two. == no heading"),
    ]


@pytest.mark.parametrize(
    ("markup", "target", "mention", "kind"),
    [
        ("[[Cat]]", "Cat", "Cat", LinkKind.PAGE),
        ("[[ Cat |the cat]]", "Cat", "the cat", LinkKind.PAGE),
        ("[[cat]]s", "cat", "cats", LinkKind.PAGE),
        ("[[Mercury (planet)|]]", "Mercury (planet)", "Mercury", LinkKind.PAGE),
        ("[[#Section]]", "#Section", "#Section", LinkKind.PAGE),
        ("[[Cat|''the'' '''cat''']]", "Cat", "the cat", LinkKind.PAGE),
        ("[[Cat|two<br>lines]]", "Cat", "two lines", LinkKind.PAGE),
        ("[[AT&amp;T]]", "AT&T", "AT&T", LinkKind.PAGE),
        ("[[Cat<!-- really -->|c]]", "Cat", "c", LinkKind.PAGE),
        ("[[Alien: Covenant]]", "Alien: Covenant", "Alien: Covenant", LinkKind.PAGE),
        ("[[:fr:Chat]]", ":fr:Chat", "fr:Chat", LinkKind.INTERWIKI),
        ("[[wikt:cat|word]]", "wikt:cat", "word", LinkKind.INTERWIKI),
        ("[[:Category:Cats]]", ":Category:Cats", "Category:Cats", LinkKind.NAMESPACE),
        ("[[Help:Contents|help]]", "Help:Contents", "help", LinkKind.NAMESPACE),
        ("[http://example.org an ''example'']", "http://example.org", "an example", LinkKind.EXTERNAL),
    ],
)
def test_a_link_has_its_target_and_its_words(markup: str, target: str, mention: str, kind: LinkKind) -> None:
    page = f"A '''word''', {markup}, more."
    link = only_link(page)
    assert (link.target, link.mention, link.kind) == (target, mention, kind)
    assert link.source.cut(page) == markup


@pytest.mark.parametrize(
    ("markup", "language", "mention"),
    [
        ("[[dog]]s", "en", "dogs"),
        ("[[chat]]é", "en", "chat"),
        ("[[chat]]é", "fr", "chaté"),
        ("[[пес]]иками", "uk", "песиками"),
        ("[[ভারত]]ের", "bn", "ভারতের"),
        ("[[犬]]など", "ja", "犬"),
    ],
)
def test_a_words_end_behind_the_brackets_follows_the_language(markup: str, language: str, mention: str) -> None:
    assert only_link(markup, language).mention == mention


@pytest.mark.parametrize("markup", ["[[Translation:en/Manual]]", "[[Category:Cats]]", "[[de:Katze]]", "[[]]"])
def test_a_marker_shows_nothing(markup: str) -> None:
    section = lead(f"{markup}\nText.")
    assert (section.text, section.links) == ("Text.", ())


def test_a_files_name_follows_the_language() -> None:
    assert text_of("[[চিত্র:A.jpg|থাম্ব|[[ক]]]]\nখ।", "bn") == "খ।"


@pytest.mark.parametrize(
    "text", ["#REDIRECT [[Cat]]", "#redirect: [[Cat|c]]\n[[Category:x]]", "#WEITERLEITUNG [[Cat]]"]
)
def test_a_redirect_has_a_target_and_no_prose(text: str) -> None:
    assert wikitext.redirect_target(text) == "Cat"
    assert text_of(text) == ""


def test_a_numbered_list_is_no_redirect() -> None:
    assert wikitext.redirect_target("# Redirecting [[Cat]]s is hard") is None


def test_a_sentence_takes_along_its_bold_words_and_its_footnotes() -> None:
    page = "'''Cats''' purr.<ref>Yes</ref> They ''like [[Fish|fish]].''{{cn}}"
    first, second = lead(page).sentences
    assert first.source.cut(page) == "'''Cats''' purr.<ref>Yes</ref>"
    assert second.source.cut(page) == "They ''like [[Fish|fish]].''{{cn}}"


def test_an_apostrophe_before_italics_stays_in_the_text() -> None:
    assert text_of("L'''Étranger'' de Camus.", "fr") == "L'Étranger de Camus."


def test_of_five_apostrophes_the_last_open_what_closes_first() -> None:
    page = "'''''a''' b'' c"
    elements = lead(page).source_map.elements
    assert {page[e.outer_start : e.outer_end] for e in elements} == {"'''''a''' b''", "'''a'''"}


def test_text_around_balanced_markup_can_be_linked() -> None:
    page = "The '''red [[cat]]''' sat."
    section = lead(page)
    start = section.text.index("red")
    assert section.source_map.is_balanced(start, start + len("red cat"))
    assert section.source_map.source_span(start, start + len("red cat")).cut(page) == "'''red [[cat]]'''"


PATHOLOGIES = [
    "{{", "[[", "<b>", "'''a ", "{|\n", "[http://a ", "<ref>a", "<!-- ", "{{a|[[b|<b>''c ", "== a\n", "=", "{{{a",
    "<nowiki>", "&amp", "<", "<ref ", "'", ";a:", "~", "__A", "[[File:a|", "[[a|<b>]]</b>", "<span a=\"", "http://a/",
    "<td>", "<table>", "*", "\x00[[a]]", "\r\n", "\ud800", "[[a|b ", "''a'''b ", "\uffff", "<br", "|}\n", "}}", "]]",
]  # fmt: skip


@pytest.mark.no_cover  # which would take ten times as long
@pytest.mark.parametrize("piece", PATHOLOGIES)
def test_hostile_pages_take_linear_time(piece: str) -> None:
    begin = time.process_time()
    assert_offsets_hold(piece * 20_000)
    assert time.process_time() - begin < 20, "a quadratic parser needs minutes here, a linear one a second or two"


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("opening", "closing"), [("{{a|", "}}"), ("[[a|", "]]"), ("<b>", "</b>"), ("{|\n", "|}\n"), ("<b>[[a|", "</b>]]")]
)
def test_deep_nesting_is_no_error(opening: str, closing: str) -> None:
    assert_offsets_hold("Before. " + opening * 10_000 + "x" + closing * 10_000 + "\n\nAfter.")


def test_a_hopeless_line_leaves_the_links_around_it() -> None:
    section = lead("A [[cat]].\n" + "<b>[[" * 100 + "\nA [[dog]].")
    assert [link.target for link in section.links] == ["cat", "dog"]


def assert_offsets_hold(text: str, language: str = "en") -> Article:
    article = parse(text, language)
    for section in article.sections:
        for run in section.source_map.runs:
            source = text[run.source_start : run.source_end]
            if run.is_verbatim:
                assert WHITE.sub(" ", source) == section.text[run.start : run.end]
            else:
                assert not source.strip() or source.startswith(("&", "<"))
        ends = [0, *(sentence.source.end for sentence in section.sentences)]
        assert all(s.source.start >= end for s, end in zip(section.sentences, ends, strict=False))
        for link in section.links:
            assert re.match(r"\[.*\]\w*", link.source.cut(text), re.DOTALL)
    return article


fragments = st.recursive(
    st.sampled_from(
        [
            "word", "Two words.", " ", "\n", "\n\n", "&amp;", "&nbsp;", "http://a.b/c", "'", "* ", "; a : b", "----",
            "é", "__TOC__", "~~~~", "<br>", "{{", "}}", "[[", "]]", "[", "]", "'''", "''", "'''''", "<b>", "</b>",
            "<ref>", "</ref>", "<ref/>", "<!--", "-->", "{|", "|}", "|", "\n{|\n", "\n|}\n", "\n== H ==\n", "\n=",
            "<nowiki>", "</nowiki>", "<li>", "<div>", "</div>", "\x00", "\r\n", "\ud800", "\uffff", "[[File:",
            "[[Category:A]]", "<", ":", "[http://a.b/ ", "</", "/>", "日本。", "\u2028", "\x0b", "&#0;", "&#x1;",
            "<table>", "\n ", "<sup>2</sup>",
        ]
    ),
    lambda inner: st.builds(
        lambda shape, parts: shape.replace("x", "".join(parts)),
        st.sampled_from(
            ["[[T|x]]", "[[x]]", "{{t|x}}", "'''x'''", "''x''", "<b>x</b>", "<span id=i>x</span>", "<ref>x</ref>",
             "<!--x-->", "\n{|\n|x\n|}\n", "[http://a.b x]", "<nowiki>x</nowiki>", "\n* x\n", "\n== x ==\n",
             "[[File:f|x]]", "<div>x</div>"]
        ),
        st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)  # fmt: skip
pages = st.lists(fragments, max_size=12).map("".join)


@settings(max_examples=150, deadline=None)
@given(pages, st.sampled_from(["en", "fr", "ja", "bn"]))
@example("http://a''b''", "en")
@example("<td><td>x</td>", "en")
@example("[[T|[[a]]]]", "en")
@example("<nowiki>word&#0;</nowiki>", "en")
@example("日本。[[T|[[[T|]]]]", "en")
@example("[[<ref>|]]", "en")
@example("<nowiki><li>\x00word</nowiki>", "en")
@example("日本。'''<!-- c -->東京'''です。", "ja")
def test_no_page_breaks_the_parser_or_its_offsets(text: str, language: str) -> None:
    assert_offsets_hold(text, language)


balanced = st.lists(
    st.sampled_from(
        ["A [[cat]] sat.", "It '''was ''red'''''.", "Yes.<ref>{{cite|x}}</ref>", "{{cn}}", "<!-- c -->", "\n\n",
         "\n* ", " ", "5&nbsp;m.", "See [http://a.b ''there''].", "\n== H ==\n", "\n{|\n| cell\n|}\n",
         "[[File:a|[[b]] x]]", "[[dog]]s bark."]
    ),
    max_size=10,
).map(" ".join)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(balanced, st.data())
def test_editing_one_sentence_changes_no_other(text: str, data: st.DataObject) -> None:
    sentences = [sentence for section in parse(text).sections for sentence in section.sentences]
    if sentences:
        index = data.draw(st.integers(0, len(sentences) - 1))
        edited = parse(sentences[index].source.replace(text, "Something quite new."))
        expected = [s.text for s in sentences]
        expected[index] = "Something quite new."
        assert [s.text for section in edited.sections for s in section.sentences] == expected


def test_a_redirect_may_stand_below_its_language_or_category() -> None:
    assert wikitext.redirect_target("[[Translation:en/Signals]]\n[[Category:Old]]\n#REDIRECT [[Signal]]") == "Signal"
    assert wikitext.redirect_target("See [[Category:Old]]\n#REDIRECT [[Signal]]") is None
