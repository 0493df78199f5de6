"""Markdown as a markup: what linkspot knows of it."""

import re

from linkspot.parsing.markup import MarkupKind, NewLink
from linkspot.plugins import deferred


def write_link(link: NewLink) -> str:
    """Return an inline link around the words."""
    return f"[{link.words}]({link.address})"


MARKDOWN = MarkupKind(
    endings=(".md", ".mdx", ".markdown"),
    parse=deferred("linkspot.parsing.markdown.page:parse"),
    link_targets=deferred("linkspot.parsing.markdown.quick_links:link_targets"),
    write_link=write_link,
    declared_language=deferred("linkspot.parsing.markdown.dialects.front_matter:declared_language"),
    declared_title=deferred("linkspot.parsing.markdown.dialects.front_matter:declared_title"),
    not_in_link="[]|\n",
    risky_beside_link="[]{}|!\\*_~`'<>",  # ![x](y), **[x](y)
    complete=re.compile(r"`[^`]*`|\[[^\[\]]*\]\((?:\\.|[^()\\]|\([^()]*\))*\)|\{\{[^{}]*\}\}|\[\[[^\[\]]*\]\]"),
    remnant=re.compile(r"\]\(|\{\{|\}\}|\[\[|\]\]"),
)
