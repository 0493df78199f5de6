import pytest

from linkspot.errors import TooLarge
from linkspot.parsing import language_of, parse
from linkspot.parsing.html import page as html
from linkspot.parsing.html.source import HtmlSource
from linkspot.records import Article, Link, LinkKind, Markup, Page


def _parse(text: str, language: str = "en") -> Article:
    return parse(Page("", text, Markup.HTML, language))


def _texts(article: Article) -> list[str]:
    return [section.text for section in article.sections]


def _links(article: Article) -> list[Link]:
    return [link for section in article.sections for link in section.links]


def test_headings_make_sections_and_the_first_h1_is_the_title() -> None:
    article = _parse("<h1>Dog</h1><p>Lead.</p><h2>Diet</h2><p>Meat.</p><h3>Bones &amp; fat</h3><p>Yes.</p>")
    assert article.title == "Dog"
    assert [(s.title, s.level, s.text) for s in article.sections] == [
        ("", 1, "Lead."),
        ("Diet", 2, "Meat."),
        ("Bones & fat", 3, "Yes."),
    ]


def test_without_h1_the_title_element_is_the_title() -> None:
    assert _parse("<title>Gray wolf</title><p>A wolf.</p>").title == "Gray wolf"


def test_paragraphs_and_list_items_are_lines() -> None:
    article = _parse("<p>One.<p>Two.<ul><li>a<li>b <b>c</b><ul><li>d</ul>e</ul><dl><dt>t<dd>u</dl>")
    assert article.sections[0].text == "One.\nTwo.\na\nb c\nd\ne\nt\nu"


def test_white_space_is_collapsed_and_entities_are_read() -> None:
    section = _parse("<p>\n  Fish &amp;\n\tchips&nbsp;&#8212;  yes <!-- no --> indeed. </p>").sections[0]
    assert section.text == "Fish & chips\xa0— yes indeed."


@pytest.mark.parametrize(
    "excluded",
    [
        "<table><tr><td><p>x</p></td></tr></table>",
        "<figure><p>x</p><figcaption>x</figcaption></figure>",
        "<div class='thumb'><p>x</p></div>",
        "<div role='note'><p>x</p></div>",
        "<div class='hatnote'><p>x</p></div>",
        "<blockquote><p>x</p></blockquote>",
        "<pre>x</pre>",
        "<div class='navbox'><ul><li>x</li></ul></div>",
        "<ol class='references'><li>x</li></ol>",
        "<ul class='gallery'><li>x</li></ul>",
        "<p about='#mwt1' typeof='mw:Transclusion'>x</p>",
        "<nav><ul><li>x</li></ul></nav>",
        "<p style='display:none'>x</p>",
        "<script>document.write('<p>x</p>')</script>",
        "<style>p { x }</style>",
        "<!-- <p>x</p> -->",
    ],
)
def test_what_is_never_a_place_for_a_link_is_no_text(excluded: str) -> None:
    assert _texts(_parse(f"<p>Before.</p>{excluded}<p>After.</p>")) == ["Before.\nAfter."]


@pytest.mark.parametrize(
    "excluded",
    [
        "<sup class='reference'><a href='#cite_note-1'>[1]</a></sup>",
        "<sup typeof='mw:Extension/ref' about='#mwt2'>[1]</sup>",
        "<span class='mwe-math-element'>x</span>",
        "<math>x</math>",
        "<span typeof='mw:Transclusion' about='#mwt9'>x</span>",
        "<img alt='x'>",
    ],
)
def test_footnotes_and_formulas_in_a_sentence_are_left_out(excluded: str) -> None:
    page = f"<p>Water boils{excluded}. It does.</p>"
    article = _parse(page)
    assert article.sections[0].text == "Water boils. It does."
    assert article.sections[0].sentences[0].source.cut(page) == f"Water boils{excluded}."


def test_text_of_parsoid_that_only_looks_generated_stays() -> None:
    article = _parse("<p>5<span typeof='mw:Entity'>&nbsp;</span>km and m<sup>2</sup></p>")
    assert article.sections[0].text == "5\xa0km and m2"


def test_a_footnote_behind_the_stop_belongs_to_its_sentence() -> None:
    page = "<p>It barks.<sup class='reference'>[1]</sup> It runs.</p>"
    first, second = _parse(page).sections[0].sentences
    assert first.source.cut(page) == "It barks.<sup class='reference'>[1]</sup>"
    assert second.source.cut(page) == "It runs."


