"""One file → one page."""

import codecs
import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from linkspot.corpora.languages import is_language
from linkspot.corpora.sites.layouts import MDN
from linkspot.errors import UnreadablePage, WrongType
from linkspot.files import read_regular
from linkspot.limits import LIMITS
from linkspot.parsing import declared_language
from linkspot.parsing.markup import markup_kind, markup_names, markup_of
from linkspot.records import Page

_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_HOLD_TRANSLATIONS = frozenset(
    "content docs doc documentation i18n l10n lang langs language languages locale locales pages site src"
    " translation translations wiki wikis".split()
)
_ENGLISH_WORDS = frozenset({"am", "an", "as", "be", "he", "hi", "id", "is", "it", "my", "no", "or", "so", "to"})
_MOST_FOLDERS = 8  # above a file that are looked at
_GENERIC_STEMS = frozenset({"index", "readme", "_index"})


def read_page(file: str | os.PathLike[str], markup: str = "", language: str = "") -> Page:
    """Return the page in a file; if its markup is not named, the file's ending says it."""
    if not isinstance(file, str | os.PathLike):
        raise WrongType(f"a page's file is a path, not {type(file).__name__}")
    path = Path(file)
    data = page_bytes(path)
    markup = markup or markup_of(path.name)
    # A file called index.html in a folder called dog is the page about dogs.
    stem = path.resolve().parent.name if path.stem.lower() in _GENERIC_STEMS else path.stem
    title = stem.replace("_", " ") if markup_kind(markup).title_is_file_name else ""
    page = Page(title, decode(data, str(path), markup), markup, language or language_in_mdn(path), stem)
    if page.language or declared_language(page):
        return page
    # A page of a wiki may be called No or It.
    return page if title else replace(page, language=language_of_path(path))


def page_bytes(path: Path) -> bytes:
    """Return the bytes of a page's file."""
    try:
        data = read_regular(path, LIMITS.page_bytes)
        size = path.stat().st_size
    except (OSError, ValueError) as error:  # the second for a path that no file can have
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadablePage(f"{path} cannot be read: {reason.lower()}") from error
    if len(data) > LIMITS.page_bytes:
        raise UnreadablePage(_too_large(str(path), size))
    return data


def language_in_mdn(path: Path) -> str:
    """Return the language that a page's path names in MDN's layout, which no other site has; else nothing."""
    parts = path.resolve().parts
    starts = [index for index, part in enumerate(parts) if part == "files"]
    facts = MDN.read_path("/".join(parts[starts[-1] :])) if starts else None
    return facts.language if facts else ""


def language_of_path(path: Path) -> str:
    """Return the language that a file or a folder of translations is named by: `en.md`, `about.fr.md`, `docs/de/x.md`.

    Many short words are language tags, too. So a folder counts only below one that usually holds translations, or
    beside another language's folder.
    """
    name, _, ending = path.stem.rpartition(".")
    if is_language(ending) and (name or ending.lower() not in _ENGLISH_WORDS or _has_languages(path.parent)):
        return _tag(ending)
    for folder, parent in pairwise(path.resolve().parents[:_MOST_FOLDERS]):
        if is_language(folder.name) and (parent.name.lower() in _HOLD_TRANSLATIONS or _has_languages(parent)):
            return _tag(folder.name)
    return ""


def _has_languages(folder: Path) -> bool:
    """Return whether at least two entries in it are named like languages."""
    try:
        names = {Path(entry.name).stem for entry in os.scandir(folder)}
    except OSError:
        return False
    return sum(map(is_language, names)) > 1


def _tag(name: str) -> str:
    return name.replace("_", "-").lower()


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


def edited_bytes(data: bytes, name: str, markup: str, before: str, after: str) -> bytes:
    """Return the bytes of a page's file with an edit made; the encoding, its mark and all other bytes stay.

    `before` is the page's text as it was read earlier, to see that the file is still the same.
    """
    encoding, body = _encoding(data, markup)
    mark = data[: len(data) - len(body)]
    if decode(data, name, markup) != before:
        raise UnreadablePage(f"{name} has changed since it was read; run the same command again")
    try:
        encoded = after.encode(encoding)
    except UnicodeEncodeError as error:
        sign = error.object[error.start]
        raise UnreadablePage(
            f"{name} is written in {encoding.upper()}, which has no {sign!r}; convert it to UTF-8 first"
        ) from error
    if before.encode(encoding) != body or encoded.decode(encoding) != after:
        raise UnreadablePage(f"{name} has several spellings of a character in {encoding.upper()}; convert it to UTF-8")
    return mark + encoded


def _encoding(data: bytes, markup: str) -> tuple[str, bytes]:
    """Return the encoding of a page's bytes, and the bytes behind its byte order mark."""
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return encoding, data[len(mark) :]
    return markup_kind(markup).declared_charset(data) or "utf-8", data


def _too_large(name: str, size: int) -> str:
    return f"{name} has {size:,} bytes, and linkspot reads pages of up to {LIMITS.page_bytes:,}; split it"
