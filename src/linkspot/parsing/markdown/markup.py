"""Markdown as a markup: what linkspot knows of it."""

import re
from urllib.parse import quote, unquote

from linkspot.parsing.markup import MarkupKind, NewLink
from linkspot.plugins import deferred

_DEEPEST_BRACKETS = 3  # in an address; CommonMark asks readers for no more than these
_SIGNS = re.compile(r"[\\`*\[\]{}<>|~$^]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|:(?=//)")
_REFERENCE = re.compile(r"&(?=#?\w+;)")
_BRACKET = re.compile(r"[()]")


def write_link(link: NewLink) -> str:
    """Return a link around the words: in the form that is asked for if that can show them, else an inline link."""
    in_form = _in_form(link) if link.form else ""
    if in_form:
        return in_form
    address = _REFERENCE.sub("&amp;", link.address)
    if not _has_pairs_of_brackets(address):
        address = _BRACKET.sub(lambda bracket: quote(bracket[0], safe=""), address)
    return f"[{link.words}]({address})"


def _in_form(link: NewLink) -> str:
    from linkspot.parsing.markdown.dialects import link_forms  # imports the parser's library

    if link.form == link_forms.WIKI:
        return link_forms.wiki_link(unquote(link.address), link.words)
    # A new name of one word may be code, as an interface's is; one of several words is prose: HTML DOM API.
    is_code = link.is_new and link_forms.shows_code(link.form) and not re.search(r"\s", link.words)
    return link_forms.macro_link(link.form, link.address, f"`{link.words}`" if is_code else link.words)


def write_text(text: str) -> str:
    """Return the text with a backslash before each sign that Markdown, or one of its dialects, would read."""
    return _SIGNS.sub(r"\\\g<0>", text)


def _has_pairs_of_brackets(address: str) -> bool:
    depth = 0
    for bracket in _BRACKET.findall(address):
        depth += 1 if bracket == "(" else -1
        if not 0 <= depth <= _DEEPEST_BRACKETS:
            return False
    return not depth


MARKDOWN = MarkupKind(
    endings=(".md", ".mdx", ".markdown"),
    parse=deferred("linkspot.parsing.markdown.page:parse"),
    link_targets=deferred("linkspot.parsing.markdown.quick_links:link_targets"),
    write_link=write_link,
    write_text=write_text,
    link_form=deferred("linkspot.parsing.markdown.dialects.link_forms:link_form"),
    special_forms=deferred("linkspot.parsing.markdown.dialects.link_forms:macros_for"),
    forms_instead=deferred("linkspot.parsing.markdown.dialects.link_forms:macros_instead"),
    declared_language=deferred("linkspot.parsing.markdown.dialects.front_matter:declared_language"),
    declared_title=deferred("linkspot.parsing.markdown.dialects.front_matter:declared_title"),
    not_in_link="[]|\n",
    risky_beside_link="[]{}|!\\*_~`'<>^$:/",  # ![x](y), **[x](y), ^[x](y), http://[x](y)
    complete=re.compile(r"`[^`]*`|\[[^\[\]]*\]\((?:\\.|[^()\\]|\([^()]*\))*\)|\{\{[^{}]*\}\}|\[\[[^\[\]]*\]\]"),
    remnant=re.compile(r"\]\(|\{\{|\}\}|\[\[|\]\]"),
)
