"""What kind of page gets the link: some are hardly a place for links, and an answer says so."""

import unicodedata
from enum import StrEnum
from itertools import chain

from linkspot.parsing import redirect_target
from linkspot.records import Article, Page, Section

# A page of fewer sentences gives a ranker little to compare. Most articles that wikis call stubs have one to three.
_FEWEST_SENTENCES = 4
_FEWEST_ITEMS = 5  # lines without which nothing is called a list
_SHARE_OF_ITEMS = 0.6  # of a page's lines that make it a list
_LONGEST_ITEM = 120  # characters; a line of prose without a full stop is usually longer
_OPEN_ENDS = frozenset(":;,،；，、：")  # signs at the end of a line that announce more, and do not end a sentence


class PageKind(StrEnum):
    """What a page mostly is; an article is all that is not one of the others."""

    ARTICLE = "article"
    STUB = "stub"
    LIST = "list"
    REDIRECT = "redirect"
    EMPTY = "empty"  # without prose: a picture, a table, a template


def page_kind(page: Page, article: Article) -> PageKind:
    """Return what kind of page this is."""
    if redirect_target(page) is not None:
        return PageKind.REDIRECT
    if not article.sentences:
        return PageKind.EMPTY
    lines = list(chain.from_iterable(map(_lines, article.sections)))
    items = sum(map(is_item, lines))
    if items >= _FEWEST_ITEMS and items >= _SHARE_OF_ITEMS * len(lines):
        return PageKind.LIST
    return PageKind.STUB if len(article.sentences) < _FEWEST_SENTENCES else PageKind.ARTICLE


def _lines(section: Section) -> list[str]:
    """Return the section's paragraphs and list items, each of which is a line of its text."""
    return section.text.splitlines()


def is_item(line: str) -> bool:
    """Return whether a line looks like an item of a list: short, and not ended as a sentence."""
    end = line.rstrip("\"'”’»)）」』 ")[-1:]
    is_ended = bool(end) and end not in _OPEN_ENDS and unicodedata.category(end) == "Po"
    return len(line) <= _LONGEST_ITEM and not is_ended
