"""Page → article: one parser for each markup, all of them making the same Article."""

import re
from collections.abc import Callable
from dataclasses import replace

from linkspot.errors import UnknownLanguage
from linkspot.records import Article, Markup, Page

_LANGUAGE_TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8})*", re.IGNORECASE)


def parse(page: Page) -> Article:
    """Return the page's article: its sections, sentences and links, each in its place in the markup."""
    return PARSERS[page.markup]()(replace(page, language=language_of(page)))


def language_of(page: Page) -> str:
    """Return the page's language: as told with the page, else as its own markup declares it."""
    language = (page.language or _declared_language(page)).replace("_", "-").lower()
    if not language:
        raise UnknownLanguage(
            f"{page.title or page.id or 'the page'} does not say its language; name it, for instance: --lang sw"
        )
    if not _LANGUAGE_TAG.fullmatch(language):
        raise UnknownLanguage(f"{language!r} is not a language tag; expected one like en, sw, pt-br or zh-tw")
    return language


def _declared_language(page: Page) -> str:
    if page.markup is Markup.HTML:
        from linkspot.parsing.html.page import declared_language

        return declared_language(page.text)
    if page.markup is Markup.MARKDOWN:
        from linkspot.parsing.markdown.dialects import front_matter

        return front_matter.declared_language(page.text)
    return ""  # wikitext has no way to say it


def _html() -> Callable[[Page], Article]:
    from linkspot.parsing.html import page as html

    return html.parse


def _wikitext() -> Callable[[Page], Article]:
    from linkspot.parsing.wikitext import page as wikitext

    return wikitext.parse


def _markdown() -> Callable[[Page], Article]:
    from linkspot.parsing.markdown import page as markdown

    return markdown.parse


# Values are functions, so that reading one markup never imports another's libraries.
PARSERS: dict[Markup, Callable[[], Callable[[Page], Article]]] = {
    Markup.HTML: _html,
    Markup.WIKITEXT: _wikitext,
    Markup.MARKDOWN: _markdown,
}
