"""The address of a link: where it leads, as this page writes addresses, and never more than an address."""

import re
from functools import cache
from urllib.parse import quote

from linkspot.errors import UnwritableLink
from linkspot.parsing.markup import MarkupKind
from linkspot.records import Article, Entity, LinkKind

_DOCS_BASE = re.compile(r"/(?:[\w-]+/)?docs/")  # comes before a slug
_USUAL_ENDINGS = (".html", ".htm", ".xhtml", ".md", ".mdx", ".markdown")  # whatever markup the page itself is in
_NOT_IN_NAMES = re.compile(r"[%?#()]")  # of a file or page, which an address would take for signs of its own
_NOT_IN_ADDRESSES = re.compile('[\\s\x00-\x1f\x7f-\x9f"<>\\\\^`{|}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]')
_SCHEME = re.compile(r"([^/?#]*?):")
_WEB = frozenset({"http", "https"})
_DOTS = re.compile(r"(?:^|/)\.{1,2}(?:/|$)")


def link_address(article: Article, entity: Entity, kind: MarkupKind) -> str:
    """Return the entity's own address, else one like the addresses of the page's other links.

    It is relative, or leads to the web; it is percent-encoded so far that it can end in no markup.
    """
    if entity.url:
        return _checked(encoded(entity.url), entity)
    targets = [link.target for section in article.sections for link in section.links if link.kind is LinkKind.PAGE]
    bases = [base[0] for target in targets if (base := _DOCS_BASE.match(target))]
    if entity.id and bases:
        return encoded(max(bases, key=len) + entity.id)  # with the locale, if some link has it
    if entity.id.startswith("/"):
        return encoded("/" + entity.id.lstrip("/"))  # a slug that is an address already; two slashes would name a host
    endings = (_ending(kind).search(target) for target in targets)
    name = entity.title or entity.names[0]
    if _DOTS.search(name):
        raise UnwritableLink(f"“{name}” cannot be linked: an address with . or .. between slashes leads elsewhere")
    address = path_address(name.replace(" ", "_") + next((ending[0] for ending in endings if ending), ""))
    is_ambiguous = address.startswith("/") or _SCHEME.match(address)  # a host, or a scheme as in javascript:
    return ("./" if is_ambiguous else kind.beside) + address


def path_address(path: str) -> str:
    """Return the address of the file or page with this name or path."""
    return encoded(_NOT_IN_NAMES.sub(_escape, path))


def encoded(address: str) -> str:
    """Return the address with percent-escapes for what no address holds; escapes that it has stay."""
    try:
        address.encode()
    except UnicodeEncodeError as error:
        raise UnwritableLink(f"{address!r} cannot be linked: it has a broken character, half of a pair") from error
    return _NOT_IN_ADDRESSES.sub(_escape, address.strip())


def _checked(address: str, entity: Entity) -> str:
    scheme = _SCHEME.match(address)
    if scheme and scheme[1].lower() not in _WEB:
        raise UnwritableLink(
            f"“{entity.names[0]}” cannot be linked: its address begins with “{scheme[0]}”, and a link leads to http:, "
            "https: or a relative address"
        )
    return address


def _escape(sign: re.Match[str]) -> str:
    return quote(sign[0], safe="")


@cache
def _ending(kind: MarkupKind) -> re.Pattern[str]:
    """Return what the file in an address ends in."""
    endings = "|".join(map(re.escape, (*kind.endings, *_USUAL_ENDINGS)))
    return re.compile(rf"(?:{endings})(?=$|[?#])", re.IGNORECASE)
