"""The dialects of Markdown: macros, template tags, wiki links, containers, front matter."""

import pytest

from linkspot.parsing import parse
from linkspot.parsing.markdown import dialects
from linkspot.parsing.markdown.dialects import front_matter
from linkspot.records import Article, LinkKind, Markup, Page


def read(text: str) -> Article:
    return parse(Page("", text, Markup.MARKDOWN, "en"))


def prose(text: str) -> str:
    return "\n".join(section.text for section in read(text).sections)


def links(text: str) -> list[tuple[str, str]]:
    return [(link.mention, link.target) for section in read(text).sections for link in section.links]


@pytest.mark.parametrize(
    ("macro", "words", "target"),
    [
        ('{{domxref("Window.open")}}', "Window.open", "/docs/Web/API/Window/open"),
        ("{{ DOMxRef('Window.open()', 'open()') }}", "open()", "/docs/Web/API/Window/open"),
        ('{{domxref("Fetch API")}}', "Fetch API", "/docs/Web/API/Fetch_API"),
        ('{{jsxref("Promise")}}', "Promise", "/docs/Web/JavaScript/Reference/Global_Objects/Promise"),
        (
            '{{jsxref("Array.prototype.at()")}}',
            "Array.prototype.at()",
            "/docs/Web/JavaScript/Reference/Global_Objects/Array/at",
        ),
        (
            '{{jsxref("Statements/try...catch", "try...catch")}}',
            "try...catch",
            "/docs/Web/JavaScript/Reference/Statements/try...catch",
        ),
        ('{{cssxref("color")}}', "color", "/docs/Web/CSS/Reference/Properties/color"),
        ('{{cssxref("&lt;color&gt;")}}', "<color>", "/docs/Web/CSS/Reference/Values/color_value"),
        ('{{cssxref("calc()")}}', "calc()", "/docs/Web/CSS/Reference/Values/calc"),
        ('{{cssxref("::before")}}', "::before", "/docs/Web/CSS/Reference/Selectors/::before"),
        ('{{cssxref("@media/hover")}}', "@media/hover", "/docs/Web/CSS/Reference/At-rules/@media/hover"),
        ('{{HTMLElement("a")}}', "<a>", "/docs/Web/HTML/Reference/Elements/a"),
        ('{{HTMLElement("h2")}}', "<h2>", "/docs/Web/HTML/Reference/Elements/Heading_Elements"),
        ('{{SVGElement("path")}}', "<path>", "/docs/Web/SVG/Reference/Element/path"),
        ('{{SVGAttr("d")}}', "d", "/docs/Web/SVG/Reference/Attribute/d"),
        ('{{MathMLElement("mi")}}', "<mi>", "/docs/Web/MathML/Reference/Element/mi"),
        ('{{HTTPHeader("ETag")}}', "ETag", "/docs/Web/HTTP/Reference/Headers/ETag"),
        ('{{HTTPStatus(404, "404 Not Found")}}', "404 Not Found", "/docs/Web/HTTP/Reference/Status/404"),
        ('{{HTTPMethod("get")}}', "get", "/docs/Web/HTTP/Reference/Methods/GET"),
        ('{{CSP("img-src")}}', "img-src", "/docs/Web/HTTP/Reference/Headers/Content-Security-Policy/img-src"),
        ('{{Glossary("code point")}}', "code point", "/docs/Glossary/code_point"),
        (
            '{{WebExtAPIRef("tabs.query()")}}',
            "tabs.query()",
            "/docs/Mozilla/Add-ons/WebExtensions/API/tabs/query",
        ),
        ("{{RFC(9110)}}", "RFC 9110", "https://datatracker.ietf.org/doc/html/rfc9110"),
    ],
)
def test_a_macro_of_mdn_shows_its_words_and_links_them(macro: str, words: str, target: str) -> None:
    text = f"See {macro} there."
    (section,) = read(text).sections
    assert section.text == f"See {words} there."
    (link,) = section.links
    assert (link.mention, link.target, link.source.cut(text)) == (words, target, macro)
    assert link.kind is (LinkKind.EXTERNAL if target.startswith("https") else LinkKind.PAGE)


def test_a_macro_is_never_cut() -> None:
    text = 'See {{domxref("Window.open()")}}.'
    (section,) = read(text).sections
    start = section.text.index("open")
    assert section.source_map.source_span(start, start + 4).cut(text) == '{{domxref("Window.open()")}}'


def test_macros_without_words_show_nothing() -> None:
    text = '{{APIRef("DOM")}}{{SeeCompatTable}}\n\nText {{optional_inline}}.\n\n{{EmbedLiveSample("a b", "", 300)}}\n'
    assert prose(text) == "Text ."


def test_macros_in_code_and_escaped_ones_are_text() -> None:
    assert prose('Write `{{domxref("A")}}` or \\{{domxref("A")}}.') == 'Write {{domxref("A")}} or {{domxref("A")}}.'
    assert links('Write `{{domxref("A")}}` or \\{{domxref("A")}}.') == []


