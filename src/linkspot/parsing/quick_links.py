"""A glance at a page: which targets its markup names, at a small part of what parsing costs."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from html import unescape
from html.entities import html5
from typing import TYPE_CHECKING

from linkspot.parsing import language_of
from linkspot.parsing.namespaces import is_interwiki, namespace_of
from linkspot.parsing.wikitext.mask import COMMENT, EXTRA_NAMESPACES, HIDDEN, mask
from linkspot.records import Markup, Page

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_UNUSUAL = rf"\x00{HIDDEN}{COMMENT}"
_WIKI_TITLE = re.compile(rf"\[\[([^\[\]{{}}<>|\n{_UNUSUAL}]+)(?:\||\]\])")
# A comment, a tag or a template inside of a title shows nothing, and may hold a bracket or a bar.
_COVERED_TITLE = re.compile(rf"\[\[(?=[^\[\]{{}}<>|\n{_UNUSUAL}]*(?:<|\{{\{{|[{_UNUSUAL}]))")
_MASKED_TITLE = re.compile(r"\[\[([^\[\]{}<>|\n]+)(?:\||\]\])")
_COVER = re.compile(f"[{HIDDEN}{COMMENT}]+")
_LONGEST_TITLE = 10_000  # characters, with what is hidden in it

# Looking ahead consumes nothing: a destination that is found inside of another attribute hides none behind it.
_HTML_DESTINATION = r"href\s*=\s*(?=\"([^\"]*)|'([^']*)|([^\s\"'>][^\s>]*))"
_USUAL_DESTINATION = re.compile(_HTML_DESTINATION)  # five times as fast
_ANY_DESTINATION = re.compile(_HTML_DESTINATION, re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:#\d+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]*;?)(?P<equals>=?)")

_MARKDOWN_DESTINATION = re.compile(r"\](?:\(\s*|:[ \t]*(?:\n[ \t>]*)?)(?=([^\s<>()\\&{}\x00-\x1f\x7f]+)[\s)]|\S)")
_DOUBLE_BRACKETS = re.compile(r"\[\[([^\[\]|\n]+)")
_ANCHOR_TAG = re.compile(r"<a\s[^>]*>", re.IGNORECASE)
_MACRO = re.compile(r"\{\{(?=\s*[A-Za-z][\w-]*\s*\()(?:[^{}]*\}\})?")
_LONGEST_MACRO = 2_000  # characters
_INDENTATION = re.compile(r"(?<=\n)[ \t]*")


def link_targets(page: Page) -> Counter[str]:
    """Return how often the page's markup names each target, as `parse` would spell it.

    No target of a link to a page that `parse` finds is missed; those in tables, templates and code are named as well. A
    target that Markdown's references share is counted where it is defined.
    """
    return Counter(_FINDERS[page.markup](page))


def _in_wikitext(page: Page) -> Iterator[str]:
    language = language_of(page)
    titles = _WIKI_TITLE.findall(page.text)
    for match in _COVERED_TITLE.finditer(page.text):
        title = _MASKED_TITLE.match(mask(page.text[match.start() : match.start() + _LONGEST_TITLE], language))
        if title:
            titles.append(_COVER.sub("", title[1]))
    for title in titles:
        target = unescape(title).strip()
        if target and (":" not in target or _is_page(target.lstrip(": ").partition(":")[0], language)):
            yield target


@lru_cache(maxsize=4096)
def _is_page(prefix: str, language: str) -> bool:
    title = f"{prefix}:"
    return namespace_of(title, language, EXTRA_NAMESPACES) is None and not is_interwiki(title, language)


def _in_html(page: Page) -> Iterator[str]:
    is_usual = page.text.count("href") == page.text.lower().count("href")
    for match in (_USUAL_DESTINATION if is_usual else _ANY_DESTINATION).finditer(page.text):
        value = next(filter(None, match.groups()), "")
        target = (_REFERENCE.sub(_character, value) if "&" in value else value).strip()
        if target:
            yield target


def _character(reference: re.Match[str]) -> str:
    """Return what a character reference stands for in an attribute; `&copy=1` is none there, it goes on a query."""
    name = reference.group()
    if reference["equals"] or (name[1] != "#" and name[1:] not in html5):
        return name
    return unescape(name)


def _in_markdown(page: Page) -> Iterator[str]:
    text = page.text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    yield from (target.strip() for target in _DOUBLE_BRACKETS.findall(text))
    for match in _MARKDOWN_DESTINATION.finditer(text):
        target = match[1] or _destination_at(text, match.end())
        if target:
            yield target
    if "<a" in text or "<A" in text:
        yield from _in_tags(text)
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


def _in_tags(text: str) -> Iterator[str]:
    from linkspot.parsing.markdown.tags import read_tag

    yield from (target for tag in _ANCHOR_TAG.findall(text) if (target := read_tag(tag).target))


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
def _link_reader() -> "MarkdownIt":
    """Return a reader of nothing but macros and destinations, as the dialects have them."""
    from markdown_it import MarkdownIt

    from linkspot.parsing.markdown.dialects import mdn, templates

    reader = MarkdownIt("zero")
    mdn.add(reader)
    templates.add(reader)
    return reader


_FINDERS: dict[Markup, Callable[[Page], Iterator[str]]] = {
    Markup.WIKITEXT: _in_wikitext,
    Markup.HTML: _in_html,
    Markup.MARKDOWN: _in_markdown,
}
