"""One file → one page."""

import codecs
import os
from pathlib import Path

from linkspot.corpora.sites.layouts import MDN
from linkspot.errors import UnreadablePage, WrongType
from linkspot.files import read_regular
from linkspot.limits import LIMITS
from linkspot.parsing.markup import markup_kind, markup_names, markup_of
from linkspot.records import Page

_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_GENERIC_STEMS = frozenset({"index", "readme", "_index"})


def read_page(file: str | os.PathLike[str], markup: str = "", language: str = "") -> Page:
    """Return the page in a file; if its markup is not named, the file's ending says it."""
    if not isinstance(file, str | os.PathLike):
        raise WrongType(f"a page's file is a path, not {type(file).__name__}")
    path = Path(file)
    try:
        data = read_regular(path, LIMITS.page_bytes)
        size = path.stat().st_size
    except (OSError, ValueError) as error:  # the second for a path that no file can have
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadablePage(f"{path} cannot be read: {reason.lower()}") from error
    if len(data) > LIMITS.page_bytes:
        raise UnreadablePage(_too_large(str(path), size))
    markup = markup or markup_of(path.name)
    # A file called index.html in a folder called dog is the page about dogs.
    stem = path.resolve().parent.name if path.stem.lower() in _GENERIC_STEMS else path.stem
    title = stem.replace("_", " ") if markup_kind(markup).title_is_file_name else ""
    return Page(title, decode(data, str(path), markup), markup, language or language_of_path(path), stem)


def language_of_path(path: Path) -> str:
    """Return the language that a page's path names in MDN's layout, which no other site has; else nothing."""
    parts = path.resolve().parts
    starts = [index for index, part in enumerate(parts) if part == "files"]
    facts = MDN.read_path("/".join(parts[starts[-1] :])) if starts else None
    return facts.language if facts else ""


def page_from_bytes(data: bytes, name: str, markup: str, language: str = "") -> Page:
    """Return a page that does not come from a file."""
    if len(data) > LIMITS.page_bytes:
        raise UnreadablePage(_too_large(name, len(data)))
    return Page("", decode(data, name, markup), markup, language)


def decode(data: bytes, name: str, markup: str) -> str:
    """Return the characters: UTF-8, or what a byte order mark or the page's own charset declares."""
    encoding, data = _encoding(data, markup)
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError) as error:
        position = error.start if isinstance(error, UnicodeDecodeError) else 0
        raise UnreadablePage(
            f"{name} is not text in {encoding.upper()} (byte {position:,}); convert it to UTF-8 first"
        ) from error
    if "\0" in text:
        raise UnreadablePage(f"{name} is a binary file; linkspot reads text: {', '.join(markup_names())}")
    if not text.strip():
        raise UnreadablePage(f"{name} is empty; expected a page with text")
    return text


def _encoding(data: bytes, markup: str) -> tuple[str, bytes]:
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return encoding, data[len(mark) :]
    return markup_kind(markup).declared_charset(data) or "utf-8", data


def _too_large(name: str, size: int) -> str:
    return f"{name} has {size:,} bytes, and linkspot reads pages of up to {LIMITS.page_bytes:,}; split it"
