"""The page that gets the link: named by its path, given as markup or as a record, and parsed once."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from linkspot.corpora.page_file import read_page
from linkspot.door import check_article, check_page
from linkspot.errors import UnknownMarkup, UnreadablePage, WrongType, WrongValue
from linkspot.limits import LIMITS, Limits
from linkspot.parsing import declared_language, parse
from linkspot.parsing.markup import endings, markup_names
from linkspot.records import Article, Page
from linkspot.text.language_detection import detected_language

PageInput: TypeAlias = Page | str | os.PathLike[str]
"""What stands for a page: a record, a path, or a string that is a path or markup."""

_ANY_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class SourcePage:
    """The page that gets the link, as its markup and parsed; `path` is its file, if it was read from one.

    `is_language_detected` is true if neither the user nor the page nor its path says the language.
    """

    page: Page
    article: Article
    path: Path | None = None
    is_language_detected: bool = False

    @classmethod
    def of(cls, page: PageInput, markup: str = "", language: str = "", limits: Limits = LIMITS) -> "SourcePage":
        """Read and parse a page; `markup` and `language` are for a page that does not say them itself."""
        opened = page_or_path(page)
        if isinstance(opened, Page):
            if markup or language:
                raise WrongValue("a Page has its own markup and language; leave out markup= and language=")
            return cls._parsed(opened, limits)
        if isinstance(opened, Path):
            return cls._parsed(read_page(opened, markup, language), limits, opened)
        if not markup:
            raise UnknownMarkup(f"a page that is given as a string needs markup= ({', '.join(markup_names())})")
        return cls._parsed(Page("", opened, markup, language), limits)

    @classmethod
    def _parsed(cls, page: Page, limits: Limits, path: Path | None = None) -> "SourcePage":
        check_page(page, limits)
        language = page.language or declared_language(page)
        if not language:
            page = replace(page, language=_detected(page))
        article = parse(page)
        check_article(article, limits)
        return cls(page, article, path, is_language_detected=not language)


def _detected(page: Page) -> str:
    """Return the language of the page's prose, or nothing if that cannot be told."""
    # Where sentences end in another language does not matter here.
    article = parse(replace(page, language=_ANY_LANGUAGE))
    return detected_language(" ".join(section.text for section in article.sections))


def page_or_path(page: PageInput) -> Page | Path | str:
    """Return what an argument stands for: a record, the path of a file, or a string of markup.

    A string of one line is a path if it ends like a page's file (.html, .wiki, .md …) or is the name of a file.
    """
    if isinstance(page, Page):
        return page
    if isinstance(page, os.PathLike):
        return Path(page)
    if not isinstance(page, str):
        is_parsed = "; an Article has no markup to edit" if isinstance(page, Article) else ""
        raise WrongType(f"a page is a Page, a path or a string of markup, not {type(page).__name__}{is_parsed}")
    if not page.strip():
        raise WrongValue("the page is an empty string; pass a path, a string of markup or a Page")
    if ends_like_a_page(page) and not is_file(page):
        raise UnreadablePage(
            f"there is no file {page!r}; a string that ends like a page's file is a path: "
            "pass Page(title, text, markup, language) if it is the text of a page"
        )
    return Path(page) if is_file(page) else page


def ends_like_a_page(text: str) -> bool:
    """Return whether a string has one line and ends like the files of pages do."""
    suffix = Path(text).suffix.lower()
    return bool(suffix) and "\n" not in text and suffix in endings()


def is_file(text: str) -> bool:
    """Return whether a string is the name of a file; markup is too long to be one, or has characters that none has."""
    try:
        return "\n" not in text and Path(text).is_file()
    except (OSError, ValueError):
        return False
