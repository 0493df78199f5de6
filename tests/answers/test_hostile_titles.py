"""No title, mention or address brings markup of its own into a page, or the answer says that it cannot be linked."""

import re
from collections import Counter
from dataclasses import replace
from urllib.parse import unquote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from linkspot import Action, Answer, Entity, Markup, Page, Place, parse, suggest
from linkspot.links.titles import TitleRules
from linkspot.records import Article

PAGES = {
    Markup.HTML: "<h1>Dog</h1><p>The dog saw a wolf &amp; ran. It <i>barks</i> at <a href='Cat'>cats</a>.<p>It ends.",
    Markup.WIKITEXT: "The dog saw a wolf &amp; ran. It ''barks'' at [[Cat|cats]].\n\n== End ==\nIt ends.",
    Markup.MARKDOWN: "# Dog\n\nThe dog saw a wolf &amp; ran. It *barks* at [cats](Cat).\n\n## End\n\nIt ends.",
}
# Pages that show how to write addresses and links: their titles get folders, wiki links, macros.
STYLED = (
    (Markup.MARKDOWN, "The dog saw a wolf. It meets [[Cat]] and [[a/Cow|cows]].\n\n## End\n\nIt ends."),
    (Markup.MARKDOWN, 'The dog saw a wolf {{Glossary("Cat")}} {{domxref("Cow")}}.\n\n## End\n\nIt ends.'),
    (Markup.MARKDOWN, "The dog saw a wolf. It meets [cats](/wiki/a/Cat_(x)) and [cows](/wiki/b/Cow/).\n\nIt ends."),
    (Markup.HTML, "<p>The dog saw a wolf. It meets <a href='../../wp/c/Cat.htm'>cats</a>.<p>It ends."),
    (Markup.HTML, "<p>The dog saw a wolf. It meets <a href='Cat%3A.htm'>cats</a>.<p>It ends."),
)
HOSTILE = (
    *("X]] {{Delete}} [[Y", "]]", "[[", "{{", "}}", "|", "~~~~", "''", "__TOC__", "<nowiki>", "#", "&amp;", "%41"),
    *("<img src=x onerror=alert(1)>", '"', "'>", "</a>", "<!--", "<script>", "</title>", "&lt;", "<plaintext>"),
    *("x](http://evil) [", "](", ")", "(", "[", "]", "![", "`", "*", "_", "$", "{% raw %}", "{{< ref >}}", "[^1]"),
    *("javascript:alert(1)", "JaVa\tScript:", "data:text/html,", "//evil.org", "http://x.org/", "mailto:a@b", "\\"),
    *("\n", "\r\n\r\n", "\n\n# ", "\x00", "\x1b[2J", "\u202e", "\u2028", "\ud800", "\uffff", "\u200f", "\xa0"),
    *("fr:", "Category:", "File:", ":", "/", "..", "../", "?", "wolf", "狼", "é", "a" * 300, ".md", "=", "^", "~", " "),
)
texts = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=4), max_size=6).map("".join)


def test_a_link_takes_in_no_letter_behind_its_words() -> None:
    page = Page("Dog", "Run(sand) $sand", Markup.WIKITEXT, "uk")
    answer = suggest(page, Entity("Bracket", mentions=("(", "$")), "random", anyway=True)
    assert [place.action for place in answer.places] == [Action.ADD_TO_SENTENCE]


def test_a_full_stop_behind_an_address_is_linked_only_where_the_link_works() -> None:
    page = Page("Dog", "See http://t.", Markup.MARKDOWN, "en")
    answer = suggest(page, Entity("Stop", mentions=(".",)), "random", anyway=True)
    assert Action.LINK_WORDS not in {place.action for place in answer.places}


def test_a_star_is_linked_only_where_the_link_is_around_that_star() -> None:
    page = Page("Dog", "*)*******************/****", Markup.MARKDOWN, "en")
    answer = suggest(page, Entity("Gray wolf", mentions=("*",)), "random", anyway=True)
    for place in answer.places:
        if place.words:
            (section,) = parse(replace(page, text=place.edit(page.text))).sections
            assert (section.links[0].start, section.links[0].end) == (place.words.start, place.words.end)


