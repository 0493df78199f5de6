"""The door: what comes in is compared with the limits before any work is done on it."""

from linkspot.errors import TooLarge
from linkspot.limits import LIMITS, Limits
from linkspot.records import Article, Entity, Page


def check_page(page: Page, limits: Limits = LIMITS) -> None:
    """Raise TooLarge if a page's markup is over the limit."""
    # A character has at most four bytes, so most pages need not be encoded to be measured.
    if 4 * len(page.text) > limits.page_bytes:
        _check(len(page.text.encode(errors="replace")), limits.page_bytes, "the page", "bytes of markup")


def check_article(article: Article, limits: Limits = LIMITS) -> None:
    """Raise TooLarge if a parsed page has too many sentences, or too many links in one of them."""
    _check(len(article.sentences), limits.page_sentences, "the page", "sentences")
    for section in article.sections:
        if len(section.links) > limits.sentence_links:
            most = max((len(section.links_in(one.start, one.end)) for one in section.sentences), default=0)
            _check(most, limits.sentence_links, "a sentence of the page", "links")


def check_entity(entity: Entity, limits: Limits = LIMITS) -> None:
    """Raise TooLarge if a target has too many names, or a name or lead that is too long."""
    _check(len(entity.names), limits.names, "the target", "names")
    _check(len(entity.title), limits.title_characters, "the target's title", "characters")
    _check(max(map(len, entity.mentions), default=0), limits.mention_characters, "a mention", "characters")
    _check(len(entity.lead), limits.lead_characters, "the target's lead", "characters")


def _check(number: int, most: int, what: str, unit: str) -> None:
    if number > most:
        counted = f"{what.replace('the ', 'a ', 1)} with more than {most:,} {unit}"
        raise TooLarge(f"{what} has {number:,} {unit}; expected at most {most:,}", counted)
