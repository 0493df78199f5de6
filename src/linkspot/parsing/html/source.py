"""The characters of an HTML page: which of them are text, which are tags, and the position of each.

lexbor builds a perfect tree but does not keep its nodes' positions. So the source is cut into pieces of text and tags,
every piece of text gets a number, and lexbor is given a skeleton in which the numbers stand for the text. What the tree
says about a number then holds for a known range of characters.
"""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import accumulate, groupby

BLOCK_TAGS = frozenset(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre search"
    " section select summary table tbody td tfoot th thead title tr ul".split()
)
_VOID_TAGS = frozenset("area base col embed img input link meta param source track wbr".split())

_ATTRIBUTES = r"""(?:[^>=]++|=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))?+)*+(?:>|\Z)"""
_RAW_TAGS = frozenset("script style textarea xmp iframe noembed noframes".split())  # tags inside of them do not count
_RAW = "|".join(
    rf"<{name}(?=[\s/>]){_ATTRIBUTES}.*?(?:</{name}(?=[\s/>])[^>]*+(?:>|\Z)|\Z)" for name in sorted(_RAW_TAGS)
)
# An alternative whose end is missing runs to the end of the page, as HTML prescribes: so nothing is tried twice, and
# the time is never quadratic.
_TAG = re.compile(
    rf"(<!--(?:-?>|.*?(?:--!?>|\Z))|{_RAW}|</?[a-z]{_ATTRIBUTES}|<[!?/][^>]*+(?:>|\Z))", re.IGNORECASE | re.DOTALL
)
_NAME = re.compile(r"</?([a-zA-Z][^\s/>]*)")
_NUMBER = re.compile(r"(\d+);")


class HtmlSource:
    """A page cut into pieces: text at even numbers, tags, comments and scripts at odd ones."""

    def __init__(self, html: str) -> None:
        self.pieces: list[str] = _TAG.split(html)
        self.starts = [0, *accumulate(map(len, self.pieces))]

    def skeleton(self) -> str:
        """Return the page with numbers instead of its text; white space between tags gets no number."""
        skeleton = ["" if tag_name(piece) in _RAW_TAGS else piece for piece in self.pieces]
        skeleton[::2] = [
            f"{2 * index};" if text and not text.isspace() else "" for index, text in enumerate(self.pieces[::2])
        ]
        return "".join(skeleton)

    def blocks_with(self, numbers: Iterable[int]) -> Iterator[tuple[range, list[int]]]:
        """Yield the pieces of each block that holds some of the numbers, and which; block tags are the borders."""
        borders = [n for n in range(1, len(self.pieces), 2) if tag_name(self.pieces[n]) in BLOCK_TAGS]
        borders.append(len(self.pieces))
        for index, held in groupby(sorted(numbers), partial(bisect, borders)):
            yield range(borders[index - 1] + 1 if index else 0, borders[index]), list(held)


def numbers_in(text: str) -> list[int]:
    """Return the numbers of the pieces that a text of the skeleton stands for."""
    if text[:-1].isdecimal():
        return [int(text[:-1])]  # nearly always
    return [int(number) for number in _NUMBER.findall(text)]


@lru_cache(maxsize=4096)  # most tags of a page are the same few
def tag_name(tag: str) -> str:
    """Return the tag's name in lower case, or nothing for a comment."""
    match = _NAME.match(tag)
    return match[1].lower() if match else ""


@lru_cache(maxsize=4096)
def opens_inline(tag: str) -> bool:
    """Return whether the tag opens an element that has content."""
    return not tag.startswith(("</", "<!", "<?")) and tag_name(tag) not in _VOID_TAGS
