"""MediaWiki's rules for titles: which of them no page can have, so that no link can lead there."""

import re

from linkspot.parsing.namespaces import split_namespace

_LONGEST = 255  # bytes of a title in UTF-8, without its namespace
_ILLEGAL = re.compile(r"[\x00-\x1f\x7f<>\[\]{}|\ufffd\ufffe\uffff\ud800-\udfff]")
_DIRECTION_MARK = re.compile("[\x80-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")  # MediaWiki removes or refuses them
_REFERENCE = re.compile(r"&#?\w+;")
_PERCENT_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_RELATIVE = re.compile(r"(?:^|/)\.{1,2}(?:/|$)")


def why_not_a_title(title: str, language: str) -> str:
    """Say why MediaWiki can have no page of this title, or nothing; the title may name a section: Dog#Senses."""
    page, sharp, section = title.partition("#")
    text = split_namespace(page, language).text.strip(" _:")
    illegal = _ILLEGAL.search(title)
    if illegal:
        return f"a title cannot hold {_named(illegal[0])}"
    if _DIRECTION_MARK.search(title):
        return "a title cannot hold control characters"
    if not text or (sharp and not section.strip(" _")):
        return "a title cannot end in #" if text else "a title cannot be empty"
    if len(text.encode()) > _LONGEST:
        return f"a title has at most {_LONGEST} bytes in UTF-8, and this one {len(text.encode()):,}"
    return _why_misread(title, text)


def _why_misread(title: str, text: str) -> str:
    if "~~~" in title:
        return "a title cannot hold ~~~, which MediaWiki reads as a signature"
    if _PERCENT_ESCAPE.search(title) or _REFERENCE.search(title):
        return "a title cannot hold an escape such as %41 or &amp;"
    if _RELATIVE.search(text):
        return "a title cannot have . or .. between slashes"
    return ""


def _named(sign: str) -> str:
    return sign if sign.isprintable() else "control characters"
