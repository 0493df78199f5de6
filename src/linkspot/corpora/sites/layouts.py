"""Layouts: where a site keeps its pages, what a page's path says of its language and identity, how links are made."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from linkspot.errors import UnusableInput
from linkspot.parsing.markup import endings

TOP_PAGE = "index"  # the slug of the page at a site's top, whatever its file is called

_LANGUAGE = r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*"
_INDEX = r"(?:/(?:_?index|readme))?"
_FIELD = re.compile(r"\{(lang|slug|page)\}|(\*)")
_UNKNOWN_FIELD = re.compile(r"\{[^{}]*\}")
_TOP_PAGES = frozenset({"index", "_index", "readme"})


@dataclass(frozen=True, slots=True)
class PathFacts:
    """What a page's path says: its language, if any, and its slug, which identifies the page in every language."""

    language: str
    slug: str


@dataclass(frozen=True, slots=True)
class LinkStyle:
    """How a site writes links to its own pages.

    `base` stands before a slug in an absolute link. A relative link is seen from its page's file, but begins at the
    site's top where all do (`begins_at_top`) or those that name one of the `top_folders` first; and one that ends in a
    slash is seen from the page's address, which ends in one too (`has_folder_addresses`). `folder` is what the site's
    own folder is called, for links that leave it and come back. `is_flat` means that folders and the difference of
    spaces and hyphens do not count, `keeps_case` that the difference of capitals does.
    """

    base: str = ""
    begins_at_top: bool = False
    top_folders: frozenset[str] = frozenset()
    has_folder_addresses: bool = False
    folder: str = ""
    is_flat: bool = False
    keeps_case: bool = False


@dataclass(frozen=True)
class Layout:
    """A site's way of keeping pages.

    Patterns are tried in their order: `{lang}` stands for a language tag, `{slug}` for the page's name with its
    folders, `*` for one folder, `{page}` for a slug with any ending that pages have, where an index file is named by
    its folder. `languages` are those that `{lang}` stands for, and that may end the name of a `{page}` (`about.fr.md`);
    None means that any tag is one, but ends no name. `language` is for pages whose path names none. Files that match
    `no_pages` are not pages, and the part of a slug that matches `no_names` is left out. `slug_is_identity` says
    that a slug names the same thing in every language; one that is the title of a wiki's page does not.
    """

    name: str
    patterns: tuple[str, ...]
    languages: frozenset[str] | None = None
    language: str = ""
    links: LinkStyle = LinkStyle()
    no_pages: str = ""
    no_names: str = ""
    slug_is_identity: bool = True

    def __post_init__(self) -> None:
        for pattern in self.patterns:
            unknown = _UNKNOWN_FIELD.search(_FIELD.sub("", pattern))
            if unknown or not ("{slug}" in pattern or "{page}" in pattern):
                fault = f"{unknown[0]} in it" if unknown else "no {slug} in it"
                raise UnusableInput(f"the pattern {pattern!r} has {fault}; write it like 'files/{{lang}}/{{slug}}.md'")

    def read_path(self, path: str) -> PathFacts | None:
        """Return what a path says of its page, None if no page of the site has such a path."""
        if self.no_pages and re.search(self.no_pages, path):
            return None
        for expression in self._expressions:
            match = expression.fullmatch(path)
            if match:
                facts = match.groupdict(default="")
                return PathFacts(facts.get("lang", "").replace("_", "-").lower(), self._slug(facts["slug"]))
        return None

    def _slug(self, name: str) -> str:
        if self.links.is_flat:
            return name.rpartition("/")[2]
        if self.no_names:
            name = re.sub(self.no_names, "", name)
        return TOP_PAGE if name.lower() in _TOP_PAGES else name

    @cached_property
    def _expressions(self) -> list[re.Pattern[str]]:
        used = (pattern for pattern in self.patterns if "{lang}" not in pattern or self.languages != frozenset())
        return [self._compiled(pattern) for pattern in used]

    def _compiled(self, pattern: str) -> re.Pattern[str]:
        fields = {"lang": f"(?P<lang>{self._any_language})", "slug": "(?P<slug>.+?)", "*": "[^/]+"}
        ends_in_language = self.languages and "{lang}" not in pattern
        language = rf"(?:\.{fields['lang']})?" if ends_in_language else ""
        if "{page}" in pattern:
            of_files = "|".join(map(re.escape, endings()))
            fields["page"] = rf"{fields['slug']}{_INDEX}{language}(?:{of_files})"
        parts, position = [], 0
        for field in _FIELD.finditer(pattern):
            parts += [re.escape(pattern[position : field.start()]), fields[field[1] or field[2]]]
            position = field.end()
        return re.compile("".join([*parts, re.escape(pattern[position:])]), re.IGNORECASE)

    @property
    def _any_language(self) -> str:
        if self.languages is None:
            return _LANGUAGE
        return "|".join(re.escape(tag).replace(r"\-", "[-_]") for tag in sorted(self.languages))


def layout_of(pattern: str, link_base: str = "") -> Layout:
    """Return the layout that a user describes by one pattern."""
    return Layout("as given", (pattern,), links=LinkStyle(link_base))


MDN = Layout("mdn", ("files/{lang}/{slug}/index.md",), links=LinkStyle("/docs/"))


def identity_of(path: str) -> str:
    """Return the id of a page in its corpus: its path without the file's ending."""
    return str(PurePosixPath(path).with_suffix(""))
