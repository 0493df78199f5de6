import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.text.words import fold, primary, strip_accents, words


def test_words_are_folded_and_numbers_are_kept() -> None:
    assert words("The Signals of 1976, again!", "en") == ["the", "signals", "of", "1976", "again"]


def test_accents_make_no_other_word() -> None:
    assert words("São Paulo, Łódź", "en") == words("Sao Paulo Lodz", "en")


def test_in_vietnamese_accents_do_make_other_words() -> None:
    assert words("má", "vi") != words("mạ", "vi")


def test_names_of_code_give_their_parts_as_well() -> None:
    assert set(words("getElementById", "en")) == {"get", "element", "by", "id", "getelementbyid"}
    assert set(words("draw_buffers", "en")) == {"draw", "buffers", "draw_buffers"}
    assert words("Window.open()", "en") == ["window", "open"]


def test_scripts_without_spaces_give_pairs_of_characters() -> None:
    assert words("東京都", "ja") == ["東京", "京都"]
    assert words("ABCを食べる", "ja") == ["abc", "を食", "食べ", "べる"]


def test_vowel_signs_stay_in_their_word() -> None:
    assert words("ভারতের ইতিহাস", "bn") == ["ভারতের", "ইতিহাস"]
    assert words("हिन्दी भाषा", "hi") == ["हिन्दी", "भाषा"]


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("Straße", "STRASSE", "de"),
        ("ﬁsh", "Fish", "en"),
        ("Ёлка", "елка", "ru"),
        ("مَدِينَة", "مدينة", "ar"),
        ("כָּתוּב", "כתוב", "he"),
        ("İSTANBUL", "istanbul", "tr"),
        ("ISI", "ısı", "tr"),
        ("O’Brien", "o'brien", "en"),
        ("ｶﾞｽ", "ガス", "ja"),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ", "el"),
    ],
)
def test_spellings_of_one_word_fold_alike(one: str, other: str, language: str) -> None:
    assert fold(one, language) == fold(other, language)


@pytest.mark.parametrize(("one", "other", "language"), [("ё", "е", "en"), ("ısı", "ISI", "en"), ("är", "ar", "sv")])
def test_other_words_fold_otherwise(one: str, other: str, language: str) -> None:
    assert fold(one, language) != fold(other, language)


@given(st.text(alphabet=st.characters(max_codepoint=0x24F, categories=["L"])), st.sampled_from(["en", "fr", "vi"]))
def test_composed_and_decomposed_text_fold_alike(text: str, language: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert fold(composed, language) == fold(decomposed, language)


@given(st.text(), st.sampled_from(["en", "tr", "ru", "ar", "vi", "ja"]))
def test_words_have_no_white_space_and_are_never_empty(text: str, language: str) -> None:
    assert all(word and not any(map(str.isspace, word)) for word in words(text, language))


@given(st.text(alphabet="aeiouéèñåßĐøй"))
def test_stripping_accents_twice_changes_nothing_more(text: str) -> None:
    once = strip_accents(fold(text, "en"), "en")
    assert strip_accents(once, "en") == once


def test_a_region_does_not_change_the_language() -> None:
    assert [primary(tag) for tag in ("pt-BR", "zh_TW", "EN")] == ["pt", "zh", "en"]