def _links(article: Article) -> Counter[tuple[str, str]]:
    return Counter((link.target, link.mention) for section in article.sections for link in section.links)


def _texts(article: Article) -> list[tuple[str, str]]:
    return [(section.title, section.text) for section in article.sections]


def _new_target(before: Article, after: Article) -> str:
    """Return the target of the one link that was added; all others are as before."""
    assert not _links(before) - _links(after)
    ((target, _mention),) = (_links(after) - _links(before)).elements()
    return target


def _target_of_edit(answer: Answer, place: Place) -> str:
    """Make the edit of a place; the page read again differs by one link, whose target is returned."""
    page, article = answer.page, answer.article
    if place.action is Action.LINK_WORDS:
        edited = parse(replace(page, text=place.edit(page.text)))
        assert _texts(edited) == _texts(article)
        return _new_target(article, edited)
    sentence = article.sections[place.section].sentences[place.sentence]
    text = page.text[: sentence.source.end] + f" See {place.link} now." + page.text[sentence.source.end :]
    edited = parse(replace(page, text=text))
    target = _new_target(article, edited)
    (mention,) = (_links(edited) - _links(article)).elements()
    expected = _texts(article)
    title, prose = expected[place.section]
    expected[place.section] = title, f"{prose[: sentence.end]} See {mention[1]} now.{prose[sentence.end :]}"
    assert _texts(edited) == expected
    return target


def _check_target(markup: Markup, entity: Entity, target: str) -> None:
    """The link leads to the entity, and never to anything but a page."""
    if markup is Markup.WIKITEXT:
        rules = TitleRules("en")
        assert rules.normalise(target) == rules.normalise(entity.title or target)
        return
    scheme, colon, _ = target.partition(":")
    assert not colon or set("/?#") & set(scheme) or scheme.lower() in {"http", "https"}
    assert "\\" not in target
    assert unquote(target) == unquote(entity.url.strip() or target)


@pytest.mark.parametrize("markup", Markup)
@settings(max_examples=40, deadline=None)
@given(title=texts, mention=texts, url=st.just("") | texts)
@example("X]] {{Delete}} [[Y", "", "")
@example("<img src=x onerror=alert(1)>", "", "")
@example("x](http://evil) [", "", "")
@example("javascript:alert(1)", "", "")
@example("Gray wolf\n\n== Evil ==\n", "", "")
@example("Gray wolf", "", "javascript:alert(1)")
@example("Gray wolf", "", "a folder/a (b.md")
def test_a_link_adds_itself_and_nothing_else_or_is_refused(markup: Markup, title: str, mention: str, url: str) -> None:
    if (title + mention).strip():
        _check(Page("Dog", PAGES[markup], markup, "en"), Entity(title, mentions=(mention, "wolf"), url=url))


@pytest.mark.parametrize(("markup", "text"), STYLED)
@settings(max_examples=20, deadline=None)
@given(title=texts, identity=st.just("") | texts)
@example("javascript:alert(1)", "")
@example("X", "javascript:alert(1)/X")
@example("X", "//evil.org/X")
@example("X", "Glossary/X")
@example("X|Y]] {{Delete}}", "a/X|Y]]")
def test_a_link_in_a_style_that_the_page_shows_is_as_safe(markup: Markup, text: str, title: str, identity: str) -> None:
    if title.strip():
        _check(Page("Dog", text, markup, "en"), Entity(title, mentions=("wolf",), id=identity))


def _check(page: Page, entity: Entity) -> None:
    """Answer for a page; each link adds itself and nothing else, or the answer says that there is none."""
    answer, markup = suggest(page, entity, "random", anyway=True), Markup(page.markup)
    if all(place.link for place in answer.places):
        for place in answer.places:
            _check_target(markup, entity, _target_of_edit(answer, place))
        return
    assert not any(place.link or place.action is Action.LINK_WORDS for place in answer.places)
    assert " cannot be linked" in answer.notes[-1]
    assert all(place["edit"]["link"] is None for place in answer.to_dict()["places"])


