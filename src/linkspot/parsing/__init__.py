"""Page → article: every markup makes the same Article, by what its record in `linkspot.parsing.markup` says."""

import re
from collections import Counter
from dataclasses import replace

from linkspot.errors import UnknownLanguage
from linkspot.parsing.markup import markup_kind
from linkspot.records import Article, Page

_LANGUAGE_TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8})*|simple", re.IGNORECASE)  # `simple` is simple English


def parse(page: Page) -> Article:
    """Return the page's article: its sections, sentences and links, each in its place in the markup."""
    return markup_kind(page.markup).parse(replace(page, language=language_of(page)))


def language_of(page: Page) -> str:
    """Return the page's language: as its corpus or user gives it, else as its own markup declares it."""
    language = (page.language or declared_language(page)).replace("_", "-").lower()
    if not language:
        raise UnknownLanguage(
            f"{page.title or page.id or 'the page'} does not say its language; name it, for instance: --lang sw "
            "(in Python: language='sw')"
        )
    if not is_language_tag(language):
        raise UnknownLanguage(f"{language!r} is not a language tag; expected one like en, sw, pt-br or zh-tw")
    return language


def declared_language(page: Page) -> str:
    """Return the language that the page's own markup declares, as it is written there, or nothing."""
    return markup_kind(page.markup).declared_language(page.text)


def is_language_tag(text: str) -> bool:
    """Return whether a text has the form of a language tag, such as en, pt-BR or zh_tw."""
    return _LANGUAGE_TAG.fullmatch(text.replace("_", "-").lower()) is not None


def link_targets(page: Page) -> Counter[str]:
    """Return how often the page's markup names each target, at a small part of what parsing costs.

    Targets are spelled as `parse` would spell them. No target of a link to a page that `parse` finds is missed, if
    it has at most 1,000 characters; those in tables, templates and code are named as well.
    """
    return Counter(markup_kind(page.markup).link_targets(page))


def redirect_target(page: Page) -> str | None:
    """Return the title that the page's own markup redirects to, None for an ordinary page."""
    return markup_kind(page.markup).redirect_target(page.text)
