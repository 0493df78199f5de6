"""HTML as a markup: what linkspot knows of it."""

import re
from html import escape

from linkspot.parsing.html import quick_links
from linkspot.parsing.markup import MarkupKind, NewLink
from linkspot.plugins import deferred
from linkspot.text.display import words_of_one_line

_CHARSET = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_CHARSET_WITHIN = 1024  # bytes, as HTML prescribes


def declared_charset(data: bytes) -> str:
    """Return the charset that a page's meta element names, or nothing."""
    match = _CHARSET.search(data, 0, _CHARSET_WITHIN)
    return match[1].decode("ascii") if match else ""


def write_link(link: NewLink) -> str:
    """Return an anchor around the words."""
    shown = words_of_one_line(link.title)
    title = f' title="{escape(shown)}"' if shown else ""
    return f'<a href="{escape(link.address)}"{title}>{link.words}</a>'


def write_text(text: str) -> str:
    """Return the text with character references for what would be markup."""
    return escape(text, quote=False)


HTML = MarkupKind(
    endings=(".html", ".htm", ".xhtml"),
    parse=deferred("linkspot.parsing.html.page:parse"),
    link_targets=quick_links.link_targets,
    write_link=write_link,
    write_text=write_text,
    declared_language=deferred("linkspot.parsing.html.page:declared_language"),
    declared_charset=declared_charset,
    beside="./",
    complete=re.compile(r"<[^<>]*>"),
    remnant=re.compile(r"<a\b|</a\b|\[\[|\]\]", re.IGNORECASE),  # a wiki shows the brackets that it cannot read
    italics=re.compile(r"<(i|em)\b[^<>]*>(?:(?!</\1>).)+</\1>\.?", re.DOTALL),
)
