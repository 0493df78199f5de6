"""HTML as a markup: what linkspot knows of it."""

import re
from html import escape

from linkspot.parsing.html import quick_links
from linkspot.parsing.markup import MarkupKind, NewLink
from linkspot.plugins import deferred

_CHARSET = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_CHARSET_WITHIN = 1024  # bytes, as HTML prescribes


def declared_charset(data: bytes) -> str:
    """Return the charset that a page's meta element names, or nothing."""
    match = _CHARSET.search(data, 0, _CHARSET_WITHIN)
    return match[1].decode("ascii") if match else ""


def write_link(link: NewLink) -> str:
    """Return an anchor around the words."""
    title = f' title="{escape(link.title)}"' if link.title else ""
    return f'<a href="{escape(link.address)}"{title}>{link.words}</a>'


HTML = MarkupKind(
    endings=(".html", ".htm", ".xhtml"),
    parse=deferred("linkspot.parsing.html.page:parse"),
    link_targets=quick_links.link_targets,
    write_link=write_link,
    declared_language=deferred("linkspot.parsing.html.page:declared_language"),
    declared_charset=declared_charset,
    beside="./",
    complete=re.compile(r"<[^<>]*>"),
    remnant=re.compile(r"<a\b|</a\b|\[\[|\]\]", re.IGNORECASE),  # a wiki shows the brackets that it cannot read
    italics=re.compile(r"<(i|em)\b[^<>]*>(?:(?!</\1>).)+</\1>\.?", re.DOTALL),
)