def test_a_macro_in_the_words_of_a_link_makes_no_second_link() -> None:
    assert links('[the {{HTMLElement("a")}} element](/docs/a)') == [("the <a> element", "/docs/a")]


def test_template_tags_show_nothing_and_their_targets_are_taken() -> None:
    text = (
        '{{< note >}}\nText {{% param "x" %}}and {% if a %}more{% endif %} {{ site.title }}.\n{{< /note >}}\n\n'
        '[a]({{< ref "b.md#c" >}}) [d]({{% relref "e.md" %}}) [f]({% link g.md %})\n'
    )
    assert prose(text) == "Text and more .\na d f"
    assert links(text) == [("a", "b.md#c"), ("d", "e.md"), ("f", "g.md")]


@pytest.mark.parametrize(
    ("start", "end"), [("{{< highlight js >}}", "{{< /highlight >}}"), ("{% comment %}", "{% endcomment %}")]
)
def test_what_some_template_tags_enclose_is_no_prose(start: str, end: str) -> None:
    assert prose(f"Text.\n\n{start}\nCode.\n\nCode.\n{end}\n\nText.\n") == "Text.\nText."
    assert prose(f"Text.\n\n{start}\nUnclosed.\n") == "Text.\nUnclosed."


def test_wiki_links_lead_to_pages_and_embedded_pages_show_nothing() -> None:
    text = "See [[Page]], [[Page#part|the words]] and ![[picture.png]].\n\n[[toc]]\n"
    assert links(text) == [("Page", "Page"), ("the words", "Page#part")]
    assert prose(text) == "See Page, the words and ."


def test_double_brackets_that_are_markdown_stay_markdown() -> None:
    assert links("See [[1]](page.md) and [[r]].\n\n[r]: /u") == [("[1]", "page.md"), ("r", "/u")]
    assert links("Its [[Prototype]] is a {{jsxref('Object')}}.") == [
        ("Object", "/docs/Web/JavaScript/Reference/Global_Objects/Object")
    ]


@pytest.mark.parametrize("start", [":::note", "::: tip Title", ":::"])
def test_the_markers_of_a_container_are_no_prose_and_its_content_is(start: str) -> None:
    assert prose(f"Text.\n{start}\nInside.\n:::\nMore.\n") == "Text.\nInside.\nMore."


def test_the_content_of_an_admonition_is_prose_and_its_title_is_not() -> None:
    assert prose('!!! note "Title"\n    Inside *it*.\n\nText.\n') == "Inside it.\nText."


@pytest.mark.parametrize("formula", ["$x^2$", "$$x$$", "$a_b * c$"])
def test_formulas_are_hidden_and_money_is_not(formula: str) -> None:
    assert prose(f"For {formula} pay $5 or $10, in $HOME/$USER.") == "For pay $5 or $10, in $HOME/$USER."


def test_a_bare_address_ends_before_the_sentence_does() -> None:
    text = "See (https://a.b/c_(d)?e=f). Then http://g.h, and [https://i.j](k)."
    assert prose(text) == "See (). Then , and https://i.j."


@pytest.mark.parametrize(
    ("text", "title", "slug", "language"),
    [
        ("---\ntitle: A page\nslug: Web/A\nlang: no\n---\n", "A page", "Web/A", "no"),
        ('\ufeff---\r\ntitle: "404: gone"\r\nlanguage: de-AT\r\n---\r\n', "404: gone", "", "de-AT"),
        ('+++\ntitle = "T"\nlocale = "fr"\n+++\n', "T", "", "fr"),
        ("---\ntitle: [a\n---\n", "", "", ""),
        ("+++\ntitle = \n+++\n", "", "", ""),
        ("---\n---\n", "", "", ""),
        ("---\n" + "[" * 10_000 + "\n---\n", "", "", ""),
        ("---\ntitle: \ud800\n---\n", "", "", ""),
    ],
)
def test_front_matter_tells_about_the_page_and_is_no_prose(text: str, title: str, slug: str, language: str) -> None:
    article = read(f"{text}Text.\n")
    assert (article.title, article.id) == (title, slug)
    assert front_matter.declared_language(text) == language
    assert prose(f"{text}Text.\n") == "Text."


@pytest.mark.parametrize("text", ["Text.", "---\n\nText.\n", "---\nText.\n\n---\n", "Text.\n---\nlang: de\n---\n"])
def test_rules_are_no_front_matter(text: str) -> None:
    assert front_matter.declared_language(text) == ""
    assert "Text." in "".join(section.title + section.text for section in read(text).sections)


def test_all_dialects_are_read_unless_they_collide() -> None:
    assert dialects.dialects_of("See [[Page]].") == tuple(dialects.DIALECTS)
    assert "wiki_links" not in dialects.dialects_of("{{Compat}}")
