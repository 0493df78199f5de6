"""Safe addresses: what strangers name, written so that it is an address and no more."""

import re
from urllib.parse import quote

from linkspot.errors import UnwritableLink
from linkspot.records import Entity

_NOT_IN_NAMES = re.compile(r"[%?#()]")  # of a file or page, which an address would take for signs of its own
_NOT_IN_ADDRESSES = re.compile('[\\s\x00-\x1f\x7f-\x9f"<>\\\\^`{|}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]')
_SCHEME = re.compile(r"([^/?#]*?):")
_WEB = frozenset({"http", "https"})


def guarded(address: str) -> str:
    """Return an address that no reader takes for a host or for a scheme such as javascript:."""
    is_ambiguous = address.startswith("//") or _SCHEME.match(address)
    return f"./{address}" if is_ambiguous else address


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


def checked(address: str, entity: Entity) -> str:
    """Return an address that leads to the web or is relative; refuse any other."""
    scheme = _SCHEME.match(address)
    if scheme and scheme[1].lower() not in _WEB:
        raise UnwritableLink(
            f"“{entity.names[0]}” cannot be linked: its address begins with “{scheme[0]}”, and a link leads to http:, "
            "https: or a relative address"
        )
    return address


def _escape(sign: re.Match[str]) -> str:
    return quote(sign[0], safe="")
