"""Where sentences begin and end: the borders of sentencex, fixed where it gets scripts or prose wrong."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate

from linkspot.remembering import remembered
from linkspot.source_map import Span
from linkspot.text.borders import Borders
from linkspot.text.scripts import character_class
from linkspot.text.words import primary

_PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n|$(?![\s\S])")
# sentencex takes time in the square of the length where quotation marks are not closed: it gets this much at once.
_WINDOW = 8_000
# It panics at a space of several bytes between a capital letter and a full stop.
_WIDE_SPACES = (
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_PRIMARY_TAG = re.compile(r"[a-z]{2,8}")

# sentencex wants a space or a capital behind a stop; an ideographic stop needs neither.
_IDEOGRAPHIC = re.compile(r"(?P<open>[「『（(《〈【“])|(?P<close>[」』）)》〉】”])|[。｡](?=[0-9a-z])")
_BRACKETED_SENTENCE = re.compile(
    r"\([^()]*[.!?]\)(?=\s)|（[^（）]*[。！？][」』”]?）"  # "(So it was.) Then …"
)
# "។ល។" means "and so on", and may end a sentence; a shad of Tibetan ends a sentence only before a space.
_STOP_OF_KHMER_OR_TIBETAN = re.compile(r"(?:។ល។|[។៕៚]+)[”»\"]*\s*|[།༎༏༐༑༔]\s++(?![།༎༏༐༑༔])")

_THAI_OR_LAO = character_class("thai", "lao")
_THAI_SPACE = re.compile(f" (?<=[{_THAI_OR_LAO}ฯ] ) *(?=[{_THAI_OR_LAO}])")
# Thai and Lao set a space between sentences and also between phrases: a sentence is long, and no word
# that joins (and, or, which, that, by, for, of, in, with, from, such as, namely …) stands at its borders.
_SHORTEST_IN_THAI = 30
_JOINS = (
    "และ|หรือ|ซึ่ง|ที่|โดย|เพื่อ|ของ|ใน|กับ|แก่|จาก|ถึง|เช่น|ได้แก่|คือ|ว่า|ด้วย|รวม|ตลอดจน|ฯลฯ|ๆ|"
    "ແລະ|ຫຼື|ຫລື|ຊຶ່ງ|ເຊິ່ງ|ທີ່|ໂດຍ|ເພື່ອ|ຂອງ|ໃນ|ກັບ|ແກ່|ຈາກ|ເຖິງ|ເຊັ່ນ|ຄື|ວ່າ|ດ້ວຍ|ລວມ|ໆ"
)
_JOINS_NEXT = re.compile(_JOINS)
_JOINS_LAST = re.compile(f"(?:{_JOINS})$")
_LONGEST_JOIN = 7


def split(text: str, language: str) -> list[Span]:
    """Return the sentences of a block of prose in order; only white space stands between and around them."""
    code = _sentencex_code(language)
    if "\n" not in text:
        return _sentences(text, 0, code)
    spans: list[Span] = []
    start = 0
    for paragraph_break in _PARAGRAPH_BREAK.finditer(text):
        paragraph = text[start : paragraph_break.start()]
        spans += _sentences(paragraph, start, code)
        start = paragraph_break.end()
    return spans


def _sentences(text: str, offset: int, code: str) -> list[Span]:
    if not text or text.isspace():
        return []
    spans = []
    start = 0
    ends = _proposed_ends(text, code)
    for end in Borders(text, code).sentence_ends(ends) if len(ends) > 1 else ends:
        first, last = start, end - 1
        while text[first].isspace():
            first += 1
        while text[last].isspace():
            last -= 1
        spans.append(Span(offset + first, offset + last + 1))
        start = end
    return spans


def _proposed_ends(text: str, code: str) -> list[int]:
    pieces = _pieces(text, code)
    ends = list(accumulate(map(len, pieces)))
    more = {
        end - len(piece) + sentence.end()
        for piece, end in zip(pieces, ends, strict=True)
        if piece[0] in "(（" and (sentence := _BRACKETED_SENTENCE.match(piece))
    }
    # Looking for one character costs far less than running a pattern over prose that has none of it.
    if not text.isascii():
        if "。" in text or "｡" in text:
            more.update(_ideographic_ends(text))
        if "។" in text or "៕" in text or "།" in text or "༎" in text:
            more.update(stop.end() for stop in _STOP_OF_KHMER_OR_TIBETAN.finditer(text))
        if len(text.encode(errors="replace")) > len(text) + 2 * _SHORTEST_IN_THAI:  # a letter of Thai has three bytes
            more.update(_thai_ends(text))
    return sorted(more.union(ends)) if more else ends


def _pieces(text: str, code: str) -> list[str]:
    """Return what sentencex makes of one paragraph; the pieces joined are as long as the text."""
    if len(text) <= _WINDOW:
        return _segmented(text, code)
    pieces = []
    start = position = 0
    while position < len(text):
        sentences = _segmented(text[position : position + _WINDOW], code)
        is_last = position + _WINDOW >= len(text)
        if len(sentences) == 1 and not is_last:
            position += _WINDOW  # a sentence longer than the window continues in the next
            continue
        for piece in sentences if is_last else sentences[:-1]:
            position += len(piece)
            pieces.append(text[start:position])
            start = position
    return pieces


def _segmented(text: str, code: str) -> list[str]:
    if not text.isascii():
        for space in _WIDE_SPACES:
            text = text.replace(space, " ")
    try:
        return _segmenter()(code, text)
    except UnicodeEncodeError:
        return _segmenter()(code, _SURROGATE.sub("\ufffd", text))


@cache
def _segmenter() -> Callable[[str, str], list[str]]:
    from sentencex import segment  # imported late, since not every command splits sentences

    return segment  # type: ignore[no-any-return]


def _ideographic_ends(text: str) -> Iterator[int]:
    depth = 0
    for sign in _IDEOGRAPHIC.finditer(text):
        if sign["open"]:
            depth += 1
        elif sign["close"]:
            depth = max(0, depth - 1)
        elif not depth:
            yield sign.end()


def _thai_ends(text: str) -> Iterator[int]:
    start = 0
    for space in _THAI_SPACE.finditer(text):
        is_joined = _JOINS_NEXT.match(text, space.end()) or _JOINS_LAST.search(
            text, max(start, space.start() - _LONGEST_JOIN), space.start()
        )
        if not is_joined and space.start() - start >= _SHORTEST_IN_THAI:
            start = space.end()
            yield start


@remembered(entries=128, longest=64)
def _sentencex_code(language: str) -> str:
    """Return the primary language of a tag, as in "pt" of "pt-BR"; English for anything that is not a tag."""
    tag = _PRIMARY_TAG.match(primary(language))
    return tag[0] if tag else "en"
