"""Namespaces and interwiki prefixes: whether a wiki's link leads to an article, and whether it shows in the text.

The localised names come from the MIT-licensed package mwconstants 0.1.0 (Wikimedia Research; site information of all
Wikipedias, 16 December 2022); `bench/make_namespaces.py` writes them to `namespaces.json`.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

from linkspot.remembering import remembered


class Namespace(StrEnum):
    """The kinds of pages besides articles that a parser must distinguish."""

    FILE = "File"
    CATEGORY = "Category"
    TEMPLATE = "Template"
    HIDDEN = "hidden"  # a wiki's own marker that leaves no text, such as OpenTTD's [[Translation:en/Manual]]
    OTHER = "other"


NO_NAMESPACES: Mapping[str, Namespace] = MappingProxyType({})

_CANONICAL = frozenset({Namespace.FILE, Namespace.CATEGORY, Namespace.TEMPLATE})  # their values are MediaWiki's names
_NOT_IN_TEXT = frozenset({Namespace.FILE, Namespace.CATEGORY, Namespace.HIDDEN})

# The white space, and the marks that MediaWiki drops, as its title codec has them; and what no title can hold.
_SPACES = re.compile(r"[ _\t-\r\x85\xa0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_DROPPED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200e\u200f\u202a-\u202e\ud800-\udfff]+")

# Codes that are not the name of the Wikipedia in that language.
_WIKIPEDIA_CODES = {
    "be-tarask": "be-x-old",
    "cmn": "zh",
    "cz": "cs",
    "dk": "da",
    "egl": "eml",
    "epo": "eo",
    "gsw": "als",
    "jp": "ja",
    "lzh": "zh-classical",
    "minnan": "zh-min-nan",
    "nan": "zh-min-nan",
    "nb": "no",
    "rup": "roa-rup",
    "sgs": "bat-smg",
    "vro": "fiu-vro",
    "yue": "zh-yue",
    "zh-cn": "zh",
    "zh-tw": "zh",
}
_PROJECTS = frozenset(
    """
    w wikt wiktionary n wikinews b wikibooks q wikiquote s wikisource v wikiversity voy wikivoyage species wikispecies
    c commons d wikidata f wikifunctions m meta metawiki metawikimedia metawikipedia mw mediawikiwiki wikitech
    wmf wikimedia foundation foundationsite incubator outreach outreachwiki strategy wikimania phab phabricator
    bugzilla gerrit rev toolforge toollabs tools translatewiki betawiki testwiki oldwikisource wmfblog diffblog
    doi arxiv pmid iarchive google planetmath
    """.split()
)


def clean_title(text: str) -> str:
    """Return the text in NFC with white space and underscores as single inner spaces, without marks and controls."""
    text = _SPACES.sub(" ", _DROPPED.sub("", text)).strip(" ")
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def prefix_key(prefix: str) -> str:
    """Return the form in which prefixes are compared: clean, lower-case, dotted and dotless i alike."""
    return clean_title(prefix).lower().replace("i̇", "i").replace("ı", "i")


class SplitTitle(NamedTuple):
    """A title without its namespace: which kind it is, its canonical (English) name, and the rest of the title."""

    namespace: Namespace | None
    name: str
    text: str


def split_namespace(title: str, language: str, extra: Mapping[str, Namespace] = NO_NAMESPACES) -> SplitTitle:
    """Return the title in its parts; an article (as "Alien: Covenant" is) has no namespace and keeps its whole text.

    `extra` are the wiki's own names beyond those of its language, for instance from its XML dump; they come first.
    """
    prefix, colon, rest = title.lstrip(": ").partition(":")
    if not colon:
        return SplitTitle(None, "", title)
    key = prefix_key(prefix)
    for name, namespace in extra.items():
        if prefix_key(name) == key:
            return SplitTitle(namespace, namespace if namespace in _CANONICAL else clean_title(name), rest)
    name = _names_of(language).get(key, "")
    if not name:
        return SplitTitle(None, "", title)
    return SplitTitle(Namespace(name) if name in _CANONICAL else Namespace.OTHER, name, rest)


def namespace_of(title: str, language: str, extra: Mapping[str, Namespace] = NO_NAMESPACES) -> Namespace | None:
    """Return the namespace that the title's prefix names, None for an article."""
    return split_namespace(title, language, extra).namespace if ":" in title else None


def is_interwiki(title: str, language: str = "") -> bool:
    """Return whether the title's prefix is a Wikipedia's language code or a sister project, not a local namespace."""
    prefix, colon, _ = title.lstrip(": ").partition(":")
    if not colon:
        return False
    key = prefix_key(prefix)
    return (key in _PROJECTS or _is_language_code(key)) and key not in _names_of(language)


def stands_in_text(target: str, language: str, extra: Mapping[str, Namespace] = NO_NAMESPACES) -> bool:
    """Return whether [[target]] shows words in the text: [[:Category:X]] does, [[Category:X]] and [[fr:X]] do not."""
    if ":" not in target or target.lstrip().startswith(":"):
        return True
    namespace = namespace_of(target, language, extra)
    if namespace is not None:
        return namespace not in _NOT_IN_TEXT
    return not _is_language_code(prefix_key(target.partition(":")[0]))


def wikipedia_code(language: str) -> str:
    """Return the code in the address of a language's Wikipedia: `als` for gsw; most are the language's tag."""
    tag = language.lower().replace("_", "-")
    return _WIKIPEDIA_CODES.get(tag, tag)


def _is_language_code(key: str) -> bool:
    return key in _table() or key in _WIKIPEDIA_CODES


@cache
def _table() -> dict[str, dict[str, list[str]]]:
    """Language -> canonical name -> prefixes; English names, which hold everywhere, under "en"."""
    text = resources.files("linkspot.parsing").joinpath("namespaces.json").read_text(encoding="utf-8")
    table: dict[str, dict[str, list[str]]] = json.loads(text)
    return table


@remembered(entries=256, longest=64)
def _names_of(language: str) -> dict[str, str]:
    """Prefix -> canonical name, in a language and in English."""
    table = _table()
    code = language.lower().replace("_", "-")
    while code and code not in table and code not in _WIKIPEDIA_CODES:
        code = code.rpartition("-")[0]
    return _names_in(_WIKIPEDIA_CODES.get(code, code))


@cache  # one for each language of the table: made-up tags share that of English
def _names_in(code: str) -> dict[str, str]:
    table, names = _table(), {}
    for of_language in (table["en"], table.get(code, {})):
        names.update({prefix: name for name, prefixes in of_language.items() for prefix in prefixes})
    return names
