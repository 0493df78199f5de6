"""Addresses of a wiki's pages, and where the API of that wiki may be."""

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from linkspot.errors import UnusableInput, without_password

_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_HOST = re.compile(r"[\w.-]+(:\d+)?")
_IN_WIKI = re.compile(r"(?:/[a-z]{2,3}(?:-[a-z]+)*)?/wiki/(?P<title>.+)", re.IGNORECASE)
_SCRIPT, _API = "/index.php", "/api.php"
_USUAL_APIS = (f"/w{_API}", _API)


@dataclass(frozen=True, slots=True)
class PageAddress:
    """A page of a wiki: its title, and the addresses at which the wiki's API may be, the likeliest first."""

    title: str
    apis: tuple[str, ...]

    @classmethod
    def of(cls, address: str) -> "PageAddress":
        """Read an address such as https://sw.wikipedia.org/wiki/Dhow or …/w/index.php?title=Dhow."""
        parts = _split(address)
        folder, script, rest = parts.path.partition(_SCRIPT)
        if script:
            in_query = parse_qs(parts.query).get("title", [])  # unquoted already
            titles = [unquote(rest.removeprefix("/"))] if rest.strip("/") else in_query
            apis: tuple[str, ...] = (f"{folder}{_API}",)
        else:
            in_wiki = _IN_WIKI.fullmatch(parts.path)
            titles, apis = [unquote(in_wiki["title"])] if in_wiki else [], _USUAL_APIS
        title = " ".join(titles[0].replace("_", " ").split()) if titles else ""
        if not title:
            raise UnusableInput(
                f"{without_password(address)} is not the address of a wiki's page; expected one like "
                "https://sw.wikipedia.org/wiki/Dhow"
            )
        return cls(title, tuple(f"{parts.scheme}://{parts.netloc}{api}" for api in apis))


def is_address(text: str) -> bool:
    """Return whether a text is an address in the web, not a path."""
    return _SCHEME.match(text) is not None


def apis_of_wiki(wiki: str) -> tuple[str, ...]:
    """Return the addresses at which the API of a wiki may be; a wiki is named by its host or its API."""
    if not is_address(wiki):
        if not _HOST.fullmatch(wiki):
            raise UnusableInput(f"{wiki!r} is not a wiki; name its host, such as sw.wikipedia.org, or its api.php")
        wiki = f"https://{wiki}"
    parts = _split(wiki)
    base, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    if path.endswith(_API):
        return (base + path,)
    return tuple(base + path + api for api in _USUAL_APIS)


def host_of(address: str) -> str:
    """Return the host of an address, with its port."""
    return _split(address).netloc.rpartition("@")[2].lower()


def _split(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        is_complete = bool(parts.hostname) and parts.port != 0
    except ValueError:  # of a port that is not a number, or half an IPv6 address
        is_complete = False
    if not is_complete or not address.isprintable() or " " in address:
        raise UnusableInput(
            f"{without_password(address)!r} is not an address; expected one like https://sw.wikipedia.org"
        )
    return parts
