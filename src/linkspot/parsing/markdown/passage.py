"""A passage: the inline content of one Markdown block, written into the prose token by token."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it.token import Token

from linkspot.parsing.markdown.lines import PagePositions
from linkspot.parsing.markdown.tags import read_tag, tag_pairs
from linkspot.parsing.prose import Mark, Prose
from linkspot.records import LinkKind
from linkspot.source_map import Span

_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
_AUTOLINK_LENGTH = 3  # tokens: the opening, the address, the closing


def link_kind(target: str) -> LinkKind:
    """Return where the target of a Markdown link leads: a scheme or a host leaves the site."""
    return LinkKind.EXTERNAL if _EXTERNAL.match(target) else LinkKind.PAGE


class _TagOpening(NamedTuple):
    """An inline element that is still open: where it began in the prose and in the content, and where it leads."""

    mark: Mark
    start: int
    inner_start: int
    target: str
    is_anchor: bool = True


class Passage:
    """Writes the tokens of one block's content; `positions` says where it is in the page."""

    def __init__(self, prose: Prose, content: str, positions: PagePositions) -> None:
        self._prose = prose
        self._content = content
        self._in_page = positions
        self._open: list[_TagOpening] = []

    def write(self, tokens: Sequence[Token]) -> None:
        """Write the text, the links and the elements of these tokens, and end the block."""
        pairs = tag_pairs(tokens)
        closing = set(pairs.values())
        unclosed: Mark | None = None  # where an anchor begins that nothing closes
        index = 0
        while index < len(tokens):
            token = tokens[index]
            last = index
            if token.info == "auto":
                last += _AUTOLINK_LENGTH - 1
            elif index in pairs and read_tag(token.content).conceals:
                last = pairs[index]
            if last > index:
                self._hide(_range(token)[0], _range(tokens[last])[1])
            elif token.nesting > 0 or index in pairs:
                self._begin(token)
            elif token.nesting < 0 or index in closing:
                self._end(token)
            else:
                unclosed = unclosed or (self._prose.mark() if _opens_anchor(token) else None)
                self._write(token)
            index = last + 1
        if unclosed:
            self._prose.close(unclosed)
        self._prose.end_block()

    def _write(self, token: Token) -> None:
        start, end = _range(token)
        match token.type:
            case "text":
                self._write_text(start, start + len(token.content))
            case "text_special":
                self._prose.write(token.content, self._in_page(start), self._in_page(end))
            case "softbreak" | "hardbreak":
                self._write_blank(start, end)
            case "code_inline":
                self._write_code(token)
            case "macro":
                self._write_macro(token)
            case "html_inline" if read_tag(token.content).name == "br":
                self._prose.end_block()
            case _:
                self._hide(start, end)

    def _write_text(self, start: int, end: int) -> None:
        # A text runs over several lines where elements are nested too deep to be read.
        while start < end:
            stop = self._content.find("\n", start, end)
            stop = end if stop < 0 else stop
            self._prose.write(self._content[start:stop], self._in_page(start), self._in_page(stop))
            if stop < end:
                self._write_blank(stop, stop + 1)
            start = stop + 1

    def _write_blank(self, start: int, end: int) -> None:
        """Write a line break as a blank, even a hard one: it seldom separates sentences and is often an accident."""
        while start and self._content[start - 1] == " ":
            start -= 1
        self._prose.write(" ", self._in_page(start), self._in_page(end))

    def _write_code(self, token: Token) -> None:
        """Write code as one run with its backticks, so that no edit cuts it."""
        mark = self._prose.mark()
        start, end = _range(token)
        self._prose.write(token.content, self._in_page(start), self._in_page(end))
        width = len(token.markup)
        self._prose.element(mark, self._span(start, end), self._span(start + width, end - width))

    def _write_macro(self, token: Token) -> None:
        mark = self._prose.mark()
        start, end = _range(token)
        self._prose.write(token.content, self._in_page(start), self._in_page(end))
        self._note(_TagOpening(mark, start, start + 2, str(token.attrs["href"])), end - 2, end)

    def _begin(self, token: Token) -> None:
        start, end = _range(token)
        if token.type == "strong_open":
            start -= 1  # the first of the two marks
        tag = read_tag(token.content) if token.type == "html_inline" else None
        target = tag.target if tag else str(token.attrs.get("href", ""))
        is_anchor = tag.name == "a" if tag else token.type == "link_open"
        self._open.append(_TagOpening(self._prose.mark(), start, end, target, is_anchor))

    def _end(self, token: Token) -> None:
        start, end = _range(token)
        if token.type == "strong_close":
            end += 1
        self._note(self._open.pop(), start, end)

    def _note(self, opening: _TagOpening, inner_end: int, end: int) -> None:
        outer, inner = self._span(opening.start, end), self._span(opening.inner_start, inner_end)
        if opening.target and not any(around.target for around in self._open):
            self._prose.link(opening.mark, opening.target, link_kind(opening.target), outer, inner)
        else:
            self._prose.element(opening.mark, outer, inner)
        if opening.is_anchor:
            self._prose.close(opening.mark)  # no link goes into an anchor, even if that one leads nowhere

    def _hide(self, start: int, end: int) -> None:
        self._prose.skip(self._in_page(start), self._in_page(end))

    def _span(self, start: int, end: int) -> Span:
        return Span(self._in_page(start), self._in_page(end))


def _opens_anchor(token: Token) -> bool:
    if token.type != "html_inline":
        return False
    tag = read_tag(token.content)
    return tag.name == "a" and not tag.closes


def _range(token: Token) -> tuple[int, int]:
    if token.map is None:
        raise ValueError(f"an inline token of the type {token.type!r} was read without its range")
    return token.map[0], token.map[1]
