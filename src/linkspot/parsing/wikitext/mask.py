"""The mask over wikitext that is not prose: templates, tables, footnotes, files. Every position is kept.

mwparserfromhell tries again at every opening that is never closed, which is quadratic, and gives up 40 levels deep.
One pass with a stack finds what spans lines, as MediaWiki's own preprocessor does; the library then reads paragraphs.
"""

import re
from collections.abc import Iterator, Mapping

from linkspot.parsing.namespaces import Namespace, stands_in_text
from linkspot.remembering import remembered

# Two noncharacters, which occur in no text. A comment differs in that its line does not end a paragraph.
HIDDEN = "\uffff"
COMMENT = "\ufffe"

# The OpenTTD wiki marks translations by [[Translation:en/Manual]] at a page's beginning, which shows nothing; no
# Wikipedia has a namespace of that name, so that knowing it everywhere costs nothing.
EXTRA_NAMESPACES: Mapping[str, Namespace] = {"Translation": Namespace.HIDDEN}

# MediaWiki reads these up to the first closing tag, whatever is inside.
_OPAQUE_TAGS = (
    "ref|references|gallery|math|chem|ce|pre|syntaxhighlight|source|timeline|score|imagemap|hiero|graph|mapframe"
    "|maplink|templatedata|templatestyles|categorytree|inputbox|includeonly|nowiki|h[1-6]"
)
_PREPROCESSED = re.compile(rf"<!--|\{{{{2,}}|\}}{{2,}}|<(?P<tag>{_OPAQUE_TAGS})(?=[\s/>])[^<>]*>", re.IGNORECASE)
_NESTED = re.compile(
    r"(?P<table>^[ \t:]*(?P<braces>\{\|))|(?P<table_end>^[ \t]*\|\}(?!\}))|(?P<link>\[\[)|(?P<link_end>\]\])"
    r"|<(?P<slash>/?)(?P<tag>table|blockquote)(?=[\s/>])[^<>]*>|<nowiki\s*>(?s:.*?)</nowiki\s*>",
    re.IGNORECASE | re.MULTILINE,
)
_PREFIX = re.compile(r"\s*([^\[\]{}|<>\n:]{1,60}):")
_HEADING_LINE = re.compile(r"^=.*=[ \t\r]*$", re.MULTILINE)
_DEEPEST_BRACES = 3  # {{{argument}}}; two make a template

_Region = tuple[int, int]


def mask(text: str, language: str) -> str:
    """Return the text, equally long, with HIDDEN or COMMENT instead of everything that is not prose."""
    text = text.replace("\x00", HIDDEN)  # to mwparserfromhell it is the end of the text
    comments, regions = _Preprocessor(text).regions()
    text = _cover(_cover(text, comments, COMMENT), regions, HIDDEN)
    return _cover(text, list(_nested_regions(text, language)), HIDDEN)


class _Preprocessor:
    """Finds comments, extension tags, templates and arguments, outside of one another."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._comments: list[_Region] = []
        self._regions: list[_Region] = []
        self._braces: list[list[int]] = []  # position and number of those still open
        self._unclosed: set[str] = set()

    def regions(self) -> tuple[list[_Region], list[_Region]]:
        """Return the comments, and all other regions."""
        position = 0
        while match := _PREPROCESSED.search(self._text, position):
            position = self._read(match)
        return self._comments, self._regions

    def _read(self, match: re.Match[str]) -> int:
        """Read one opening or closing, and return where to continue."""
        sign, start, end = match.group(), match.start(), match.end()
        if sign == "<!--":
            closing = self._text.find("-->", end)
            end = closing + len("-->") if closing >= 0 else len(self._text)  # unclosed, it hides the rest of the page
            self._comments.append((start, end))
        elif sign[0] == "{":
            self._braces.append([start, len(sign)])
        elif sign[0] == "}":
            self._close_braces(start, len(sign))
        else:
            return self._read_tag(match["tag"].lower(), start, end)
        return end

    def _close_braces(self, position: int, closing: int) -> None:
        while self._braces and closing > 1:
            opening = self._braces[-1]
            matched = min(opening[1], closing, _DEEPEST_BRACES)
            opening[1] -= matched
            closing -= matched
            position += matched
            self._regions.append((opening[0] + opening[1], position))
            if opening[1] <= 1:
                self._braces.pop()

    def _read_tag(self, tag: str, start: int, end: int) -> int:
        if self._text[end - 2] != "/" and tag not in self._unclosed:
            closing = _closing_tag(tag).search(self._text, end)
            if closing:
                if tag != "nowiki":  # its content is text
                    self._regions.append((start, closing.end()))
                return closing.end()
            self._unclosed.add(tag)
        self._regions.append((start, end))
        return end


@remembered(entries=64, longest=32)
def _closing_tag(tag: str) -> re.Pattern[str]:
    return re.compile(rf"</{tag}\s*>", re.IGNORECASE)


def _nested_regions(text: str, language: str) -> Iterator[_Region]:
    """Yield the tables, quotations, and the links that show no words in the text (files, categories, languages)."""
    opened: dict[str, list[int]] = {"table": [], "{|": [], "blockquote": [], "[[": []}
    for match in _NESTED.finditer(text):
        if match["table"]:
            opened["{|"].append(match.start("braces"))
        elif match["table_end"]:
            yield from _close(opened["{|"], match.end())
        elif match["link"]:
            opened["[["].append(match.start())
        elif match["link_end"]:
            for start, end in _close(opened["[["], match.end()):
                if not _stands_in_text(text, start + len("[["), language):
                    yield start, end
        elif match["slash"]:
            yield from _close(opened[match["tag"].lower()], match.end())
        elif match["tag"]:
            opened[match["tag"].lower()].append(match.start())
    yield from _unclosed_tables(text, opened["{|"])


def _close(opened: list[int], end: int) -> Iterator[_Region]:
    if opened:
        yield opened.pop(), end


def _unclosed_tables(text: str, starts: list[int]) -> Iterator[_Region]:
    """Yield the tables that nothing closes, each as far as the next heading."""
    end = 0
    for start in starts:
        if start >= end:
            heading = _HEADING_LINE.search(text, start)
            end = heading.start() - 1 if heading else len(text)  # so that the heading begins a line
            yield start, end


def _stands_in_text(text: str, start: int, language: str) -> bool:
    prefix = _PREFIX.match(text, start)
    return prefix is None or _prefix_stands_in_text(prefix[1], language)


@remembered(entries=4096, longest=128)
def _prefix_stands_in_text(prefix: str, language: str) -> bool:
    return stands_in_text(f"{prefix}:", language, EXTRA_NAMESPACES)


def _cover(text: str, regions: list[_Region], character: str) -> str:
    pieces = []
    position = 0
    for start, end in sorted(regions):
        if end > position:
            pieces += [text[position:start], character * (end - max(start, position))]
            position = end
    return "".join([*pieces, text[position:]])
