"""Scripts: which put no spaces between words, and which have upper and lower case."""

import re

# Letters and marks, without digits (see `str.isdigit`) and punctuation.
_RANGES: dict[str, tuple[tuple[int, int], ...]] = {
    "han": (
        (0x2E80, 0x2FD5),
        (0x3005, 0x3007),
        (0x3021, 0x3029),
        (0x3038, 0x303B),
        (0x3400, 0x4DBF),
        (0x4E00, 0x9FFF),
        (0xF900, 0xFAFF),
        (0x20000, 0x3FFFD),
    ),
    "bopomofo": ((0x3105, 0x312F), (0x31A0, 0x31BF)),
    "hiragana": ((0x3041, 0x3096), (0x3099, 0x309F), (0x1B001, 0x1B11F), (0x1B132, 0x1B132), (0x1B150, 0x1B152)),
    "katakana": (
        (0x30A1, 0x30FA),
        (0x30FC, 0x30FF),
        (0x31F0, 0x31FF),
        (0xFF66, 0xFF9F),
        (0x1AFF0, 0x1B000),
        (0x1B120, 0x1B122),
        (0x1B155, 0x1B167),
    ),
    "thai": ((0x0E01, 0x0E3A), (0x0E40, 0x0E4E)),
    "lao": ((0x0E81, 0x0ECE), (0x0EDC, 0x0EDF)),
    "khmer": ((0x1780, 0x17D3), (0x17D7, 0x17D7), (0x17DC, 0x17DD)),
    "myanmar": (
        (0x1000, 0x103F),
        (0x1050, 0x108F),
        (0x109A, 0x109D),
        (0xA9E0, 0xA9EF),
        (0xA9FA, 0xA9FE),
        (0xAA60, 0xAA76),
        (0xAA7A, 0xAA7F),
    ),
    "tibetan": ((0x0F00, 0x0F00), (0x0F40, 0x0F84), (0x0F86, 0x0FBC)),
    "tai": ((0x1950, 0x1974), (0x1980, 0x19C9), (0x1A20, 0x1A7C), (0xAA80, 0xAADD)),
    "ahom": ((0x11700, 0x1172B),),
    "balinese": ((0x1B00, 0x1B4C),),
    "javanese": ((0xA980, 0xA9C0),),
    "yi": ((0xA000, 0xA48C),),
    "tangut": ((0x17000, 0x18D08),),
    "nushu": ((0x1B170, 0x1B2FB),),
}


def character_class(*scripts: str) -> str:
    """Return the letters of these scripts as ranges for the inside of a regular expression's brackets."""
    ranges = [pair for script in scripts for pair in _RANGES[script]]
    return "".join(chr(first) if first == last else f"{chr(first)}-{chr(last)}" for first, last in ranges)


#: The letters of all scripts that are written without spaces between words, as `[{UNSPACED}]` in a pattern.
UNSPACED = character_class(*_RANGES)

_GEORGIAN = re.compile("[\u10a0-\u10ff\u1c90-\u1cbf]")
_UNSPACED_LETTER = re.compile(f"[{UNSPACED}]")


def is_spaceless(character: str) -> bool:
    """Return whether the character is a letter of a script without spaces between words; Hangul has spaces."""
    return _UNSPACED_LETTER.match(character) is not None


def has_spaceless(text: str) -> bool:
    """Return whether some letter of the text is of a script without spaces between words."""
    return not text.isascii() and _UNSPACED_LETTER.search(text) is not None


def is_cased(character: str) -> bool:
    """Return whether the character is a letter of a script whose sentences begin with a capital; Georgian's do not."""
    return character.isalpha() and character.upper() != character.lower() and not _GEORGIAN.match(character)
