"""Titles: the one normaliser, from any spelling of a link's target to the title of the page that it leads to."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import unquote_to_bytes

from linkspot.parsing.namespaces import Namespace, clean_title, split_namespace, wikipedia_code
from linkspot.parsing.page_endings import page_ending, page_ending_in_address
from linkspot.records import Entity
from linkspot.remembering import remembered

_LONGEST = 4096  # characters read of a title; MediaWiki allows 255 bytes, each five characters long if escaped twice
_ESCAPED_ESCAPE = re.compile(r"%(?:25)+(?=[0-9A-Fa-f]{2})")
_UNDECODABLE = re.compile("[\udc80-\udcff]")  # how Python's "surrogateescape" shows a byte that is not UTF-8

_BEGINS_AN_ADDRESS = re.compile(r"https?://|\.{0,2}/", re.IGNORECASE)
_HOST = re.compile(r"(?:https?:)?//(?P<name>[^/?#]*)", re.IGNORECASE)
_TITLE_IN_QUERY = re.compile(r"(?:^|&)title=([^&]*)")
_WIKI_BASE = re.compile(r"/(?:(?:[a-z]{2,3}(?:-[a-z]+)*/)?wiki|(?:w/)?index\.php)/", re.IGNORECASE)
_DOCS_BASE = re.compile(r"/(?:[a-z]{2,3}(?:-[a-z]+)*/)?docs/", re.IGNORECASE)
_INDEX_FILES = frozenset({"index", "readme"})  # Hugo's _index too, since an underscore is a space

_NUMBER_ID = re.compile(r"[QPL]?\d+")  # of a page, or in Wikidata; no link is written with it
_DOTTED_I = frozenset({"tr", "az", "kaa"})


@dataclass(frozen=True, slots=True)
class Title:
    """A page's canonical title: its namespace by its English name, "" for an article; the fragment names a section."""

    text: str
    namespace: str = ""
    fragment: str = ""

    def __str__(self) -> str:
        page = f"{self.namespace}:{self.text}" if self.namespace else self.text
        return f"{page}#{self.fragment}" if self.fragment else page

    @property
    def page(self) -> "Title":
        """The same title without its fragment."""
        return replace(self, fragment="") if self.fragment else self

    @property
    def is_foreign(self) -> bool:
        """Whether it is an address on another site, not a title of this one."""
        return self.text.startswith("//")


@dataclass(frozen=True, slots=True)
class TitleRules:
    """How one wiki, or one folder of pages, spells the titles in its links.

    `site` is its host (by default its language's Wikipedia). `link_base` comes before the title in its absolute paths
    (by default /wiki/, /docs/ and the like). `namespaces` are its own, in addition to those of its language.
    """

    language: str
    capitalise_first: bool = True
    site: str = ""
    link_base: str = ""
    namespaces: Mapping[str, Namespace] = field(default_factory=dict, hash=False)

    def normalise(self, raw: str) -> Title:
        """Return the title that a link's target, or a title as people write it, stands for; it never fails."""
        spelling, title = "", Title("")
        # An escape may hide an address, an address a namespace. Each round undoes one, until nothing changes any more.
        following = raw[:_LONGEST]
        while following != spelling:
            spelling = following
            title = self._read(spelling)
            following = str(title)[:_LONGEST]
        return title

    def leads_to(self, link_target: str, entity: Entity) -> bool:
        """Return whether a link with this target leads to the entity, by its title, its id (a slug) or its url.

        A relative path leads to every page whose own path ends like it, since the page with the link is not known here.
        """
        target = self.normalise(link_target)
        destination = _destination(entity.title, entity.url, entity.id[:_LONGEST], self)
        if not target.text or destination.fragment not in {"", target.fragment}:
            return False
        if target.is_foreign:
            return target.page in destination.pages
        path = self._path(link_target)
        in_folders = [other for other in destination.paths if len(other.names) > 1]
        if path.is_file and len(path.names) > 1 and in_folders:
            return any(path.ends_like(other) for other in in_folders)  # css/window.md is not api/window.md
        return target.page in destination.pages or any(path.reaches(other) for other in destination.paths)

    def _read(self, spelling: str) -> Title:
        text = clean_title(spelling)
        if _is_address(text):
            if self._is_foreign(text):
                return _foreign_title(text)
            text = self._title_in_address(text)
        text, _, fragment = clean_title(_percent_decoded(text)).partition("#")
        _, namespace, text = split_namespace(text, self.language, self.namespaces)
        text = text.lstrip(": ").rstrip("/ ")
        return Title(self._capitalised(text) if self.capitalise_first else text, namespace, fragment.strip(" "))

    def _is_foreign(self, address: str) -> bool:
        host = _HOST.match(address)
        if not host:
            return False
        codes = (self.language.lower(), self._base_language, wikipedia_code(self.language))
        wikipedias = {f"{code}{mobile}.wikipedia.org" for code in codes for mobile in ("", ".m")}
        return host["name"].lower() not in ({self.site.lower()} if self.site else wikipedias)

    @property
    def _base_language(self) -> str:
        return self.language.replace("_", "-").partition("-")[0].lower()

    def _title_in_address(self, address: str) -> str:
        head, hash_sign, fragment = address.partition("#")
        path, _, query = head.partition("?")
        in_query = _TITLE_IN_QUERY.search(query) if path.endswith("index.php") else None
        if in_query:
            return in_query[1].replace("+", " ") + hash_sign + fragment
        names, is_file = self._names_in(path)
        return (names[-1] if is_file else "/".join(names)) + hash_sign + fragment

    def _names_in(self, path: str) -> tuple[list[str], bool]:
        """Return the folders and the page in a path, still escaped, and whether a file's ending was cut off."""
        path = _HOST.sub("", path, count=1)
        base = _WIKI_BASE.match(path) or _DOCS_BASE.match(path)
        path = path.removeprefix(clean_title(self.link_base) or (base[0] if base else ""))
        ending = page_ending(path)
        is_file = ending is not None
        path = path[: ending.start()] if ending else path
        names = [name for name in path.split("/") if name.strip(": ") not in {"", ".", ".."}]
        if is_file and len(names) > 1 and names[-1].strip(" ").lower() in _INDEX_FILES:
            names.pop()
        return names or [""], is_file

    def _path(self, spelling: str) -> "_Path":
        address = clean_title(spelling[:_LONGEST]).partition("#")[0]
        if _is_address(address):
            address = address.partition("?")[0]
        names, is_file = self._names_in(address)
        cleaned = tuple(clean_title(_percent_decoded(name)) for name in names)
        return _Path(cleaned, is_file, is_relative=is_file or address.startswith("."))

    def _capitalised(self, text: str) -> str:
        first = text[:1]
        if first == "i" and self._base_language in _DOTTED_I:
            return "İ" + text[1:]
        # As MediaWiki does: title case (ǆ -> ǅ, Georgian stays), and only where one letter becomes one (ß stays).
        upper = first.title()
        is_letter = len(upper) == 1 and unicodedata.category(first) == "Ll"
        return upper + text[1:] if is_letter else text


