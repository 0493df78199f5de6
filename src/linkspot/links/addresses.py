"""Addresses: which page of its own corpus a link leads to, whether it holds a title or a path."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from urllib.parse import unquote

from linkspot.corpora.sites.layouts import TOP_PAGE, Layout
from linkspot.links.titles import TitleRules
from linkspot.parsing.markup import endings, markup_kind
from linkspot.records import Page
from linkspot.remembering import remembered
from linkspot.text.words import normal_form

# A heading, or the fields of a form; a question mark alone is part of a name.
_NO_NAME = re.compile(r"#|\?(?=[\w.-]+=)")
_SCHEME_OR_HOST = re.compile(r"[a-z][a-z0-9+.-]*:(?! )|//", re.IGNORECASE)
_LOCALE = re.compile(r"^/[a-z]{2,3}(?:[-_][a-z0-9]+)*(?=/)", re.IGNORECASE)
_TOP_PAGES = frozenset({"", "index", "_index", "readme"})
_DATED = re.compile(r"(\d{4})-(\d\d)-(\d\d)-(?=[^/]+$)")


@dataclass(frozen=True, slots=True)
class Naming:
    """How the links of one corpus name its pages: by their paths if it has a layout, else by their titles.

    A key is the one spelling of a page's name: two links of one language lead to the same page if their keys are equal.
    The key of an address outside of the corpus, or of a heading in the page itself, is empty.
    """

    layout: Layout | None = None
    capitalises: bool = True

    def key_of(self, page: Page) -> str:
        """Return the key by which links name this page."""
        if self.layout is None:
            return _title_key(page.title, page.language, self.capitalises)
        return _key(page.entity, self.layout)

    def target_key(self, target: str, page: Page) -> str:
        """Return the key of the page that a link in this page leads to."""
        if self.layout is None:
            return _title_key(target, page.language, self.capitalises)
        path = _NO_NAME.split(target, maxsplit=1)[0].strip()
        is_elsewhere = not markup_kind(page.markup).links_hold_titles and _SCHEME_OR_HOST.match(path)
        if not path or is_elsewhere:
            return ""
        slug = _slug(unquote(path), page, self.layout)
        return "" if slug is None else _key(slug, self.layout)

    def page_tail(self, page: Page) -> str:
        """Return the part of the page's key that stays when the page moves to another folder: its last name.

        Titles with folders begin with a language or a part of the wiki (`en/Manual/Signals`). That never changes, so it
        belongs to the tail (`en/Signals`). A title without folders has no tail.
        """
        key = self.key_of(page)
        return _tail_of_title(key) if self.layout is None else tail_of(key)

    def target_tail(self, target: str, page: Page) -> str:
        """Return the tail by which a page may be found that has moved to another folder than this link says.

        Where pages have paths, a link that names folders means exactly that page; its tail is empty.
        """
        key = self.target_key(target, page)
        is_bare = self.layout is not None and "/" not in _NO_NAME.split(target, maxsplit=1)[0]
        return tail_of(key) if is_bare else self.tail_of_key(key)

    def tail_of_key(self, key: str) -> str:
        """Return the tail of the page with this key, if links may find the page by its tail alone."""
        if self.layout is None:
            return _tail_of_title(key)
        return tail_of(key) if self.layout.links.begins_at_top else ""


def tail_of(key: str) -> str:
    """Return the last name of a key with folders."""
    return key.rpartition("/")[2]


def _tail_of_title(key: str) -> str:
    first, slash, rest = key.partition("/")
    return f"{first}/{tail_of(rest)}" if slash else ""


@remembered(entries=1 << 13, longest=128)
def _title_key(target: str, language: str, capitalises: bool) -> str:
    title = TitleRules(language, capitalise_first=capitalises).normalise(target).page
    return "" if title.is_foreign else str(title)


@cache
def _ending() -> re.Pattern[str]:
    """Return what a file's name ends in and an address may leave out."""
    of_files = "|".join(re.escape(ending) for ending in endings())
    return re.compile(rf"(?:/_?index|/readme)?(?:{of_files})$|/_?index$|/readme$", re.IGNORECASE)


def _key(slug: str, layout: Layout) -> str:
    """Return the one spelling of a slug, whatever its file's ending is and whatever separates its words."""
    name = normal_form("NFC", _ending().sub("", slug.strip("/")))
    if layout.links.is_flat:
        return name.rpartition("/")[2].replace(" ", "-").replace("_", "-").casefold()
    if name.lower() in _TOP_PAGES:
        return TOP_PAGE
    name = _DATED.sub(r"\1/\2/\3/", name).replace(" ", "_")  # a post's file has its date, its address has folders
    return name if layout.links.keeps_case else name.casefold()


def _slug(path: str, page: Page, layout: Layout) -> str | None:
    """Return the slug of the page that a path in this page leads to, or None if that is outside of the site."""
    style = layout.links
    if style.is_flat:
        return path
    if path.startswith("/"):
        return _absolute(path, layout)
    begins_at_top = style.begins_at_top or markup_kind(page.markup).links_hold_titles
    if begins_at_top and not path.startswith("."):
        return path
    if path.partition("/")[0] in style.top_folders and "/" in path:
        return _placed(path, layout)
    if style.has_folder_addresses and path.endswith("/"):
        own = "" if page.entity == TOP_PAGE else page.entity
        return _inside(posixpath.join(own, path), layout)
    resolved = _inside(posixpath.join(posixpath.dirname(page.id), path), layout)
    return None if resolved is None else _placed(resolved, layout)


def _inside(path: str, layout: Layout) -> str | None:
    """Return the path without dots, or None if it leads out of the site and not back."""
    resolved = posixpath.normpath(path)
    if resolved == ".":
        return ""
    if not resolved.startswith("../"):
        return None if resolved == ".." else resolved
    back = f"../{layout.links.folder}/"
    return resolved.removeprefix(back) if resolved.startswith(back) else None


def _placed(path: str, layout: Layout) -> str:
    """Return the slug of the file that the path names, with or without its ending; else the path itself."""
    facts = (layout.read_path(name) for name in _files(path))
    return next((known.slug for known in facts if known), path)


def _files(path: str) -> Iterator[str]:
    yield from (path, f"{path}.md", posixpath.join(path, "index.md"), f"{path}.html")


def _absolute(path: str, layout: Layout) -> str:
    """Return the slug in an absolute path: what follows the base; a language may come before or after the base."""
    base = layout.links.base.strip("/")
    for beginning in (path, _LOCALE.sub("", path)):
        slug = f"{beginning.strip('/')}/"
        if base and slug.startswith(f"{base}/"):
            return _without_language(slug.removeprefix(f"{base}/"), layout)
    return _placed(_without_language(path.strip("/"), layout), layout)


def _without_language(path: str, layout: Layout) -> str:
    first, _, rest = path.partition("/")
    return rest if first.replace("_", "-").lower() in (layout.languages or ()) else path
