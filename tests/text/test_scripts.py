import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkspot.text.scripts import UNSPACED, character_class, has_spaceless, is_cased, is_spaceless

WITHOUT_SPACES = ["HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "JAVANESE", "BALINESE"]
WITH_SPACES = ["LATIN", "GREEK", "CYRILLIC", "ARABIC", "HEBREW", "DEVANAGARI", "BENGALI"]


def letters_named(script: str) -> list[str]:
    every = (chr(code) for code in range(0x20, 0x30000) if not 0xD800 <= code < 0xE000)
    named = [c for c in every if unicodedata.name(c, "").startswith((f"{script} LETTER", f"{script} CHARACTER"))]
    return [c for c in named if unicodedata.category(c) == "Lo" or script in {"LATIN", "GREEK", "CYRILLIC"}]


@pytest.mark.parametrize("script", WITHOUT_SPACES)
def test_every_letter_of_a_script_without_spaces_is_spaceless(script: str) -> None:
    letters = letters_named(script)
    assert letters
    assert [c for c in letters if not is_spaceless(c)] == []


@pytest.mark.parametrize("script", WITH_SPACES)
def test_no_letter_of_a_script_with_spaces_is_spaceless(script: str) -> None:
    letters = letters_named(script)
    assert letters
    assert [c for c in letters if is_spaceless(c)] == []


@pytest.mark.parametrize("character", ["漢", "字", "𠮷", "々", "ｱ", "ㄅ", "ꀀ"])
def test_ideographs_and_their_relatives_are_spaceless(character: str) -> None:
    assert is_spaceless(character)


@pytest.mark.parametrize("character", ["a", "한", "1", "๑", "༡", "。", "「", " ", "・", "\ud800", ""])
def test_hangul_digits_and_punctuation_are_not_spaceless(character: str) -> None:
    assert not is_spaceless(character)


@given(st.text())
def test_a_text_has_spaceless_letters_if_and_only_if_one_of_its_characters_is(text: str) -> None:
    assert has_spaceless(text) == any(is_spaceless(c) for c in text)


def test_the_ranges_work_inside_the_brackets_of_a_larger_pattern() -> None:
    words = re.findall(rf"[{UNSPACED}]|[^\W{UNSPACED}]+", "HTMLは言語 language")
    assert words == ["HTML", "は", "言", "語", "language"]


def test_a_class_of_one_script_holds_no_other() -> None:
    thai = re.compile(f"[{character_class('thai')}]")
    assert thai.match("ก")
    assert not thai.match("ກ")


@pytest.mark.parametrize(
    ("character", "expected"), [("a", True), ("Ж", True), ("ω", True), ("ა", False), ("字", False), ("1", False)]
)
def test_only_letters_with_capitals_at_the_start_of_sentences_are_cased(character: str, expected: bool) -> None:
    assert is_cased(character) is expected