@pytest.mark.parametrize(
    ("markup", "entity", "link"),
    [
        (
            Markup.HTML,
            Entity("AT&T <b>"),
            '<a href="./AT&amp;T_%3Cb%3E" title="AT&amp;T &lt;b&gt;">AT&amp;T &lt;b&gt;</a>',
        ),
        (Markup.WIKITEXT, Entity("Dog#Senses"), "[[Dog#Senses]]"),
        (Markup.WIKITEXT, Entity("Category:Wolves"), "[[:Category:Wolves|Category:Wolves]]"),
        (Markup.WIKITEXT, Entity("''Wolf''"), "[[''Wolf''|&#39;&#39;Wolf&#39;&#39;]]"),
        (Markup.WIKITEXT, Entity("/Wolf"), "[[:/Wolf|/Wolf]]"),
        (Markup.MARKDOWN, Entity("C++ (x)", url="https://x.org/C_(y)"), "[C++ (x)](https://x.org/C_(y))"),
        (Markup.MARKDOWN, Entity("snake_case", url="a b(.md"), "[snake_case](a%20b%28.md)"),
        (Markup.MARKDOWN, Entity("Alien: Covenant"), "[Alien: Covenant](./Alien:_Covenant)"),
        (Markup.MARKDOWN, Entity("*args"), r"[\*args](*args)"),
    ],
)
def test_a_title_is_written_as_its_markup_wants_it(markup: Markup, entity: Entity, link: str) -> None:
    answer = suggest(Page("Cat", "It sleeps.", markup, "en"), entity, "random", anyway=True)
    assert answer.places[0].link == link


