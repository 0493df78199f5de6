"""Wikitext as a markup: what linkspot knows of it."""

import re

from linkspot.parsing.markup import MarkupKind, NewLink
from linkspot.parsing.namespaces import stands_in_text
from linkspot.parsing.wikitext.redirects import redirect_target
from linkspot.plugins import deferred


def write_link(link: NewLink) -> str:
    """Return a link around the words, which names the title only where they do not."""
    if link.says_title:
        return f"[[{link.words}]]"
    title = (link.title or link.words).replace("_", " ")
    colon = "" if stands_in_text(title, link.language) else ":"
    return f"[[{colon}{title}|{link.words}]]"


WIKITEXT = MarkupKind(
    endings=(".wiki", ".wikitext", ".mediawiki"),
    parse=deferred("linkspot.parsing.wikitext.page:parse"),
    link_targets=deferred("linkspot.parsing.wikitext.quick_links:link_targets"),
    write_link=write_link,
    redirect_target=redirect_target,
    links_hold_titles=True,
    title_is_file_name=True,
    not_in_link="[]|\n",
    risky_beside_link="[]{}|!\\*_~`'<>",  # [[[x]]]
    complete=re.compile(r"(?<!\[)\[\[(?!https?://)[^\[\]]*\]\]|\{\{[^{}]*\}\}|(?<!\[)\[(?:https?:)?//[^\[\]]*\]"),
    remnant=re.compile(r"\[\[|\]\]|\{\{|\}\}|\(\(|\)\)|\[[^\[\]\n|:]+[|:][^\[\]\n]+\]"),  # also [Page|words], ((Page))
    italics=re.compile(r"''(?!')(?:(?!(?<!')''(?!')).)+''\.?", re.DOTALL),
)
