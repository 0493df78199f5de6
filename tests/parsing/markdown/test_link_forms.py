"""MDN's macros and wiki links are written so that they read as they should, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.parsing import parse
from linkspot.parsing.markdown.dialects.link_forms import link_form, macro_link, macros_for, macros_instead, wiki_link
from linkspot.records import Markup, Page

ADDRESSES = {
    "/en-US/docs/Web/API/Window/open": ("domxref", "Window.open"),
    "/docs/Web/JavaScript/Reference/Global_Objects/Array/at": ("jsxref", "Array.at"),
    "/docs/Web/JavaScript/Reference/Statements/for...of": ("jsxref", "Statements/for...of"),
    "/docs/Web/CSS/Reference/Properties/color": ("cssxref", "color"),
    "/docs/Web/CSS/Reference/At-rules/@media": ("cssxref", "@media"),
    "/docs/Web/CSS/Reference/Values/color_value": ("cssxref", "<color_value>"),
    "/docs/Web/HTTP/Reference/Headers/Accept": ("HTTPHeader", "Accept"),
    "/docs/Glossary/Void_element": ("Glossary", "Void_element"),
}


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_macro_is_found_for_an_address_and_leads_there(address: str) -> None:
    name, argument = ADDRESSES[address]
    assert macros_for(address) == (name,)
    link = macro_link(name, address, "some words" if name == "Glossary" else "`some words`")
    assert link == f'{{{{{name}("{argument}", "some words")}}}}'
    (section,) = parse(Page("", f"See {link} here.", Markup.MARKDOWN, "en")).sections
    assert (section.text, section.links[0].mention) == ("See some words here.", "some words")
    assert address.endswith(section.links[0].target)
    assert link_form(link) == name


@pytest.mark.parametrize("address", ["/docs/Web/HTTP", "/wiki/Window", "Window", "https://x.org/docs/Glossary/A", ""])
def test_other_addresses_have_no_macro(address: str) -> None:
    assert macros_for(address) == ()
    assert macro_link("domxref", address, "words") == ""


def test_words_that_are_code_stay_code_or_are_not_put_into_a_macro() -> None:
    address = "/docs/Web/HTML/Reference/Elements/video"
    assert macro_link("HTMLElement", address, "`<video>`") == '{{HTMLElement("video")}}'
    assert macro_link("glossary", "/docs/Glossary/CORS", "`CORS`") == ""
    assert macro_link("glossary", "/docs/Glossary/CORS", "**CORS**") == ""


@pytest.mark.parametrize(("name", "address"), [(name, address) for address, (name, _) in ADDRESSES.items()])
def test_a_macro_that_shows_code_leaves_prose_to_ordinary_links(name: str, address: str) -> None:
    is_prose = name == "Glossary"
    assert bool(macro_link(name, address, "some words")) == is_prose
    assert bool(macro_link(name, address, "`some` words")) is False
    assert bool(macro_link(name, address, "`words`")) != is_prose


def test_an_elements_macro_shows_its_tag_and_no_other_words() -> None:
    address = "/docs/Web/HTML/Reference/Elements/input"
    assert macro_link("HTMLElement", address, "`<input>`") == '{{HTMLElement("input")}}'
    assert macro_link("HTMLElement", address, "`type`") == ""
    assert macros_for(address) == ("HTMLElement",)
    assert macros_for(f"{address}/color") == ()


def test_a_css_type_that_shares_its_name_with_a_property_is_named_in_angle_brackets() -> None:
    address = "/docs/Web/CSS/Reference/Values/color_value"
    assert macro_link("cssxref", address, "`<color>`") == '{{cssxref("<color>")}}'


@pytest.mark.parametrize(
    ("markup", "target", "macros"),
    [
        ("[`open`](/docs/Web/API/Window/open)", "/docs/Web/API/Window/open", ("domxref",)),
        ("[to open](/docs/Web/API/Window/open)", "/docs/Web/API/Window/open", ()),
        ("[`open`](/docs/Web/API/Window/open#url)", "/docs/Web/API/Window/open#url", ()),
        ("[grids](/docs/Glossary/Grid)", "/docs/Glossary/Grid", ("Glossary",)),
        ("[`grid`](/docs/Glossary/Grid)", "/docs/Glossary/Grid", ()),
    ],
)
def test_an_ordinary_link_could_be_a_macro_that_shows_its_words_and_leads_to_the_whole_page(
    markup: str, target: str, macros: tuple[str, ...]
) -> None:
    assert macros_instead(markup, target) == macros


@given(st.text(max_size=12) | st.sampled_from(['a"b', "a}}", "{{b", "a|b", "]]", "a\n\nb", "&lt;", "_a_", "*a*"]))
def test_any_words_are_shown_as_they_are_or_refused(words: str) -> None:
    for link in (macro_link("glossary", "/docs/Glossary/CORS", words), wiki_link("Gray wolf", words)):
        if link:
            (section,) = parse(Page("", f"See {link} here.", Markup.MARKDOWN, "en")).sections
            (only,) = section.links
            assert only.target in {"/docs/Glossary/CORS", "Gray wolf"}
            assert only.mention.split() == words.split()


@pytest.mark.parametrize(
    ("markup", "form"),
    [("[[a]]", "wiki"), ("[[1]](a.md)", ""), ("[a](b)", ""), ("{{Glossary('a')}}", "Glossary"), ("{{Compat}}", "")],
)
def test_the_form_of_a_link_is_read_from_its_markup(markup: str, form: str) -> None:
    assert link_form(markup) == form
