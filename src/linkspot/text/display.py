"""Display: text of strangers made safe to print, so that it commands no terminal, forges no line, reverses nothing."""

import re
from html import escape

# C0 and C1 controls (a terminal obeys what follows an escape), the other line ends, the marks that turn the direction
# of the text after them, and halves of characters, which no encoding can write.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
UNSAFE_IN_LINES: re.Pattern[str] = re.compile(_UNSAFE.pattern.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f"))
_LINE_ENDS = re.compile("[\t-\r\x1c-\x1e\x85\u2028\u2029 ]+")
_NOT_IN_WORDS = re.compile(_UNSAFE.pattern[:-1] + "\ufdd0-\ufdef\ufffe\uffff]")


def displayed(text: str, *, is_one_line: bool = True) -> str:
    r"""Return the text with an escape such as \x1b in place of every control character and turn of direction.

    If it may have several lines, line feeds and tabs stay.
    """
    return (_UNSAFE if is_one_line else UNSAFE_IN_LINES).sub(lambda sign: ascii(sign[0])[1:-1], text)


def html_text(text: str) -> str:
    """Return the text as HTML that displays it: no markup, no control character, no turn of direction."""
    return escape(displayed(text, is_one_line=False))


def words_of_one_line(text: str) -> str:
    """Return the text as words that a page can show: on one line, without control characters and noncharacters."""
    return _NOT_IN_WORDS.sub("", _LINE_ENDS.sub(" ", text)).strip()
