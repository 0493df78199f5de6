import pytest

from linkspot.text.apparatus import apparatus_titles, headings, is_known, messages, plain_title


def test_the_number_of_languages_does_not_fall() -> None:
    sure = [{code for code, titles in table().items() if titles.sure} for table in (headings, messages)]
    assert len(headings()) == len(sure[0]) >= 137
    assert len(sure[0] | sure[1]) >= 237  # references or external links
    assert len(headings().keys() | messages().keys()) >= 434  # at least categories


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("ace", "Dapeuta rèfèrènsi"),
        ("crh", "Tışqı bağlantı"),
        ("kaa", "Derekler"),
        ("sr-Latn", "Spisak referenci"),
        ("szl", "Připisy"),
        ("be-tarask", "Зноскі"),
        ("en", "References"),
    ],
)
def test_references_are_known_in_many_languages(language: str, title: str) -> None:
    assert plain_title(title) in apparatus_titles(language).sure


@pytest.mark.parametrize(
    ("language", "title"),
    [("zh-min-nan", "Lūi-pia̍t"), ("fiu-vro", "Katõgooriaq"), ("mi", "Rōpū"), ("de", "Kategorien")],
)
def test_categories_count_only_where_they_are_a_list(language: str, title: str) -> None:
    titles = apparatus_titles(language)
    assert plain_title(title) in titles.ambiguous
    assert plain_title(title) not in titles.sure


def test_a_word_of_the_interface_heads_prose_where_the_wikis_headings_say_so() -> None:
    assert not any(titles.sure & apparatus_titles(code).ambiguous for code, titles in headings().items())
    assert plain_title("Bilješke") in apparatus_titles("hr").ambiguous  # MediaWiki's word for references


def test_a_language_is_known_by_its_wikis_headings_alone() -> None:
    assert is_known("szl")
    assert not is_known("ace")