def test_links_have_target_mention_and_place() -> None:
    page = '<p>The <a href="./Gray_wolf#Diet" title="Gray wolf">gray <i>wolf</i></a> howls.</p>'
    (link,) = _links(_parse(page))
    assert (link.target, link.mention, link.start, link.end) == ("./Gray_wolf#Diet", "gray wolf", 4, 13)
    assert link.source.cut(page).startswith("<a href=")
    assert link.source.cut(page).endswith("</i></a>")


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [
        ('href="./Dog" rel="mw:WikiLink"', LinkKind.PAGE),
        ('href="/wiki/Dog"', LinkKind.PAGE),
        ('href="../../wp/d/Dog.htm"', LinkKind.PAGE),
        ('href="#History"', LinkKind.PAGE),
        ('href="./Category:Dogs" rel="mw:WikiLink"', LinkKind.NAMESPACE),
        ('href="/wiki/File:Dog.jpg"', LinkKind.NAMESPACE),
        ('href="https://fr.wikipedia.org/wiki/Chien" rel="mw:WikiLink/Interwiki"', LinkKind.INTERWIKI),
        ('href="https://example.org" rel="mw:ExtLink"', LinkKind.EXTERNAL),
        ('href="//example.org/x"', LinkKind.EXTERNAL),
        ('href="mailto:a@example.org"', LinkKind.EXTERNAL),
    ],
)
def test_links_are_told_apart(attributes: str, kind: LinkKind) -> None:
    (link,) = _links(_parse(f"<p>See <a {attributes}>this</a>.</p>"))
    assert link.kind is kind


def test_an_anchor_without_address_is_no_link() -> None:
    assert _links(_parse('<p><a name="top">Top</a> of the page.</p>')) == []


def test_an_anchor_ends_the_one_before_it() -> None:
    (link,) = _links(_parse("<p><a href=x>a <a href=y>b</a></a> c."))
    assert (link.mention, link.target) == ("b", "y")


def test_a_link_that_is_never_closed_is_no_link_but_its_text_stays() -> None:
    article = _parse('<p>See <a href="./Dog">dogs and more.<p>Next.')
    assert article.sections[0].text == "See dogs and more.\nNext."


def test_crossing_tags_keep_their_text() -> None:
    assert _parse("<p>a <b>b <i>c</b> d</i> e</p>").sections[0].text == "a b c d e"


def test_a_document_without_paragraphs_is_read_by_its_loose_text() -> None:
    assert _parse("<body><div>Hello <b>there</b>.</div><div>Again.</div>").sections[0].text == "Hello there.\nAgain."


def test_only_the_content_of_a_site_is_read() -> None:
    page = "<body><div><p>Menu</p></div><main><p>Text.</p></main><footer><p>Legal</p></footer></body>"
    assert _texts(_parse(page)) == ["Text."]


def test_right_to_left_text_keeps_its_order() -> None:
    page = '<p>الكلب <a href="./حيوان">حيوان</a> أليف.</p>'
    article = _parse(page, "ar")
    assert article.sections[0].text == "الكلب حيوان أليف."
    assert _links(article)[0].mention == "حيوان"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("<html lang=sw><p>Habari.", "sw"),
        ('<!doctype html>\n<html class="x" lang="pt-BR">', "pt-br"),
        ("<body class=a lang='zh_tw'>", "zh-tw"),
    ],
)
def test_the_language_is_the_one_that_the_page_declares(text: str, language: str) -> None:
    assert language_of(Page("", text, Markup.HTML, "")) == language


@pytest.mark.parametrize("raw", ["script", "style", "textarea", "xmp", "iframe"])
def test_numbers_in_scripts_are_not_taken_for_text(raw: str) -> None:
    page = f"<table><tr><td>hidden</td></tr></table><p>Seen.<{raw}>0; 2; 4; 6; 8; 10;</{raw}></p>"
    assert _texts(_parse(page)) == ["Seen."]


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("<!--<script></script>wolf", []),
        ("<!-- <SCRIPT/> </Script> <b>no</b></script>wolf", ["wolf"]),
        ("<!--<script>--></script>wolf", ["wolf"]),
        ("<!--<scripts></script>wolf", ["wolf"]),
        ("<!--><script></script>wolf", ["wolf"]),
        ("<!---><script></script>wolf", ["wolf"]),
        ("<!--<script></script><script></script>--></script>wolf", ["wolf"]),
        ("<script></script>wolf", ["wolf"]),
    ],
)
def test_a_script_ends_where_it_ends_in_a_browser(script: str, text: list[str]) -> None:
    assert [line for line in _texts(_parse(f"<p><script>{script}")) if line] == text


def test_the_pieces_rebuild_the_page_however_broken() -> None:
    broken = "a<b <c>d</ e><!-- f <p g='h>i\">j</p><script>k</scrip><!l"
    assert "".join(HtmlSource(broken).pieces) == broken


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "unclosed", ["<p>x", "<li>x", "<dd>x<dt>y", "<a href=x>", "<p><i>y ", "<h2>x", "<p><span>x</p>", "<td>", "<option>"]
)
def test_ten_thousand_tags_that_end_one_another_are_read(unclosed: str) -> None:
    article = _parse(unclosed * 10_000 + "<p>At last.")
    assert "At last." in "\n".join(_texts(article))


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "broken", ["<a " * 50_000, "<!--" * 50_000, "<a href='" * 50_000, "&" * 100_000, "<" * 100_000]
)
def test_endless_beginnings_take_no_endless_time(broken: str) -> None:
    _parse(f"<p>Hello.</p>{broken}")


