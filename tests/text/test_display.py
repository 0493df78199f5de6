from hypothesis import given
from hypothesis import strategies as st

from linkspot.text.display import displayed, html_text, words_of_one_line


def test_control_characters_are_shown_as_escapes() -> None:
    assert displayed("a\x1b[2Jb\x9b3m\rc\u202ed\u2066\n") == r"a\x1b[2Jb\x9b3m\rc\u202ed\u2066\n"
    assert displayed("a\tb\nc\rd", is_one_line=False) == "a\tb\nc\\rd"
    assert html_text("<b>\x1b") == "&lt;b&gt;\\x1b"


def test_ordinary_text_of_any_script_is_shown_as_it_is() -> None:
    for text in ("Wölfe & Co. – “x”", "שלום\u200f", "مرحبا\u200e", "狼は走る。", "👩\u200d👩", "a\xa0b", "e\u0301"):
        assert displayed(text) == words_of_one_line(text) == text


@given(st.text())
def test_what_is_displayed_is_printable_on_one_line(text: str) -> None:
    shown = displayed(text)
    assert len(shown.splitlines()) <= 1
    assert displayed(shown) == shown
    shown.encode()
    assert not set(words_of_one_line(text)) & set("\n\r\x1b\u2028\uffff")
