"""The targets that a page of wikitext names, found without parsing it."""

import re
from collections.abc import Iterator

from linkspot.parsing import language_of
from linkspot.parsing.character_references import resolved
from linkspot.parsing.namespaces import is_interwiki, namespace_of
from linkspot.parsing.wikitext.mask import COMMENT, EXTRA_NAMESPACES, HIDDEN, mask
from linkspot.records import Page
from linkspot.remembering import remembered

_UNUSUAL = rf"\x00{HIDDEN}{COMMENT}"
_TITLE = re.compile(rf"\[\[([^\[\]{{}}<>|\n{_UNUSUAL}]+)(?:\||\]\])")
# A comment, a tag, a template or a file inside of a title shows nothing, and may hold a bracket or a bar.
_COVERED_TITLE = re.compile(rf"\[\[[^\[\]{{}}<>|\n{_UNUSUAL}]*+(?:<|\{{\{{|\[\[|[{_UNUSUAL}])")
_MASKED_TITLE = re.compile(
    rf"\[\[([^\[\]{{}}<>|\n{HIDDEN}{COMMENT}]*+[{HIDDEN}{COMMENT}][^\[\]{{}}<>|\n]*+)(?:\||\]\])"
)
_COVER = re.compile(f"[{HIDDEN}{COMMENT}]+")


def link_targets(page: Page) -> Iterator[str]:
    """Yield the targets of all links to pages, also in tables, templates and code."""
    language = language_of(page)
    titles = _TITLE.findall(page.text)
    if _COVERED_TITLE.search(page.text):
        titles += [_COVER.sub("", title) for title in _MASKED_TITLE.findall(mask(page.text, language))]
    for title in titles:
        target = resolved(title).strip()
        if target and (":" not in target or _is_page(target.lstrip(": ").partition(":")[0], language)):
            yield target


@remembered(entries=4096, longest=128)
def _is_page(prefix: str, language: str) -> bool:
    title = f"{prefix}:"
    return namespace_of(title, language, EXTRA_NAMESPACES) is None and not is_interwiki(title, language)
