"""Wikitext as a markup: what linkspot knows of it."""

import re

from linkspot.errors import UnwritableLink
from linkspot.parsing.markup import MarkupKind, NewLink
from linkspot.parsing.namespaces import stands_in_text
from linkspot.parsing.wikitext.link_trails import continues_link, trail_at
from linkspot.parsing.wikitext.redirects import names_redirect, redirect_target
from linkspot.parsing.wikitext.title_rules import why_not_a_title
from linkspot.plugins import deferred

_SIGNS = re.compile(
    r"[\[\]{}|<>]|'(?=')|(?<=')'|~(?=~)|(?<=~)~|_(?=_)|(?<=_)_|&(?=#?\w+;)|:(?=//)"
    r"|\b(?:bitcoin|geo|magnet|mailto|matrix|news|sips?|sms|tel|urn|xmpp):",  # with no slashes, they begin a link, too
    re.IGNORECASE,
)


def write_link(link: NewLink) -> str:
    """Return a link around the words, which names the title only where they do not."""
    title = (link.title or link.words).replace("_", " ").strip()
    reason = why_not_a_title(title, link.language)
    if reason:
        raise UnwritableLink(f"“{link.title or link.words}” cannot be linked in wikitext: {reason}")
    if link.says_title and _reads_as_words(link.words, link.language):
        return f"[[{link.words}]]"
    trail = _trail(link, title)
    if trail and _reads_as_words(title, link.language):
        return f"[[{link.words.removesuffix(trail)}]]{trail}"
    is_page = stands_in_text(title, link.language) and not title.startswith("/")  # [[/x]] is a page below this one
    return f"[[{'' if is_page else ':'}{title}|{link.words}]]"


def _trail(link: NewLink, title: str) -> str:
    """Return the end of the words that MediaWiki shows as part of a link to the title that is right before it."""
    stem, rest = link.words[: len(title)], link.words[len(title) :]
    is_title = stem[1:] == title[1:] and stem[:1].lower() == title[:1].lower()
    trail = trail_at(rest, 0, link.language) if rest and is_title else ""
    return trail if trail == rest else ""


def write_text(text: str) -> str:
    """Return the text with character references for what would be markup."""
    return _SIGNS.sub(lambda sign: f"{sign[0][:-1]}&#{ord(sign[0][-1])};", text)


def _reads_as_words(title: str, language: str) -> bool:
    """Return whether [[title]] shows the title as it is, so that it needs no words of its own."""
    return title[:1] not in {":", "/"} and stands_in_text(title, language)


WIKITEXT = MarkupKind(
    endings=(".wiki", ".wikitext", ".mediawiki"),
    parse=deferred("linkspot.parsing.wikitext.page:parse"),
    link_targets=deferred("linkspot.parsing.wikitext.quick_links:link_targets"),
    write_link=write_link,
    write_text=write_text,
    redirect_target=redirect_target,
    names_redirect=names_redirect,
    links_hold_titles=True,
    title_is_file_name=True,
    not_in_link="[]|\n",
    continues_link=continues_link,
    risky_beside_link="[]{}|!\\*_~`'<>=:/",  # [[[x]]], =[[x]]=], mailto:[[x]]
    complete=re.compile(r"(?<!\[)\[\[(?!https?://)[^\[\]]*\]\]|\{\{[^{}]*\}\}|(?<!\[)\[(?:https?:)?//[^\[\]]*\]"),
    remnant=re.compile(r"\[\[|\]\]|\{\{|\}\}|\(\(|\)\)|\[[^\[\]\n|:]+[|:][^\[\]\n]+\]"),  # also [Page|words], ((Page))
    italics=re.compile(r"''(?!')(?:(?!(?<!')''(?!')).)+''\.?", re.DOTALL),
)
