"""The targets that a page of Markdown names, found without parsing it."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from markdown_it import MarkdownIt

from linkspot.parsing.markdown.dialects import mdn, templates
from linkspot.parsing.markdown.tags import read_tag
from linkspot.records import Page

_DESTINATION = re.compile(r"\](?:\(\s*|:[ \t]*(?:\n[ \t>]*)?)(?=([^\s<>()\\&{}\x00-\x1f\x7f]+)[\s)]|\S)")
_DOUBLE_BRACKETS = re.compile(r"\[\[([^\[\]|\n]+)")
_ANCHOR_TAG = re.compile(r"<a\s[^>]*>", re.IGNORECASE)
_MACRO = re.compile(r"\{\{(?=\s*[A-Za-z][\w-]*\s*\()(?:[^{}]*\}\})?")
_LONGEST_MACRO = 2_000  # characters
_INDENTATION = re.compile(r"(?<=\n)[ \t]*")


def link_targets(page: Page) -> Iterator[str]:
    """Yield the targets of all links, tags and macros, also in tables and code.

    A target that references share is counted where it is defined.
    """
    text = page.text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    yield from (target.strip() for target in _DOUBLE_BRACKETS.findall(text))
    for match in _DESTINATION.finditer(text):
        target = match[1] or _destination_at(text, match.end())
        if target:
            yield target
    if "<a" in text or "<A" in text:
        yield from (target for tag in _ANCHOR_TAG.findall(text) if (target := read_tag(tag).target))
    for match in _MACRO.finditer(text):
        is_whole = len(match.group()) > len("{{")
        macro = match.group() if is_whole else text[match.start() : match.start() + _LONGEST_MACRO]
        yield from filter(None, {_macro_target(spelling) for spelling in _spellings(macro)})


def _spellings(macro: str) -> set[str]:
    """Return how the macro may be read: the lines of a list item lose some of their indentation before."""
    if "\n" not in macro:
        return {macro}
    deepest = max(map(len, _INDENTATION.findall(macro)))
    return {re.sub(rf"(?<=\n)[ \t]{{0,{depth}}}", "", macro) for depth in range(deepest + 1)}


def _destination_at(text: str, position: int) -> str:
    return str(_link_reader().helpers.parseLinkDestination(text, position, len(text)).str)


@lru_cache(maxsize=1 << 14)
def _macro_target(markup: str) -> str:
    """Return where the macro at the beginning of the markup leads, by the parser's own rule."""
    for token in _link_reader().parseInline(markup)[0].children or ():
        if token.type != "text":
            return str(token.attrs.get("href", ""))
    return ""


@cache
def _link_reader() -> MarkdownIt:
    """Return a reader of nothing but macros and destinations, as the dialects have them."""
    reader = MarkdownIt("zero")
    mdn.add(reader)
    templates.add(reader)
    return reader
