"""Words of every script: how text is cut into them, and which spellings are the same word."""

import re
import unicodedata
from typing import Literal

from linkspot.limits import LIMITS
from linkspot.remembering import remembered
from linkspot.text.scripts import UNSPACED, has_spaceless

# Python's \w leaves out the marks that write vowels in Bengali, Hindi, Thai and others.
_BLOCKS_WITH_MARKS = ((0x0300, 0x1D00), (0x1DC0, 0x1E00), (0x302A, 0x30A0), (0xA66F, 0xAC00), (0x10A00, 0x11FFF))
#: Combining marks, as `[{MARKS}]` in a pattern.
MARKS = "".join(
    chr(code)
    for first, last in _BLOCKS_WITH_MARKS
    for code in range(first, last)
    if unicodedata.category(chr(code)).startswith("M")
)
JOINERS = "\u200c\u200d\u00ad"  # they shape a word or say where it may be broken, and never end it

# Marks of the other blocks: for symbols, half marks, music and some rare scripts.
_RARE_MARKS = (
    "\u20d0-\u20f0\ufb1e\ufe20-\ufe2f\U00010376-\U0001037a\U00016af0-\U00016af4\U00016b30-\U00016b36"
    "\U0001d165-\U0001d1ad\U0001e000-\U0001e02a\U0001e130-\U0001e136\U0001e2ec-\U0001e2ef\U0001e8d0-\U0001e94a"
)
_LONG_RUN_OF_MARKS = re.compile(rf"([{MARKS}{_RARE_MARKS}]{{{LIMITS.marks}}})[{MARKS}{_RARE_MARKS}]+")

_WORD = re.compile(rf"[\w{MARKS}{JOINERS}]+")
_ASCII_WORD = re.compile(r"[A-Za-z0-9_]+")
_UNSPACED_RUN = re.compile(rf"([{UNSPACED}]+)")
_HAS_PARTS = re.compile(r"[a-z0-9][A-Z]|[^\W_]_")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_A-Za-z0-9]+")

# Vowel points and tatweel of Arabic and Hebrew, joiners and marks of direction: the word is the same without them.
_OPTIONAL = re.compile(
    f"[\u0640\u064b-\u0652\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7{JOINERS}\u200e\u200f\u2060\ufeff]"
)
_WRITTEN_IN = {"simple": "en", "nb": "no"}  # tables name these languages by their other code
_ACCENT = re.compile("[\u0300-\u036f\u0653-\u0655]")
_DOTTED_I = str.maketrans({"İ": "i", "I": "ı"})
_LETTERS_WITH_STROKES = str.maketrans("øłđħŧıيك", "oldhtiیک")
_SAME_PUNCTUATION = str.maketrans({"’": "'", "ʼ": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"'})


@remembered(entries=128, longest=64)
def primary(language: str) -> str:
    """Return the primary language of a tag ("pt" of "pt-BR"), or of a Wikipedia's code ("en" of "simple")."""
    tag = re.split("[-_]", language, maxsplit=1)[0].lower()
    return _WRITTEN_IN.get(tag, tag)


def normal_form(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    """Return a normal form of Unicode, in which a letter has no more marks than the limit.

    To sort the marks of a letter takes a time that grows with the square of their number.
    """
    if len(text) > LIMITS.marks and not text.isascii():
        text = _LONG_RUN_OF_MARKS.sub(r"\1", text)
    return unicodedata.normalize(form, text)


def fold(text: str, language: str) -> str:
    """Return the text without case, width, optional marks and styles of quotes: equal letters give equal text."""
    tongue = primary(language)
    if tongue in {"tr", "az"}:
        text = text.translate(_DOTTED_I)
    if text.isascii():
        return text.lower()
    # Case first and last: it can undo the normal form, and the normal form can bring capitals.
    folded = normal_form("NFKC", text.casefold()).casefold()
    folded = normal_form("NFKC", _OPTIONAL.sub("", folded)).translate(_SAME_PUNCTUATION)
    return folded.replace("ё", "е") if tongue in {"ru", "be"} else folded


def strip_accents(folded: str, language: str) -> str:
    """Return folded text without accents; Vietnamese keeps them, since most of its words differ by them."""
    if folded.isascii() or primary(language) == "vi":
        return folded
    bare = _ACCENT.sub("", normal_form("NFD", folded))
    return normal_form("NFC", bare).translate(_LETTERS_WITH_STROKES)


@remembered(
    entries=1 << 12, longest=1024
)  # for the sentences of some pages, which are read for one target after another
def bare(text: str, language: str) -> str:
    """Return the text folded and without accents."""
    return strip_accents(fold(text, language), language)


def words(text: str, language: str) -> list[str]:
    """Return the words of the text, folded and without accents; scripts without spaces give pairs of characters.

    A name of code such as `getElementById` or `draw_buffers` gives its parts as well.
    """
    tokens = _words_of_code(text) if _HAS_PARTS.search(text) else []
    if text.isascii() and primary(language) not in {"tr", "az"}:
        return tokens + _ASCII_WORD.findall(text.lower())
    for word in _WORD.findall(bare(text, language)):
        if has_spaceless(word):
            tokens += _words_of_mixed_scripts(word)
        else:
            tokens.append(word)
    return tokens


def _words_of_code(text: str) -> list[str]:
    names = [name for name in _ASCII_WORD.findall(text) if _HAS_PARTS.search(name)]
    return [part.lower() for name in names for part in _PART.findall(name)]


def _words_of_mixed_scripts(run: str) -> list[str]:
    tokens = []
    for piece in _UNSPACED_RUN.split(run):
        if not piece:
            continue
        if has_spaceless(piece) and len(piece) > 1:
            tokens += [piece[index : index + 2] for index in range(len(piece) - 1)]
        else:
            tokens.append(piece)
    return tokens
