"""Layouts: where a site keeps its pages, and what a page's path tells of its language and identity."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from linkspot.errors import UnusableInput

_LANGUAGE = r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*"
_FIELDS = {"lang": rf"(?P<lang>{_LANGUAGE})", "slug": "(?P<slug>.+?)", "*": "[^/]+"}
_FIELD = re.compile(r"\{(lang|slug)\}|(\*)")
_UNKNOWN_FIELD = re.compile(r"\{[^{}]*\}")
_ENOUGH = 0.8  # of a site's pages that a layout without a marker must fit


@dataclass(frozen=True, slots=True)
class PagePlace:
    """What a path tells: the language, if it does, and the slug, which is the page's identity in every language."""

    language: str
    slug: str


@dataclass(frozen=True)
class Layout:
    """A site's way of keeping pages.

    Patterns are tried in their order: `{lang}` stands for a language tag, `{slug}` for the page's name with its
    folders, `*` for one folder. `markers` are files or folders at the site's top that give it away; `link_base` is what
    stands before a slug in an absolute link.
    """

    name: str
    patterns: tuple[str, ...]
    markers: frozenset[str] = frozenset()
    link_base: str = ""

    def __post_init__(self) -> None:
        for pattern in self.patterns:
            unknown = _UNKNOWN_FIELD.search(_FIELD.sub("", pattern))
            if unknown or "{slug}" not in pattern:
                found = f"{unknown[0]} in it" if unknown else "no {slug} in it"
                raise UnusableInput(f"the pattern {pattern!r} has {found}; write it like 'files/{{lang}}/{{slug}}.md'")

    def place(self, path: str) -> PagePlace | None:
        """Return what the path tells, or None where no page of the site has such a path."""
        for expression in self._expressions:
            match = expression.fullmatch(path)
            if match:
                facts = match.groupdict(default="")
                return PagePlace(facts.get("lang", "").replace("_", "-").lower(), facts["slug"])
        return None

    @cached_property
    def _expressions(self) -> list[re.Pattern[str]]:
        return [_compiled(pattern) for pattern in self.patterns]


def layout_of(pattern: str, link_base: str = "") -> Layout:
    """Return the layout that a user describes by one pattern."""
    return Layout("as told", (pattern,), link_base=link_base)


_MARKDOWN = ("md", "mdx", "markdown")

MDN = Layout("mdn", ("files/{lang}/{slug}/index.md",), link_base="/docs/")
HUGO = Layout(
    "hugo",
    tuple(
        f"content/{{slug}}{index}{language}.md" for language in (".{lang}", "") for index in ("/_index", "/index", "")
    ),
    frozenset({"hugo.toml", "hugo.yaml", "hugo.json", "config.toml", "archetypes"}),
)
DOCUSAURUS = Layout(
    "docusaurus",
    tuple(f"i18n/{{lang}}/docusaurus-plugin-content-docs/*/{{slug}}.{suffix}" for suffix in _MARKDOWN)
    + tuple(f"{folder}/{{slug}}.{suffix}" for folder in ("docs", "blog") for suffix in _MARKDOWN),
    frozenset({"docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs"}),
    link_base="/docs/",
)
MKDOCS = Layout("mkdocs", ("docs/{slug}/index.md", "docs/{slug}.md"), frozenset({"mkdocs.yml", "mkdocs.yaml"}))
OBSIDIAN = Layout("obsidian", ("{slug}.md",), frozenset({".obsidian"}))
PLAIN = Layout(
    "plain",
    tuple(f"{{slug}}{index}.{suffix}" for suffix in (*_MARKDOWN, "html", "htm", "wiki") for index in ("/index", "")),
)
LAYOUTS: dict[str, Layout] = {layout.name: layout for layout in (MDN, HUGO, DOCUSAURUS, MKDOCS, OBSIDIAN, PLAIN)}


def identity_of(path: str) -> str:
    """Return what a page is called in its corpus: its path without the file's ending."""
    return str(PurePosixPath(path).with_suffix(""))


def recognised(top: Collection[str], pages: Collection[str]) -> Layout:
    """Return the layout that the names at a site's top give away, or that nearly all of its pages' paths fit."""
    for layout in LAYOUTS.values():
        if layout.markers & set(top):
            return layout
    fitting = sum(MDN.place(path) is not None for path in pages)
    return MDN if pages and fitting >= _ENOUGH * len(pages) else PLAIN


def _compiled(pattern: str) -> re.Pattern[str]:
    parts = []
    position = 0
    for field in _FIELD.finditer(pattern):
        parts += [re.escape(pattern[position : field.start()]), _FIELDS[field[1] or field[2]]]
        position = field.end()
    return re.compile("".join([*parts, re.escape(pattern[position:])]))
