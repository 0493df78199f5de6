import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.parsing.namespaces import (
    Namespace,
    clean_title,
    is_interwiki,
    namespace_of,
    split_namespace,
    stands_in_text,
)


@pytest.mark.parametrize(
    ("title", "language", "namespace"),
    [
        ("Datei:Hund.jpg", "de", Namespace.FILE),
        ("Bild:Hund.jpg", "de", Namespace.FILE),
        ("Категорія:Собаки", "uk", Namespace.CATEGORY),
        ("বিষয়শ্রেণী:কুকুর", "bn", Namespace.CATEGORY),
        ("تصنيف:كلاب", "ar", Namespace.CATEGORY),
        ("画像:犬.jpg", "ja", Namespace.FILE),
        ("Hình:Chó.jpg", "vi", Namespace.FILE),
        ("Dosya:Köpek.jpg", "tr", Namespace.FILE),
        ("Vorlage:Infobox", "de", Namespace.TEMPLATE),
        ("Wikipédia:Accueil", "fr", Namespace.OTHER),
        ("Datei Diskussion:Hund.jpg", "de", Namespace.OTHER),
    ],
)
def test_a_language_has_its_own_names(title: str, language: str, namespace: Namespace) -> None:
    assert namespace_of(title, language) is namespace


@pytest.mark.parametrize("language", ["de", "ja", "bn", "simple", "xx", ""])
def test_english_names_hold_in_every_language(language: str) -> None:
    others = [
        "Help",
        "Portal",
        "Special",
        "Talk",
        "User",
        "Wikipedia",
        "Project",
        "Module",
        "MediaWiki",
        "Media",
        "Draft",
    ]
    assert namespace_of("File:Dog.jpg", language) is Namespace.FILE
    assert namespace_of("Image:Dog.jpg", language) is Namespace.FILE
    assert namespace_of("Category:Dogs", language) is Namespace.CATEGORY
    assert namespace_of("Template:Dog", language) is Namespace.TEMPLATE
    assert {namespace_of(f"{name}:Dog", language) for name in others} == {Namespace.OTHER}


def test_names_of_one_language_are_words_in_another() -> None:
    assert namespace_of("Bild:Hund.jpg", "en") is None


@pytest.mark.parametrize("title", ["Dog", "Alien: Covenant", "2001: A Space Odyssey", "AC/DC", ":Dog", "", ":", "::"])
def test_an_article_has_no_namespace(title: str) -> None:
    assert namespace_of(title, "en") is None
    assert split_namespace(title, "en").text == title


@pytest.mark.parametrize(
    "title", ["category:Dogs", "CATEGORY:Dogs", " Category : Dogs", "_category_:Dogs", ":Category:Dogs"]
)
def test_case_and_white_space_of_a_prefix_do_not_count(title: str) -> None:
    assert namespace_of(title, "en") is Namespace.CATEGORY


def test_spaces_and_underscores_are_one_in_a_prefix() -> None:
    assert split_namespace("user_talk:Ann", "en").name == split_namespace("User talk:Ann", "en").name == "User talk"
    assert namespace_of("Thể_loại:Chó", "vi") is Namespace.CATEGORY


def test_dotted_and_dotless_letters_find_the_turkish_names() -> None:
    names = {split_namespace(f"{prefix}:Ali", "tr").name for prefix in ("Kullanıcı", "kullanıcı", "KULLANICI")}
    assert names == {"User"}
    assert split_namespace("VİKİPEDİ:Ali", "tr").name == "Project"
    assert split_namespace("DOSYA TARTIŞMA:Ali", "tr").name == "File talk"


@pytest.mark.parametrize(
    ("title", "language"),
    [
        ("Ficheiro:Cão.jpg", "pt-br"),
        ("Arquivo:Cão.jpg", "pt_BR"),
        ("檔案:狗.jpg", "zh-TW"),
        ("Fil:Hund.jpg", "nb"),
        ("檔案:狗.jpg", "zh-Hant-HK"),
        ("Выява:Сабака.jpg", "be-tarask"),
    ],
)
def test_a_tag_with_a_region_falls_back_to_its_language(title: str, language: str) -> None:
    assert namespace_of(title, language) is Namespace.FILE


def test_a_title_is_split_into_the_canonical_name_and_the_rest() -> None:
    assert split_namespace(":Kategorie:Wolf: Hund", "de") == (Namespace.CATEGORY, "Category", "Wolf: Hund")
    assert split_namespace("Hilfe:Suche", "de") == (Namespace.OTHER, "Help", "Suche")


def test_a_wiki_adds_names_of_its_own() -> None:
    own = {"Translation": Namespace.HIDDEN, "Obrázok": Namespace.FILE, "Recipe_Book": Namespace.OTHER}
    assert namespace_of("Translation:en/Manual", "de") is None
    assert namespace_of("translation:en/Manual", "de", own) is Namespace.HIDDEN
    assert split_namespace("obrázok:Vlak.png", "en", own) == (Namespace.FILE, "File", "Vlak.png")
    assert split_namespace("recipe book:Soup", "en", own) == (Namespace.OTHER, "Recipe Book", "Soup")


@pytest.mark.parametrize(
    "title", ["fr:Chien", ":de:Hund", "wikt:dog", "Commons:Dog", "zh-min-nan:Káu", "nb:Hund", "w:de:Hund", "simple:Dog"]
)
def test_interwiki_prefixes_are_language_codes_and_sister_projects(title: str) -> None:
    assert is_interwiki(title)


@pytest.mark.parametrize(
    "title", ["Dog", "Alien: Covenant", "en-gb:Dog", "Category:Dogs", "http://example.org", ":", ""]
)
def test_other_prefixes_are_not_interwiki(title: str) -> None:
    assert not is_interwiki(title)


def test_a_local_namespace_comes_before_an_interwiki_prefix() -> None:
    assert is_interwiki("f:Z801", "en")
    assert not is_interwiki("F:狗.jpg", "zh")


@pytest.mark.parametrize(
    "target", ["Category:Dogs", "File:Dog.jpg|thumb", "category:dogs", "fr:Chien", " Image:Dog.jpg"]
)
def test_files_categories_and_interlanguage_links_are_not_in_the_text(target: str) -> None:
    assert not stands_in_text(target, "en")


@pytest.mark.parametrize(
    "target",
    [
        ":Category:Dogs",
        " :File:Dog.jpg",
        ":fr:Chien",
        "wikt:dog",
        "Help:Links",
        "Media:Dog.ogg",
        "Dog",
        "Alien: Covenant",
    ],
)
def test_other_links_and_those_with_a_leading_colon_are_in_the_text(target: str) -> None:
    assert stands_in_text(target, "en")


def test_a_hidden_marker_is_not_in_the_text() -> None:
    assert stands_in_text("Translation:en/Manual", "en")
    assert not stands_in_text("Translation:en/Manual", "en", {"Translation": Namespace.HIDDEN})


@given(st.text(), st.sampled_from(["en", "tr", "ja", "de-AT", ""]))
def test_any_text_is_a_title(text: str, language: str) -> None:
    namespace = namespace_of(text, language)
    assert namespace is split_namespace(text, language).namespace
    assert (namespace is None) == (split_namespace(text, language).text == text)


@given(st.text())
def test_cleaning_twice_changes_nothing(text: str) -> None:
    cleaned = clean_title(text)
    assert clean_title(cleaned) == cleaned
    assert cleaned == cleaned.strip()
    assert "_" not in cleaned
    assert "  " not in cleaned
