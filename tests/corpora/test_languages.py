import pytest

from linkspot.corpora.languages import is_language, tag_of


@pytest.mark.parametrize(
    ("code", "tag"),
    [
        ("eng", "en"),
        ("DEU", "de"),
        ("ger", "de"),
        ("zho", "zh"),
        ("cmn", "zh"),
        ("swa", "sw"),
        ("zho-Hans", "zh-hans"),
        ("pt_BR", "pt-br"),
        ("en", "en"),
        ("ceb", "ceb"),
        ("", ""),
    ],
)
def test_codes_of_three_letters_become_the_tags_that_pages_use(code: str, tag: str) -> None:
    assert tag_of(code) == tag


@pytest.mark.parametrize("name", ["en", "FR", "zh-CN", "pt_BR", "zh-Hant", "es-419"])
def test_names_of_languages_are_known(name: str) -> None:
    assert is_language(name)


@pytest.mark.parametrize("name", ["js", "api", "docs", "v1", "e", "", "en-", "english", "rs"])
def test_other_names_are_no_languages(name: str) -> None:
    assert not is_language(name)