@dataclass(frozen=True, slots=True)
class _Path:
    """The folders and the page in an address, and whether the address is relative."""

    names: tuple[str, ...]
    is_file: bool
    is_relative: bool

    def reaches(self, page: "_Path") -> bool:
        """Return whether a link with this path leads to the page with the other; a file's folders may be missing."""
        return self.ends_like(page) if self.is_relative or page.is_file else self._slug == page._slug

    def ends_like(self, other: "_Path") -> bool:
        """Return whether the two end alike, over the length of the shorter one; a slug's case does not count."""
        length = min(len(self.names), len(other.names))
        if other.is_file:
            return self.names[-length:] == other.names[-length:]
        return self._slug[-length:] == other._slug[-length:]

    @property
    def _slug(self) -> tuple[str, ...]:
        return tuple(name.casefold() for name in self.names)


@dataclass(frozen=True, slots=True)
class _Destination:
    """Everything that a link's target is compared with, to see whether it leads to an entity."""

    pages: frozenset[Title]
    fragment: str
    paths: tuple[_Path, ...]


@remembered(entries=256, longest=1024)
def _destination(title: str, url: str, identity: str, rules: TitleRules) -> _Destination:
    pages = {rules.normalise(name).page for name in (title, url) if name}
    paths = []
    if identity and not _NUMBER_ID.fullmatch(identity):
        paths.append(rules._path(identity))
    if url and not _WIKI_BASE.match(_HOST.sub("", url, count=1)):
        paths.append(rules._path(url))
    return _Destination(frozenset(pages), rules.normalise(title).fragment, tuple(paths))


def _is_address(text: str) -> bool:
    return _BEGINS_AN_ADDRESS.match(text) is not None or page_ending_in_address(text) is not None


def _foreign_title(address: str) -> Title:
    """Return a title that no page of this wiki has: the address without its scheme."""
    host = _HOST.match(address)
    name, rest = (host["name"].lower(), address[host.end() :]) if host else ("", address)
    text, _, fragment = clean_title(_percent_decoded(f"//{name}{rest}")).partition("#")
    return Title(text.rstrip("/ ") or "//", fragment=fragment.strip(" "))


def _percent_decoded(text: str) -> str:
    """Return the text without percent-escapes, also where they are doubled (%2527); what is not UTF-8 stays escaped."""
    before = ""
    while "%" in text and text != before:
        before = text
        # An escape that is escaped a thousand times (%252525…41) would take as many rounds.
        shown = unquote_to_bytes(_ESCAPED_ESCAPE.sub("%", text)).decode("utf-8", "surrogateescape")
        text = _UNDECODABLE.sub(lambda byte: f"%{ord(byte[0]) - 0xDC00:02X}", shown)
    return text