@pytest.mark.parametrize(
    ("markup", "entity", "reason"),
    [
        (Markup.WIKITEXT, Entity("X]]"), r"“X\]\]” cannot be linked in wikitext: a title cannot hold \]"),
        (Markup.WIKITEXT, Entity("C#"), "a title cannot end in #"),
        (Markup.WIKITEXT, Entity("狼" * 86), "a title has at most 255 bytes in UTF-8, and this one 258"),
        (Markup.WIKITEXT, Entity("a/../b"), "a title cannot have . or .. between slashes"),
        (Markup.WIKITEXT, Entity("a~~~"), "reads as a signature"),
        (Markup.WIKITEXT, Entity("a\nb"), "a title cannot hold control characters"),
        (
            Markup.HTML,
            Entity("Wolf", url="JavaScript:x"),
            "its address begins with “JavaScript:”, and a link",
        ),
        (Markup.MARKDOWN, Entity("../Wolf"), "an address with . or .. between slashes leads elsewhere"),
    ],
)
def test_an_answer_says_why_a_title_cannot_be_linked(markup: Markup, entity: Entity, reason: str) -> None:
    answer = suggest(Page("Cat", f"It sees a {entity.title}.", markup, "en"), entity, "random", anyway=True)
    assert re.search(reason, answer.notes[-1])
    assert answer.notes[-1].endswith("The places have no finished link; give the target another title or address.")
    assert {place.link for place in answer.places} == {""}
    assert "(no link)" in repr(answer)
    assert "<ins>(no link)</ins>" in answer.to_html()
    with pytest.raises(ValueError, match="needs a text that you write"):
        answer.places[0].edit(answer.page.text)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (Markup.HTML, "<body><p>Dogs run.<title>The wolf runs.</title>"),
        (Markup.HTML, "Dogs run. <plaintext>The wolf runs."),
        (Markup.MARKDOWN, "The ^wolf runs."),
        (Markup.MARKDOWN, "The ^wolf^ runs."),
        (Markup.WIKITEXT, "=wolf=]"),
        (Markup.WIKITEXT, "Dogs run.\n=wolf=] too"),
        (Markup.WIKITEXT, "[[[wolf"),
        (Markup.WIKITEXT, "=팁= wolf"),
        (Markup.WIKITEXT, "* * wolf"),
        (Markup.WIKITEXT, "mailto:'''wolf'''"),
        (Markup.WIKITEXT, "[[" * 11 + "wolf"),
        (Markup.WIKITEXT, "<div>" + "[" * 21 + " the wolf"),
        (Markup.WIKITEXT, "[[|wolf]]"),
        (Markup.WIKITEXT, "wolf “mailto:\x85"),
        (Markup.WIKITEXT, "wolf http:\x85//x tel:\u2028x"),
        (Markup.WIKITEXT, "wolf mailto:\xa0x http://\u3000y"),
        (Markup.WIKITEXT, "#REDIRECT wolf"),
        (Markup.WIKITEXT, "[[de:Hund]]\n # перенапр : wolf"),
        (Markup.MARKDOWN, "$a$wolf"),
        (Markup.MARKDOWN, "http://wolf"),
        (Markup.MARKDOWN, "---\nwolf\n```\n---"),
        (Markup.MARKDOWN, "[(wolf)]()"),
        (Markup.MARKDOWN, "wolf([[t]]"),
        (Markup.MARKDOWN, '{{Glossary("S")}}{:wolf.'),
        (Markup.MARKDOWN, '{{jsxref("P")}}{{"wolf'),
        (Markup.MARKDOWN, '{{}, the wolf\n\n{{Glossary("I")}}'),
        (Markup.MARKDOWN, "</a>wolf [[g]]"),
        (Markup.MARKDOWN, "Wolf([[g]]"),
        (Markup.MARKDOWN, "[[D]]s wolf to [t](/docs/Glossary/S#)"),
        (Markup.MARKDOWN, "[[D]]s wolf to [t](/docs/Glossary/S)"),
        (Markup.HTML, "<a>the wolf</a"),
        (Markup.HTML, "<a><center>wolf</center><n typeof='mw:Transclusion'><a>o"),
        (Markup.HTML, 'The wolf<h2><a=">3;'),
        (Markup.HTML, "<a><a></a>;wolf</a"),
        (Markup.HTML, "<script><!--<script></script>wolf"),
        (Markup.HTML, "<a><b><a href=x></a>;wolf</b></a>"),
    ],
)
def test_words_are_linked_only_where_the_link_works(markup: Markup, text: str) -> None:
    answer = suggest(Page("Dog", text, markup, "en"), Entity("Gray wolf", mentions=("wolf",)), "random", anyway=True)
    for place in answer.places:
        if place.action is Action.LINK_WORDS:
            assert _target_of_edit(answer, place)


def test_words_whose_link_would_change_a_heading_are_not_linked() -> None:
    page = Page("Dog", "{{domxref\n# [[g]]", Markup.MARKDOWN, "en")  # without the macro, [[g]] would be a link
    answer = suggest(page, Entity("Gray wolf", mentions=("{",)), "string-match", anyway=True)
    assert Action.LINK_WORDS not in {place.action for place in answer.places}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("#REDIRECT wolf", "Gray wolf"),
        ("[[de:Hund]]\n# Weiterleitung : wolf", "Gray wolf"),
        ("wolf\n#REDIRECT [[Dog]]", "Alien: Covenant"),  # which looks like the language of a page, kept above all else
    ],
)
def test_no_link_makes_a_page_a_redirect(text: str, title: str) -> None:
    answer = suggest(Page("Dog", text, Markup.WIKITEXT, "en"), Entity(title, mentions=("wolf",)), "random", anyway=True)
    assert answer.places
    assert Action.LINK_WORDS not in {place.action for place in answer.places}


def test_a_word_behind_the_word_for_redirects_is_linked_where_the_page_stays_one() -> None:
    page = Page("Dog", "A page begins with #REDIRECT. The wolf does not.", Markup.WIKITEXT, "en")
    answer = suggest(page, Entity("Gray wolf", mentions=("wolf",)), "string-match")
    assert answer.places[0].link == "[[Gray wolf|wolf]]"
