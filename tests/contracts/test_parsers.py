"""What holds for every parser: the same text model, nothing lost, every place found again in the markup."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkspot.errors import TooLarge
from linkspot.parsing import link_targets, parse
from linkspot.parsing.markup import MARKUPS
from linkspot.records import Article, Link, Markup, Page
from linkspot.source_map import TextRun

SAME_PAGE: dict[Markup, str] = {
    Markup.HTML: """<p>The <b>dog</b> is a <a href="Mammal">mammal</a>. It barks &amp; runs.</p>
<h2>Diet</h2><p>Dogs eat <a href="Meat#Raw">raw <i>meat</i></a>.</p><ul><li>Bones too.</li><li>And rice.</li></ul>
<h3>Water</h3><p>They drink.</p>""",
    Markup.WIKITEXT: """The '''dog''' is a [[Mammal|mammal]]. It barks &amp; runs.

== Diet ==
Dogs eat [[Meat#Raw|raw ''meat'']].
* Bones too.
* And rice.
=== Water ===
They drink.""",
    Markup.MARKDOWN: """The **dog** is a [mammal](Mammal). It barks &amp; runs.

## Diet

Dogs eat [raw _meat_](Meat#Raw).

- Bones too.
- And rice.

### Water

They drink.""",
}

_FRAGMENTS = {
    Markup.HTML: (
        *("<p>", "</p>", "<b>", "</b>", "<a href='./X'>", "</a>", "<i", ">", "<!--", "-->", "<br>", "<h2>", "</h2>"),
        *(
            "<li>",
            "<ul>",
            "</ul>",
            "<table>",
            "<td>",
            "</table>",
            "&amp;",
            "&nbsp;",
            "&",
            "<sup class=reference>",
            "</sup>",
        ),
        *("<script>", "</script>", "'", '"', "<div>", "</div>", "<span typeof='mw:Transclusion'>", "</span>", "<pre>"),
    ),
    Markup.WIKITEXT: (
        *("[[", "]]", "|", "{{", "}}", "{|", "|}", "\n|-\n", "'''", "''", "'", "== ", " ==", "=", "<ref>", "</ref>"),
        *("<nowiki>", "</nowiki>", "<!--", "-->", "* ", "# ", ":", ";", "[http://x.org ", "]", "File:", "Category:"),
        *("fr:", "&amp;", "&nbsp;", "<br>", "<b>", "</b>", "<div>", "</div>", "__TOC__", "[[Dog]]s", "----", "<pre>"),
    ),
    Markup.MARKDOWN: (
        *("[", "]", "(", ")", "](x.md)", "*", "**", "_", "`", "```", "\n```\n", "# ", "## ", "> ", "- ", "1. ", "    "),
        *(
            "{{",
            "}}",
            '{{domxref("Window")}}',
            "[[",
            "]]",
            "![",
            "<b>",
            "</b>",
            "<!--",
            "-->",
            "&amp;",
            "\\",
            "~~",
            "|",
        ),
        *("---\n", "===\n", "{{<", ">}}", ":::", "!!! note", "$", "<br>", "[^1]", "[^1]: ", "<http://x.org>", "\t"),
    ),
}
_WORDS = ("dog", "Wolf.", " ", "  ", "\n", "\n\n", "\r\n", "犬は走る。", "כלב", "é", "🐕", "Mr.", "a")


def _page(markup: Markup, text: str) -> Page:
    return Page("Dog", text, markup, "en")


def _links(article: Article) -> list[Link]:
    return [link for section in article.sections for link in section.links]


def _check_places(page: Page, article: Article) -> None:
    """Every run, sentence and link of the article is found again in the page's markup, in order."""
    end = 0
    for section in article.sections:
        _check_runs(page, section.text, section.source_map.runs)
        for sentence in section.sentences:
            source = sentence.source
            assert 0 <= source.start < source.end <= len(page.text)
            assert source.end >= end
            end = source.end
            mark = "\N{WHITE SQUARE}"
            edited = source.replace(page.text, mark)
            assert edited == page.text[: source.start] + mark + page.text[source.end :]
        for link in section.links:
            assert 0 <= link.source.start < link.source.end <= len(page.text)
        rebuilt = [part for pair in zip(section.gaps(), [*section.sentences, None], strict=True) for part in pair]
        assert "".join(part if isinstance(part, str) else part.text for part in rebuilt if part) == section.text
        assert not any(gap.strip() for gap in section.gaps())


def _check_runs(page: Page, text: str, runs: tuple[TextRun, ...]) -> None:
    end = 0
    for run in runs:
        assert run.start >= end
        assert not text[end : run.start].strip()
        end = run.end
        if run.is_verbatim:
            was = page.text[run.source_start : run.source_end].translate(str.maketrans("\t\n\r\f", "    "))
            assert text[run.start : run.end] in {was, was.replace("\0", "\ufffd")}


def test_every_markup_has_a_parser() -> None:
    assert set(MARKUPS) == set(Markup) == set(SAME_PAGE)


@pytest.mark.parametrize("markup", Markup)
def test_the_same_page_gives_the_same_article(markup: Markup) -> None:
    page = _page(markup, SAME_PAGE[markup])
    article = parse(page)
    assert [(section.title, section.level, section.text) for section in article.sections] == [
        ("", 1, "The dog is a mammal. It barks & runs."),
        ("Diet", 2, "Dogs eat raw meat.\nBones too.\nAnd rice."),
        ("Water", 3, "They drink."),
    ]
    assert [(link.target, link.mention) for link in _links(article)] == [("Mammal", "mammal"), ("Meat#Raw", "raw meat")]
    assert [len(section.sentences) for section in article.sections] == [2, 3, 1]
    _check_places(page, article)


@pytest.mark.parametrize("markup", Markup)
def test_a_sentence_is_cut_out_with_all_of_its_markup(markup: Markup) -> None:
    text = SAME_PAGE[markup]
    first = parse(_page(markup, text)).sections[0].sentences[0]
    start = text.index("The ")
    assert first.source.cut(text) == text[start : text.index(" It barks")]


@pytest.mark.parametrize(
    ("markup", "code"),
    [
        (Markup.HTML, "<code>stop it. Then run.</code>"),
        (Markup.WIKITEXT, "<code>stop it. Then run.</code>"),
        (Markup.MARKDOWN, "`stop it. Then run.`"),
    ],
)
def test_no_sentence_ends_inside_code(markup: Markup, code: str) -> None:
    page = _page(markup, f"Dogs bark. Type {code} Next. It runs.")
    section = parse(page).sections[0]
    assert section.text == "Dogs bark. Type stop it. Then run. Next. It runs."
    assert not section.source_map.is_balanced(16, 20)
    assert section.source_map.is_balanced(16, 34)
    first, *_, last = (sentence.source.cut(page.text) for sentence in section.sentences)
    assert (first, last) == ("Dogs bark.", "It runs.")
    assert sum(code in sentence.source.cut(page.text) for sentence in section.sentences) == 1


@pytest.mark.parametrize("markup", Markup)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_page_is_too_broken(markup: Markup, data: st.DataObject) -> None:
    pieces = data.draw(st.lists(st.sampled_from((*_FRAGMENTS[markup], *_WORDS)), max_size=40))
    page = _page(markup, "".join(pieces))
    _check_places(page, parse(page))


@pytest.mark.parametrize("markup", Markup)
@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=200))
def test_any_text_is_read(markup: Markup, text: str) -> None:
    page = _page(markup, text)
    _check_places(page, parse(page))


@pytest.mark.no_cover
@pytest.mark.parametrize("markup", Markup)
@pytest.mark.parametrize("text", ["a\ud800b. c", "\ufeff", "\0", "\u2028", "a\u0085b", "x" * 100_000, "a. " * 20_000])
def test_odd_characters_and_long_texts_are_read(markup: Markup, text: str) -> None:
    page = _page(markup, text)
    _check_places(page, parse(page))


@pytest.mark.no_cover  # which would take ten times as long
@pytest.mark.parametrize("count", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("markup", Markup)
def test_thousands_of_any_fragment_are_read(markup: Markup, count: int) -> None:
    for fragment in _FRAGMENTS[markup]:
        page = _page(markup, f"Dogs bark. {fragment * count} x")
        try:
            article = parse(page)
        except TooLarge:
            assert fragment in {
                "<b>",
                "<ul>",
                "<table>",
                "<div>",
                "<pre>",
                "<span typeof='mw:Transclusion'>",
                "<sup class=reference>",
            }
            continue
        _check_places(page, article)


@pytest.mark.parametrize("markup", Markup)
def test_a_character_reference_may_have_any_number_of_digits(markup: Markup) -> None:
    number = "9" * 5_000
    page = _page(markup, f"A &#{number}; b &#{'0' * 5_000}65; &#x{number}; [[&#{number};]] <a href='&#{number};'>c</a>")
    _check_places(page, parse(page))
    assert {link.target for link in _links(parse(page))} <= link_targets(page).keys()
