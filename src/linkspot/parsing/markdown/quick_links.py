"""The targets that a page of Markdown names, found without parsing it."""

import re
from collections.abc import Iterator
from functools import cache, partial

from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll

from linkspot.parsing.markdown.dialects import mdn, templates
from linkspot.parsing.markdown.tags import read_tag
from linkspot.records import Page

# Only these blanks separate; any other white space is part of a destination. It has a greatest length, so that no page
# makes this read on to its end again and again.
_LONGEST_DESTINATION = 1_000  # characters
_PLAIN = r"[^<>()\\&{}\x00-\x20\x7f]"
_DESTINATION = re.compile(
    r"\](?:\([ \t\n]*+|:[ \t]*+(?:\n[ \t>]*+)?+)"
    rf"(?=({_PLAIN}{{1,{_LONGEST_DESTINATION}}}+)[ \t\n)]|(?!{_PLAIN}{{{_LONGEST_DESTINATION}}})[^ \t\n])"
)
_BARE = r"\\(?:[^\x00-\x20\x7f]|(?=[\x00-\x1f\x7f]))|[^\\()\x00-\x20\x7f]"  # a backslash escapes no blank
_BARE_DESTINATION = re.compile(rf"(?:{_BARE}|\((?:{_BARE})*+\))*+")
_BEHIND_DESTINATION = frozenset(map(chr, range(0x21))) | {")", "\x7f"}
_DOUBLE_BRACKETS = re.compile(r"\[\[([^\[\]|\n]+)")
_ANCHOR_TAG = re.compile(r"<[aA](?=(\s[^>]{0,2000}+>))")  # one may begin inside of what is no tag
_MACRO = re.compile(r"\{\{(?=\s*[A-Za-z][\w-]*\s*\()(?:[^{}\"']*(?:\"[^{}\"]*\"[^{}\"']*)*\}\})?")
_LONGEST_MACRO = 2_000  # characters
_DEEPEST_INDENTATION = 128  # columns
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
        yield from (target for rest in _ANCHOR_TAG.findall(text) if (target := read_tag(f"<a{rest}").target))
    for match in _MACRO.finditer(text):
        is_whole = len(match.group()) > len("{{")
        macro = match.group() if is_whole else text[match.start() : match.start() + _LONGEST_MACRO]
        yield from filter(None, {mdn.macro_target(spelling) for spelling in _spellings(macro)})


def _spellings(macro: str) -> set[str]:
    """Return how the macro may be read: the lines of a list item lose some of their indentation before."""
    if "\n" not in macro:
        return {macro}
    deepest = min(max(len(blanks.expandtabs(4)) for blanks in _INDENTATION.findall(macro)), _DEEPEST_INDENTATION)
    return {_INDENTATION.sub(partial(_outdented, depth), macro) for depth in range(deepest + 1)}


def _outdented(depth: int, indentation: re.Match[str]) -> str:
    """Return an indentation without its first columns; a tab that is cut leaves blanks."""
    blanks, column = indentation.group(), 0
    for index, blank in enumerate(blanks):
        if column >= depth:
            return " " * (column - depth) + blanks[index:]
        column += 4 - column % 4 if blank == "\t" else 1
    return " " * (column - depth)


def _destination_at(text: str, position: int) -> str:
    """Return the destination by the library's rule, which is tried only where the pattern for most of them fails."""
    end = min(len(text), position + _LONGEST_DESTINATION)
    if not text.startswith(("<", "{{", "{%"), position):
        bare = _BARE_DESTINATION.match(text, position, end)
        if bare and bare.end() == position + _LONGEST_DESTINATION:
            return ""
        if bare and (bare.end() == len(text) or text[bare.end()] in _BEHIND_DESTINATION):
            return unescapeAll(bare.group())
    return str(_link_reader().helpers.parseLinkDestination(text, position, end).str)


@cache
def _link_reader() -> MarkdownIt:
    """Return a reader of nothing but destinations, as the dialects have them."""
    reader = MarkdownIt("zero")
    templates.add(reader)
    return reader
