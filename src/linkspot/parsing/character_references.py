"""Character references: &amp;, &#38; and &#x26; in HTML, wikitext and macros, however long their numbers are."""

import re
from html import unescape

_LONG_NUMBER = re.compile(r"&#([xX]?)([0-9]{8,}|(?<=[xX])[0-9a-fA-F]{8,});?")
_MOST_DIGITS = 7  # of a number that can be a character's; Python reads no number of more than 4,300 digits


def resolved(text: str) -> str:
    """Return the text with the characters that its references stand for."""
    return unescape(_LONG_NUMBER.sub(_shortened, text) if "&#" in text else text)


def _shortened(reference: re.Match[str]) -> str:
    digits = reference[2].lstrip("0") or "0"
    return f"&#{reference[1]}{digits};" if len(digits) <= _MOST_DIGITS else "\ufffd"
