import pytest

from linkspot.links.precedents import precedent_at, precedents_in
from linkspot.parsing import parse
from linkspot.records import Article, Entity, Markup, Page, Precedent

TEXT = """Le train roule. Il est lent.

== Voies ==
Un rail est long. Il est en acier. Un [[signal]] le garde. Il est rouge. Il brille. On le voit de loin. Un [[Signal]].
"""


def _page(text: str = TEXT, language: str = "fr") -> Article:
    return parse(Page("Train", text, Markup.WIKITEXT, language))


def test_a_precedent_tells_the_passage_and_how_far_down_it_stands() -> None:
    passage = ("Un rail est long.", "Il est en acier.", "Un signal le garde.", "Il est rouge.", "Il brille.")
    found = precedent_at(_page(), 4)
    assert found == Precedent("fr", "Voies", passage, 2, 4 / 8, 1.0, 2 / 6, 9)


def test_a_passage_keeps_to_its_section_and_the_lead_is_called_like_the_page() -> None:
    found = precedent_at(_page(), 1)
    assert (found.section, found.passage, found.linked) == ("Train", ("Le train roule.", "Il est lent."), 1)
    assert (found.section_place, found.place_in_section) == (0.0, 1.0)


def test_of_each_translation_the_first_link_counts() -> None:
    other = _page("Ein Zug. Ein [[Signal]] steht da.", "de")
    without = _page("Een trein.", "nl")
    found = precedents_in([_page(), without, other], Entity("Signal"))
    assert [(one.language, one.passage[one.linked]) for one in found] == [
        ("fr", "Un signal le garde."),
        ("de", "Ein Signal steht da."),
    ]


def test_without_an_id_any_name_tells_the_target_and_with_one_the_id_alone() -> None:
    pages = [_page("A train. A [[semaphore]] stops it.", "en")]
    (found,) = precedents_in(pages, Entity("Sémaphore", mentions=("semaphore",)))
    assert found.linked == 1
    assert precedents_in(pages, Entity("Sémaphore", mentions=("semaphore",), id="tracks/signal")) == ()


def test_a_precedents_link_stands_in_its_passage() -> None:
    with pytest.raises(ValueError, match="sentence 2 is not in the passage, which has 2"):
        Precedent("fr", "", ("Un.", "Deux."), 2, 0, 0, 0, 2)
