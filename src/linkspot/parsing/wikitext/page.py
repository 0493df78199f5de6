"""Wikitext → article: a page's lines make headings, paragraphs and list items, whose text is read one by one."""

import re

from linkspot.parsing.character_references import resolved
from linkspot.parsing.prose import Prose
from linkspot.parsing.wikitext.inline import Inline
from linkspot.parsing.wikitext.mask import COMMENT, HIDDEN, mask
from linkspot.parsing.wikitext.redirects import redirect_target
from linkspot.records import Article, Page

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_BLANK = " \t\r\n\f\v"
_DEEPEST_HEADING = 6
# The rows and arguments of a template or table without an end, which are not prose.
_REMNANTS = ("|", "{|", "{{", "}}")
_RULE = re.compile("-{4,}")
_MARKERS = re.compile(rf"[*#:;]+[ \t{COMMENT}]*")
_TERM = re.compile(r"(?:[^\[\]:<>]|\[\[[^\[\]]*\]\]|:(?=\S))*:(?=\s)")

_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]")
_NOT_IN_TITLES = re.compile(rf"[{HIDDEN}{COMMENT}]+|'{{2,}}|</?[A-Za-z][^<>]*>")


def parse(page: Page) -> Article:
    """Return the article of a page of wikitext; a redirect has no prose."""
    prose = Prose(page)
    if redirect_target(page.text) is None:
        _WikitextReader(page, prose).read()
    return prose.article()


class _WikitextReader:
    """Goes through a page line by line."""

    def __init__(self, page: Page, prose: Prose) -> None:
        self._markup = mask(page.text, page.language)
        self._prose = prose
        self._inline = Inline(prose, page.language)
        self._paragraph: int | None = None  # where the lines begin that are not written yet

    def read(self) -> None:
        """Write the whole page into the prose."""
        for match in _LINE.finditer(self._markup):
            self._line(match.group(), match.start())
        self._end_paragraph(len(self._markup))

    def _line(self, line: str, start: int) -> None:
        bare = line.strip(_BLANK + HIDDEN + COMMENT)
        if not bare:
            if COMMENT not in line or HIDDEN in line:
                self._end_paragraph(start)
            return
        end = start + len(line)
        content = line.lstrip(COMMENT)
        start = end - len(content)
        heading = _heading(content) if content[0] == "=" else None
        if heading is not None:
            self._end_paragraph(start)
            self._prose.heading(*heading)
        elif content[0] in "*#:;":
            self._end_paragraph(start)
            self._list_item(content, start)
        elif content.startswith("----"):
            self._end_paragraph(start)
            self._paragraph = start + _length(_RULE, content)
        elif content[0] == " " or bare.startswith(_REMNANTS):
            self._end_paragraph(start)  # a line that begins with a space is code
        elif self._paragraph is None:
            self._paragraph = start

    def _list_item(self, content: str, start: int) -> None:
        position = _length(_MARKERS, content)
        if ";" in content[:position]:
            term = _length(_TERM, content[position:])
            if term:
                self._block(content[position : position + term - 1], start + position)
                position += term
        self._block(content[position:], start + position)

    def _end_paragraph(self, end: int) -> None:
        if self._paragraph is not None:
            self._block(self._markup[self._paragraph : end], self._paragraph)
            self._paragraph = None

    def _block(self, markup: str, start: int) -> None:
        self._inline.write(markup, start)
        self._prose.end_block()


def _heading(line: str) -> tuple[str, int] | None:
    """Return the title and the level of a heading, None for a line that only begins like one."""
    line = line.rstrip(_BLANK + HIDDEN + COMMENT)
    left = len(line) - len(line.lstrip("="))
    right = len(line) - len(line.rstrip("="))
    if left == len(line):  # nothing but equal signs: the middle ones are the title
        left = right = (len(line) - 1) // 2
    level = min(left, right, _DEEPEST_HEADING)
    return (_plain(line[level:-level]), level) if level else None


def _plain(title: str) -> str:
    return resolved(_NOT_IN_TITLES.sub("", _LINK.sub(r"\1", title)))


def _length(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0
