"""The characters of an HTML page: which of them are text, which are tags, and the position of each.

lexbor builds a perfect tree but does not keep its nodes' positions. So the source is cut into pieces of text and tags,
every piece of text gets a number, and lexbor is given a skeleton in which the numbers stand for the text. What the tree
says about a number then holds for a known range of characters. A mark before each number tells it from digits that the
page itself holds where lexbor finds text and we a tag.
"""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import accumulate, groupby

from linkspot.remembering import remembered

BLOCK_TAGS = frozenset(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre search"
    " section select summary table tbody td tfoot th thead title tr ul".split()
)
_VOID_TAGS = frozenset("area base col embed img input link meta param source track wbr".split())

# HTML's own rules for tags, so that a tag ends here where it ends for lexbor: only these characters are white space,
# and a quotation mark counts only right behind an equals sign.
_BLANK = r"\t\n\f\r "
_VALUE = rf"""=[{_BLANK}]*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^{_BLANK}>"'][^{_BLANK}>]*+)?+"""
_ATTRIBUTE = rf"=?[^{_BLANK}/>=]*+(?:[{_BLANK}]*+{_VALUE})?+"
_ATTRIBUTES = rf"(?:[^>=]*+>|[^{_BLANK}/>]*+(?:[{_BLANK}/]++|(?=[^>]){_ATTRIBUTE})*+(?:>|\Z))"
_RAW_TAGS = frozenset("script style textarea xmp iframe noembed noframes".split())  # tags inside of them do not count
# In a comment inside of a script, <script> and </script> are a pair, so that the script does not end there.
_IN_SCRIPT = rf"script[{_BLANK}/>]"
_INNER_SCRIPT = rf"<{_IN_SCRIPT}(?:[^-<]++|-(?!->)|<(?!/{_IN_SCRIPT}))*+(?:</{_IN_SCRIPT})?+"
_COMMENT = rf"<!--(?:-*+>|(?:[^-<]++|-(?!->)|<(?!/?{_IN_SCRIPT})|{_INNER_SCRIPT})*+(?:-->)?+)"
_CONTENTS = dict.fromkeys(_RAW_TAGS, ".*?") | {"script": rf"(?:[^<]++|<(?!!--|/{_IN_SCRIPT})|{_COMMENT})*+"}
_RAW = "|".join(
    rf"<{name}(?=[{_BLANK}/>]){_ATTRIBUTES}{_CONTENTS[name]}(?:</{name}(?=[{_BLANK}/>]){_ATTRIBUTES}|\Z)"
    for name in sorted(_RAW_TAGS)
)
# An alternative whose end is missing runs to the end of the page, as HTML prescribes: so nothing is tried twice, and
# the time is never quadratic. ASCII, since Python would take "İ" for an "i" in another case.
_TAG = re.compile(
    rf"(<!--(?:-?>|.*?(?:--!?>|\Z))|{_RAW}|</?[a-z]{_ATTRIBUTES}|<[!?/][^>]*+(?:>|\Z))",
    re.ASCII | re.IGNORECASE | re.DOTALL,
)
_NAME = re.compile(rf"</?([a-zA-Z][^{_BLANK}/>]*)")
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
# A mark is a character that no character reference gives: HTML reads these numbers as signs of Windows-1252.
_MARKS = tuple(chr(code) for code in (0x80, *range(0x82, 0x8D), 0x8E, *range(0x91, 0x9D), 0x9E, 0x9F))


class HtmlSource:
    """A page cut into pieces: text at even numbers, tags, comments and scripts at odd ones."""

    def __init__(self, html: str) -> None:
        self.pieces: list[str] = _TAG.split(html)
        self.starts = [0, *accumulate(map(len, self.pieces))]
        self._mark = next((mark for mark in _MARKS if mark not in html), _MARKS[0])
        self._number = re.compile(rf"{self._mark}([0-9]+);")

    def skeleton(self) -> str:
        """Return the page with numbers instead of its text; white space between tags gets no number."""
        mark = self._mark
        tags = ["" if tag_name(piece) in _RAW_TAGS else piece for piece in self.pieces]
        if any(mark in tag for tag in tags[1::2]):  # only where the page holds every mark
            tags = [tag.replace(mark, "\ufffd") for tag in tags]
        tags[::2] = [
            f"{mark}{2 * index};" if text and not text.isspace() else "" for index, text in enumerate(self.pieces[::2])
        ]
        return as_read("".join(tags))

    def numbers_in(self, text: str) -> list[int]:
        """Return the numbers of the pieces that a text of the skeleton stands for."""
        if text[:1] == self._mark and text[1:-1].isdecimal():
            return [int(text[1:-1])]  # nearly always
        return [int(number) for number in self._number.findall(text)]

    def blocks_with(self, numbers: Iterable[int]) -> Iterator[tuple[range, list[int]]]:
        """Yield the pieces of each block that holds some of the numbers, and which; block tags are the borders."""
        borders = [n for n in range(1, len(self.pieces), 2) if tag_name(self.pieces[n]) in BLOCK_TAGS]
        borders.append(len(self.pieces))
        for index, held in groupby(sorted(numbers), partial(bisect, borders)):
            yield range(borders[index - 1] + 1 if index else 0, borders[index]), list(held)


def as_read(html: str) -> str:
    """Return the page with its line ends, and characters that it cannot hold, as a reader of HTML replaces them."""
    if "\r" in html:
        html = html.replace("\r\n", "\n").replace("\r", "\n")
    return html if html.isascii() and "\0" not in html else _UNREADABLE.sub("\ufffd", html)


@remembered(entries=4096, longest=512)  # most tags of a page are the same few
def tag_name(tag: str) -> str:
    """Return the tag's name in lower case, or nothing for a comment."""
    match = _NAME.match(tag)
    return match[1].lower() if match else ""


@remembered(entries=4096, longest=512)
def opens_inline(tag: str) -> bool:
    """Return whether the tag opens an element that has content."""
    return not tag.startswith(("</", "<!", "<?")) and tag_name(tag) not in _VOID_TAGS
