import pytest

from linkspot.insertions.navigation import is_navigation
from linkspot.insertions.versions import Version
from linkspot.links.addresses import Naming
from linkspot.records import Markup, Page


def _is_navigation(text: str, markup: Markup = Markup.WIKITEXT) -> bool:
    version = Version.of(Page("Baking", text, markup, "en"), Naming())
    return is_navigation(version, version.links[-1])


@pytest.mark.parametrize(
    "line",
    [
        "« Back to [[Kitchen]]",
        "<<Back to the [[Kitchen]] (list of rooms)",
        "← [[Kitchen]]",
        "[[Kitchen|Weiter: die Küche]] »",
        "[[Kitchen|次: 台所]] →",
        "[[Pantry|Forrige: spisekammer]] » « [[Kitchen|Neste: kjøkken]]",
        "« [[Pantry|Avant]] | [[Kitchen|Après]] »",
    ],
)
def test_a_line_that_has_little_but_links_and_an_arrow_out_of_the_page_is_navigation(line: str) -> None:
    assert _is_navigation(f"Bread rises.\n\n{line}\n")


@pytest.mark.parametrize(
    "line",
    [
        "See the [[Kitchen]] too.",
        "« Le pain de la [[Kitchen|cuisine]] » est un vieux livre.",
        "« [[Kitchen|La cuisine]] »",
        "»[[Pantry|Die Kammer]]«, »[[Kitchen|Die Küche]]«",
        "[[Flour]] → [[Dough]] → [[Kitchen]]",
        "Whoever wants to bake at home goes with all of this into the [[Kitchen]] →",
        "[[Kitchen|<<]] shifts to the left",
        "A ''small'' [[Kitchen]] is enough.",
    ],
)
def test_prose_with_quotation_marks_or_arrows_in_it_is_no_navigation(line: str) -> None:
    assert not _is_navigation(f"Bread rises.\n\n{line}\n")


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("Bread.\n\n== Ovens ==\n''For stoves see [[Kitchen]]''\n\nOvens are hot.", Markup.WIKITEXT),
        ("Bread.\n\n== Ovens ==\n:''The '''main''' article is [[Kitchen]].''\n\nOvens are hot.", Markup.WIKITEXT),
        (
            '<p>Bread.</p><h2>Ovens</h2><p><i>For stoves see <a href="./Kitchen">it</a></i></p><p>Ovens are hot.</p>',
            Markup.HTML,
        ),
    ],
)
def test_a_note_in_italics_above_the_text_of_a_section_is_navigation(text: str, markup: Markup) -> None:
    assert _is_navigation(text, markup)


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("== Ovens ==\nOvens are hot.\n\n''For stoves see [[Kitchen]]''", Markup.WIKITEXT),
        ("== Ovens ==\n''Ovens'' stand in the ''[[Kitchen]]''", Markup.WIKITEXT),
        ("== Ovens ==\n*''[[Kitchen]] oven''\n*Stove", Markup.WIKITEXT),
        ("## Ovens\n\n_Ovens stand in the [kitchen](Kitchen)._\n\nThey are hot.", Markup.MARKDOWN),
    ],
)
def test_other_italics_are_prose(text: str, markup: Markup) -> None:
    assert not _is_navigation(text, markup)
