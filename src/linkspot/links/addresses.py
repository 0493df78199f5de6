"""Addresses: which page of its own corpus a link names, whether by a title or by a path."""

import posixpath
import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from linkspot.corpora.layouts import Layout
from linkspot.links.titles import TitleRules
from linkspot.records import Page

_SCHEME_OR_HOST = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_LOCALE = re.compile(r"/[a-z]{2,3}(?:-[a-z0-9]+)*(?=/)", re.IGNORECASE)
_ENDING = re.compile(r"(?:/_?index|/readme)?\.(?:x?html?|mdx?|markdown|wiki)$|/_?index$|/readme$", re.IGNORECASE)
_ENDINGS_LEFT_OUT = ("", ".md", "/index.md", ".html")


@dataclass(frozen=True, slots=True)
class Naming:
    """How the links of one corpus name its pages: by their paths if it has a layout, else by their titles.

    A key is the one spelling of a page's name: two links lead to one page if their keys are equal. It holds within one
    language. The key of an address outside of the corpus, or of a place in the page itself, is empty.
    """

    layout: Layout | None = None

    def key_of(self, page: Page) -> str:
        """Return the key by which links name this page."""
        if self.layout is None:
            return _title_key(page.title, page.language)
        return page.entity.casefold()

    def target_key(self, target: str, page: Page) -> str:
        """Return the key of the page that a link in this page leads to."""
        return _title_key(target, page.language) if self.layout is None else self._path_key(target, page)

    def _path_key(self, target: str, page: Page) -> str:
        path = re.split("[?#]", target, maxsplit=1)[0].strip()
        if not path or _SCHEME_OR_HOST.match(path):
            return ""
        path = unquote(path)
        if path.startswith("/"):
            return _slug(_without_base(path, self.layout.link_base if self.layout else ""))
        resolved = posixpath.normpath(posixpath.join(posixpath.dirname(page.id), path))
        places = (self.layout.place(resolved + ending) for ending in _ENDINGS_LEFT_OUT) if self.layout else ()
        return _slug(next((place.slug for place in places if place), resolved))


def tail_of(key: str) -> str:
    """Return the last name of a key with folders: what is left of it when a page is filed elsewhere."""
    return key.rpartition("/")[2]


@lru_cache(maxsize=1 << 16)
def _title_key(target: str, language: str) -> str:
    title = TitleRules(language).normalise(target).page
    return "" if title.is_foreign else str(title)


def _without_base(path: str, base: str) -> str:
    """Return an absolute path without what stands before every slug: a language, then the base."""
    for beginning in (path, _LOCALE.sub("", path, count=1)):
        if base and beginning.startswith(base):
            return beginning.removeprefix(base)
    return path


def _slug(path: str) -> str:
    return _ENDING.sub("", path.strip("/")).casefold()
