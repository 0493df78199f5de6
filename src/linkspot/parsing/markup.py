"""Markups: what linkspot knows of each language that pages are written in, and the table of their names."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import NamedTuple

from linkspot.errors import UnknownMarkup
from linkspot.plugins import plug_ins, resolved
from linkspot.records import Article, Markup, Page

GROUP = "linkspot.markups"  # of the entry points by which other packages add markups

# Names of records, so that importing the table imports no parser; entry points add to them.
MARKUPS: dict[str, str] = {
    Markup.HTML: "linkspot.parsing.html.markup:HTML",
    Markup.WIKITEXT: "linkspot.parsing.wikitext.markup:WIKITEXT",
    Markup.MARKDOWN: "linkspot.parsing.markdown.markup:MARKDOWN",
}

_NEVER: re.Pattern[str] = re.compile(r"(?!)")


class NewLink(NamedTuple):
    """A link to write: its words, which are markup already, and the page that it leads to.

    `address` is for markups whose links hold addresses. It is relative or begins with http: or https:, and has no white
    space, control character, quotation mark, backslash, backquote, angle bracket or brace. `title` comes from
    strangers and may hold anything. `says_title` is for markups whose links hold titles, and is true where the words
    are the title, however they spell it. `form` is one of the markup's own ways to write a link, if not the usual one.
    `is_new` is true where the words do not stand in the page yet, so that they may look as the form shows them.
    """

    words: str
    title: str
    language: str
    address: str = ""
    says_title: bool = False
    form: str = ""
    is_new: bool = False


def _nothing(_: object) -> str:
    return ""


def _none(_: object) -> tuple[str, ...]:
    return ()


def _no_forms(_markup: str, _target: str) -> tuple[str, ...]:
    return ()


def _as_it_is(text: str) -> str:
    return text


def _ends(_following: str, _language: str) -> bool:
    return False


def _no_redirect(_: str) -> None:
    return None


def _never(_: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkupKind:
    """All that linkspot knows of one markup. Only what it must have has no default.

    The functions `declared_…` return nothing where a page does not say it. Functions whose modules import a library are
    given by `linkspot.plugins.deferred`, so that reading one markup never imports another's libraries.
    """

    endings: tuple[str, ...]  # of its files: ".html"
    parse: Callable[[Page], Article]
    #: Yields every target that the page's markup names, as `parse` would spell it, without parsing the page.
    link_targets: Callable[[Page], Iterable[str]]
    #: Returns the markup of the link, or raises UnwritableLink with a sentence that says why this markup has none for
    #: it. Whatever the title is, the markup must be this one link: an answer reads it again, and refuses anything else.
    write_link: Callable[[NewLink], str]
    #: Returns markup that shows a line of plain text as it is. Without it, only words that need no escape are linked.
    write_text: Callable[[str], str] = _as_it_is

    #: Returns in which form the markup of a link is written, if not in the usual one: "wiki", or the name of a macro.
    link_form: Callable[[str], str] = _nothing
    #: Returns the forms that can link this address only, such as macros for parts of one site.
    special_forms: Callable[[str], Iterable[str]] = _none
    #: Returns the special forms that could show a link, given by its markup and its target, as its usual form does.
    forms_instead: Callable[[str, str], Iterable[str]] = _no_forms

    declared_language: Callable[[str], str] = _nothing
    declared_title: Callable[[str], str] = _nothing  # only where it is much faster to find than by parsing
    declared_charset: Callable[[bytes], str] = _nothing
    redirect_target: Callable[[str], str | None] = _no_redirect  # None for an ordinary page
    names_redirect: Callable[[str], bool] = _never  # whether a link could make the page a redirect

    links_hold_titles: bool = False  # as in wikis; else they hold addresses
    title_is_file_name: bool = False  # because the page's text does not say it
    beside: str = ""  # what the address of a page in the same folder begins with

    #: Returns whether the text behind a link would become part of its words, in a language.
    continues_link: Callable[[str, str], bool] = _ends
    not_in_link: str = ""  # characters that the words of a link cannot hold
    risky_beside_link: str = ""  # characters beside which a link may come to mean something else

    complete: re.Pattern[str] = _NEVER  # a complete link, template or piece of code; of nested ones the innermost
    remnant: re.Pattern[str] = _NEVER  # what is left of a broken link or template
    italics: re.Pattern[str] = _NEVER  # a sentence in italics, where that makes it a note and not prose


@cache
def markup_kind(name: str) -> MarkupKind:
    """Return what linkspot knows of the markup with this name."""
    if name not in MARKUPS and name not in plug_ins(GROUP):
        raise UnknownMarkup(f"no markup is called {name!r}; there are: {', '.join(markup_names())}")
    kind: MarkupKind = resolved(MARKUPS[name]) if name in MARKUPS else plug_ins(GROUP)[name].load()
    return kind


def markup_names() -> list[str]:
    """Return the names of all markups, first those that come with linkspot."""
    return list(dict.fromkeys((*MARKUPS, *plug_ins(GROUP))))


@cache
def endings() -> dict[str, str]:
    """Return the endings of files that are pages, each with the name of its markup."""
    return _endings_of(markup_names())


def markup_of(file_name: str) -> str:
    """Return the name of the markup that a file's name stands for."""
    suffix = PurePath(file_name).suffix.lower()
    # Looking for plug-ins takes a while, and most pages need none.
    markup = _endings_of(MARKUPS).get(suffix) or endings().get(suffix)
    if markup is None:
        raise UnknownMarkup(
            f"{file_name} does not end in {', '.join(endings())}; name its markup: {', '.join(markup_names())}"
        )
    return markup


def _endings_of(names: Iterable[str]) -> dict[str, str]:
    known: dict[str, str] = {}
    for name in names:
        for ending in markup_kind(name).endings:
            known.setdefault(ending, name)
    return known
