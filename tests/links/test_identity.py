import pytest

from linkspot.links.existing import is_own_page
from linkspot.links.identity import IdentifiedBy, local_id, note_on_languages, own_id
from linkspot.records import Article, Entity


@pytest.mark.parametrize(
    ("of_page", "of_target", "is_own"),
    [
        ("", "Q1", True),
        ("Dog", "Q1", True),  # the name of a file says nothing of Wikidata
        ("17", "Q1", True),
        ("Dog", "de:Hund", True),
        ("Q1", "Q1", True),
        ("Q2", "Q1", False),
        ("web/dog", "web/api/dog", False),
        ("web/dog", "web/dog", True),
    ],
)
def test_ids_of_one_kind_tell_pages_of_the_same_title_apart(of_page: str, of_target: str, is_own: bool) -> None:
    assert is_own_page(Article("Dog", "en", (), id=of_page), Entity("Dog", id=of_target)) is is_own


@pytest.mark.parametrize(
    ("entity", "identity"),
    [("en:Dog", ""), ("en:A/Dog", "A/Dog"), ("de:Hund", "de:Hund"), ("Q144", "Q144"), ("Dog", ""), ("", "")],
)
def test_a_page_knows_its_id_without_its_own_language_and_title(entity: str, identity: str) -> None:
    assert local_id(entity, "en", "Dog") == identity


def test_an_id_of_one_language_is_shared_by_no_other() -> None:
    assert own_id("en", "Gift") != own_id("de", "Gift")


def test_a_note_names_a_few_of_many_languages_that_are_not_joined() -> None:
    title, slug = {IdentifiedBy.TITLE.value: 3}, {IdentifiedBy.SLUG.value: 3, IdentifiedBy.TITLE.value: 1}
    assert note_on_languages({"en": title}) == ""
    assert note_on_languages({"en": slug, "de": slug}) == ""
    assert note_on_languages({"en": slug, "de": title}).startswith("Pages in de are known by their titles alone")
    many = dict.fromkeys(("az", "bg", "cs", "da", "en", "fr", "ga"), title)
    assert note_on_languages(many).startswith("Pages in az, bg, cs, da, en and 2 more languages are known")
