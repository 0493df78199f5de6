"""The targets that a page of wikitext names, found without parsing it."""

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape

from linkspot.parsing import language_of
from linkspot.parsing.namespaces import is_interwiki, namespace_of
from linkspot.parsing.wikitext.mask import COMMENT, EXTRA_NAMESPACES, HIDDEN, mask
from linkspot.records import Page

_UNUSUAL = rf"\x00{HIDDEN}{COMMENT}"
_TITLE = re.compile(rf"\[\[([^\[\]{{}}<>|\n{_UNUSUAL}]+)(?:\||\]\])")
# A comment, a tag or a template inside of a title shows nothing, and may hold a bracket or a bar.
_COVERED_TITLE = re.compile(rf"\[\[(?=[^\[\]{{}}<>|\n{_UNUSUAL}]*(?:<|\{{\{{|[{_UNUSUAL}]))")
_MASKED_TITLE = re.compile(r"\[\[([^\[\]{}<>|\n]+)(?:\||\]\])")
_COVER = re.compile(f"[{HIDDEN}{COMMENT}]+")
_LONGEST_TITLE = 10_000  # characters, with what is hidden in it


def link_targets(page: Page) -> Iterator[str]:
    """Yield the targets of all links to pages, also in tables, templates and code."""
    language = language_of(page)
    titles = _TITLE.findall(page.text)
    for match in _COVERED_TITLE.finditer(page.text):
        title = _MASKED_TITLE.match(mask(page.text[match.start() : match.start() + _LONGEST_TITLE], language))
        if title:
            titles.append(_COVER.sub("", title[1]))
    for title in titles:
        target = unescape(title).strip()
        if target and (":" not in target or _is_page(target.lstrip(": ").partition(":")[0], language)):
            yield target


@lru_cache(maxsize=4096)
def _is_page(prefix: str, language: str) -> bool:
    title = f"{prefix}:"
    return namespace_of(title, language, EXTRA_NAMESPACES) is None and not is_interwiki(title, language)
