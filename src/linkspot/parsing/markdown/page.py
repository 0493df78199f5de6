"""Markdown → article: paragraphs, list items and definitions are prose; code, tables, quotations and notes are not."""

import re
from collections.abc import Sequence
from functools import lru_cache

from markdown_it.token import Token
from markdown_it.utils import EnvType

from linkspot.parsing.markdown import dialects
from linkspot.parsing.markdown.dialects import front_matter
from linkspot.parsing.markdown.inline import RangedMarkdown
from linkspot.parsing.markdown.lines import Lines
from linkspot.parsing.markdown.passage import Passage
from linkspot.parsing.prose import Prose
from linkspot.records import Article, Page

_DEEPEST_NESTING = 100  # of quotes, lists and inline elements; anything deeper is not read
# A block beyond these is data, not prose; the time to find the ends of brackets is quadratic in their number.
_LONGEST_PASSAGE = 1_000_000  # characters
_MOST_BRACKETS = 1_000
_EXCLUDED = frozenset({"blockquote", "table", "footnote_reference", "admonition_title"})
_EXCLUDED_TAG = re.compile(r"<(/?)(?:aside|blockquote|figure|math|nav|pre|svg|table)\b", re.IGNORECASE)
# The mark of a definition in MDN's lists (`- : `), or of a task (`- [x] `).
_ITEM_MARK = re.compile(r":[ \t]+|\[[ xX]\][ \t]+")
_HEADING_ATTRIBUTES = re.compile(r"(?<!\s)\s*+\{[#.:][^{}]*+\}\s*$")


def parse(page: Page) -> Article:
    """Return the article of a Markdown page."""
    facts = front_matter.read(page.text)
    lines = Lines(page.text, facts.end)
    reader = _Blocks(Prose(page), lines, _parser(dialects.dialects_of(page.text)))
    reader.read()
    return reader.prose.article(facts.title or reader.title, facts.slug)


@lru_cache
def _parser(names: tuple[str, ...]) -> RangedMarkdown:
    md = RangedMarkdown(_DEEPEST_NESTING)
    for name in names:
        dialects.DIALECTS[name](md)
    return md


class _Blocks:
    """Walks the blocks of a page and writes those that are prose."""

    def __init__(self, prose: Prose, lines: Lines, md: RangedMarkdown) -> None:
        self.prose = prose
        self.title = ""
        self._has_heading = False
        self._lines = lines
        self._md = md
        self._env: EnvType = {}
        self._excluding = 0  # blocks around this one that are not prose
        self._excluding_tags = 0

    def read(self) -> None:
        """Read all blocks in their order; inline content is parsed only where it is prose."""
        tokens: list[Token] = []
        self._md.block.parse(self._lines.text, self._md, self._env, tokens)
        for index, token in enumerate(tokens):
            if token.type == "html_block":
                self._count_tags(token.content)
            elif token.type == "inline":
                self._read_content(tokens, index)
            elif token.nesting and token.type.rpartition("_")[0] in _EXCLUDED:
                self._excluding += token.nesting

    def _count_tags(self, markup: str) -> None:
        for tag in _EXCLUDED_TAG.finditer(markup):
            self._excluding_tags = max(self._excluding_tags + (-1 if tag[1] else 1), 0)

    def _read_content(self, tokens: Sequence[Token], index: int) -> None:
        parent = tokens[index - 1]
        if self._excluding or _is_data(tokens[index].content):
            return
        if parent.type == "heading_open":
            self._read_heading(tokens[index].content, int(parent.tag[1:]))
        elif not self._excluding_tags:
            is_item = parent.type == "paragraph_open" and tokens[index - 2].type == "list_item_open"
            self._read_passage(tokens[index], is_item)

    def _read_heading(self, content: str, level: int) -> None:
        self._excluding_tags = 0  # a tag that was never closed hides no more than its section
        tokens = self._md.inline.read(_HEADING_ATTRIBUTES.sub("", content), 0, self._md, self._env)
        title = "".join(" " if token.type == "softbreak" else _shown(token) for token in tokens)
        is_first = not self._has_heading and self.prose.mark().position == 0
        self._has_heading = True
        if is_first and level == 1:
            self.title = " ".join(title.split())
        else:
            self.prose.heading(title, level)

    def _read_passage(self, token: Token, is_item: bool) -> None:
        content = token.content
        positions = self._lines.positions(content, token.map[0] if token.map else 0)
        if positions is None:
            return
        item_mark = _ITEM_MARK.match(content) if is_item else None
        tokens = self._md.inline.read(content, item_mark.end() if item_mark else 0, self._md, self._env)
        Passage(self.prose, content, positions).write(tokens)


def _is_data(content: str) -> bool:
    return len(content) > _LONGEST_PASSAGE or content.count("[") > _MOST_BRACKETS


def _shown(token: Token) -> str:
    """Return the words of a token in a heading; tags, images and notes have none."""
    return token.content if token.type in {"text", "text_special", "code_inline", "macro"} else ""
