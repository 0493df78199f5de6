"""Inline Markdown whose tokens know the range of characters that each was read from."""

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType


class RangedMarkdown(MarkdownIt):
    """CommonMark with tables and strikethrough, inline ranges, and link destinations as they were written."""

    def __init__(self, deepest_nesting: int) -> None:
        super().__init__("commonmark")
        self.inline: RangedInline = RangedInline()
        self.configure("commonmark", {"maxNesting": deepest_nesting})
        self.enable(["table", "strikethrough"])
        # Joining tokens would lose their ranges.
        self.disable("fragments_join")

    def normalizeLink(self, url: str) -> str:  # noqa: N802 (the library's name)
        """Return the destination as it is: percent-encoding is the author's choice."""
        return url


class RangedState(StateInline):
    """The library's state, with the end of the last link's label."""

    label_end = 0


class RangedInline(ParserInline):
    """Sets each inline token's `map`, which the library leaves empty, to its range of the content."""

    def read(self, content: str, start: int, md: MarkdownIt, env: EnvType) -> list[Token]:
        """Return the tokens of content[start:], in order, each with its range."""
        state = RangedState(content, md, env, [])
        state.pos = start
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        if "~~~" in content:
            _put_in_order(state.tokens)
        return state.tokens

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:  # noqa: ARG002
        """Read nothing: rules call this for alternative texts and notes, which are not prose."""
        return tokens

    def tokenize(self, state: StateInline) -> None:
        """Add the tokens of the state's range, as the library does, with their ranges."""
        rules = self.ruler.getRules("")
        end = state.posMax
        deepest: int = state.md.options["maxNesting"]
        pending_start = state.pos
        while state.pos < end:
            start, known, had_pending = state.pos, len(state.tokens), bool(state.pending)
            if not had_pending:
                pending_start = start
            if state.level >= deepest or not any(rule(state, False) for rule in rules):
                state.append_pending(state.src[state.pos])
                state.pos += 1
            elif len(state.tokens) > known:
                new = state.tokens[known:]
                if had_pending and new[0].type == "text":
                    _set_text_range(new[0], pending_start)
                _set_ranges(new, start, state)
        if state.pending:
            _set_text_range(state.pushPending(), pending_start)
        if isinstance(state, RangedState):
            state.label_end = end


def _set_text_range(token: Token, start: int) -> None:
    token.map = [start, start + len(token.content)]


def _set_ranges(tokens: Sequence[Token], start: int, state: StateInline) -> None:
    """Set the ranges of the tokens that one rule has made of src[start:state.pos]; inner ones have theirs already."""
    text_start = start
    for token in tokens:
        if token.map is not None:
            continue
        if token.type == "text":
            _set_text_range(token, text_start)
            text_start += len(token.content)
        elif token.type == "link_open" and token.info != "auto":
            token.map = [start, start + 1]
        elif token.type == "link_close" and token.info != "auto" and isinstance(state, RangedState):
            token.map = [state.label_end, state.pos]
        else:
            token.map = [start, state.pos]


def _put_in_order(tokens: list[Token]) -> None:
    """Undo the swap of ranges where the library moves a lone tilde behind the closing pairs that follow it."""
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        first = index
        while first and token.content == "~" and _start(tokens[first - 1]) > _start(token):
            first -= 1
        position = _start(token)
        for moved in tokens[first : index + 1] if first < index else ():
            width = len(moved.content or moved.markup)
            moved.map = [position, position + width]
            position += width


def _start(token: Token) -> int:
    return token.map[0] if token.map else 0