@pytest.mark.parametrize(
    "nested",
    ["<div>", "<b>", "<ul><li>x", "<table>", "<b><div></b>", "<foo><div></foo>", "<span><p></p>", "<rt>", "<svg>"],
)
def test_a_page_that_is_nested_too_deep_is_refused_before_it_is_read(nested: str) -> None:
    with pytest.raises(TooLarge, match="nested more than 512 deep"):
        _parse(nested * 100_000)


def test_formatting_that_every_paragraph_begins_anew_is_refused() -> None:
    with pytest.raises(TooLarge, match="too many like <b> have no end"):
        _parse("".join(f"<p><b id={number}>x" for number in range(2_000)))


def test_a_page_may_be_nested_as_deep_as_browsers_allow() -> None:
    assert "At last." in "\n".join(_texts(_parse("<div>" * 500 + "<p>At last.")))


@pytest.mark.parametrize(
    "text",
    [
        '<a v==">3;',
        '<v=">3/',
        '<p>a<b x=="' + "9" * 5_000 + ';">1;',
        "<title><b \x800;>x</title>1;",
        "\x80" + "0;<p>0;",
    ],
)
def test_digits_of_the_page_are_not_taken_for_numbers_of_its_pieces(text: str) -> None:
    for section in _parse(text).sections:
        for run in section.source_map.runs:
            assert text[run.source_start : run.source_end] == section.text[run.start : run.end]


def test_a_page_that_holds_every_mark_is_read() -> None:
    marks = "".join(map(chr, range(0x80, 0xA0)))
    article = _parse(f"<p>One {marks} two. <a href='{marks}'>Three</a> {marks}0;.")
    assert _texts(article) == [f"One {marks} two. Three {marks}0;."]
    assert _links(_parse("<p><a href='x\x80\x82y'>Three</a>"))[0].target == "x\x80\x82y"


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("<b x='>'>", "y"),
        ("<b x=a'>", "'>y"),
        ("<b 'x>", "'>y"),
        ('<b x==">', '">y'),
        ('<b =">', '">y'),
        ("<b x = '>' >", "y"),
    ],
)
def test_a_tag_ends_where_it_ends_in_a_browser(tag: str, text: str) -> None:
    assert "".join(_texts(_parse(f"<p>{tag}{text}"))) == text


@pytest.mark.parametrize("letter", ["İ", "ı", "ſ", "\u212a"])
def test_only_letters_of_english_begin_a_tag(letter: str) -> None:
    assert "".join(_texts(_parse(f"<p><{letter}>wolf</p>"))) == f"<{letter}>wolf"


@pytest.mark.parametrize(
    "text", ["<p>The <a>wolf</a> ran.", "<p>The <a name=x>wolf ran.", "<a><center>The wolf ran.</center></a>"]
)
def test_no_link_goes_into_an_anchor_without_an_address(text: str) -> None:
    (section,) = _parse(text).sections
    start = section.text.index("wolf")
    assert not section.source_map.is_balanced(start, start + 4)


@pytest.mark.parametrize(
    "text", ["<table>\nwolf", "<table><br> wolf", "<table><tr>wolf", "<table><tr><td>a</td>wolf</tr></table>"]
)
def test_no_link_goes_into_text_that_browsers_move_out_of_a_table(text: str) -> None:
    (section,) = _parse(text).sections
    start = section.text.index("wolf")
    assert not section.source_map.is_balanced(start, start + 4)


def test_a_link_may_go_behind_a_table() -> None:
    (section,) = _parse("<table><tr><td>a</table>The wolf ran.").sections
    assert section.source_map.is_balanced(4, 8)


def test_pages_without_text_have_no_sentences() -> None:
    for empty in ("", "<html></html>", "<p></p>", "<table><tr><td>x</table>"):
        assert not any(section.sentences for section in html.parse(Page("", empty, Markup.HTML, "en")).sections)


def test_white_space_between_the_tags_of_a_heading_is_kept() -> None:
    article = _parse("<h1><b>Gray</b> <i>wolf</i></h1><h2><b>Alpha</b> <i>beta</i></h2><p>Text.</p>")
    assert article.title == "Gray wolf"
    assert article.sections[-1].title == "Alpha beta"


def test_an_h1_that_is_not_the_title_the_corpus_tells_is_a_section() -> None:
    article = parse(Page("Wolf", "<p>Lead.</p><h1>Kinds</h1><p>Gray.</p>", Markup.HTML, "en"))
    assert [(section.title, section.text) for section in article.sections] == [("", "Lead."), ("Kinds", "Gray.")]


def test_loose_text_is_prose_in_the_content_of_a_wiki_only() -> None:
    loose = "<div>A <a href='./Train'>train</a> runs.</div><p>Text.</p>"
    assert _texts(_parse(f'<section data-mw-section-id="0">{loose}</section>')) == ["A train runs.\nText."]
    assert _texts(_parse(f"<body>{loose}</body>")) == ["Text."]


def test_a_missing_image_is_no_prose() -> None:
    image = '<span typeof="mw:Error mw:File"><a href="./File:X.png"><span>File:X.png</span></a></span>'
    assert _texts(_parse(f"<p>Before {image} after.</p>")) == ["Before after."]
