"""The markup of a link: this module decides where it leads, the page's markup how it is written."""

import re
from functools import cache
from urllib.parse import quote

from linkspot.links.titles import TitleRules
from linkspot.parsing.markup import MarkupKind, NewLink, markup_kind
from linkspot.records import Article, Entity, LinkKind

_DOCS_BASE = re.compile(r"/(?:[\w-]+/)?docs/")  # comes before a slug
_USUAL_ENDINGS = (".html", ".htm", ".xhtml", ".md", ".mdx", ".markdown")  # whatever markup the page itself is in
_UNSAFE = re.compile(r"[\s%?#\"<>()\\]")


def link_markup(article: Article, entity: Entity, words: str) -> str:
    """Return the markup of a link to the entity, as this page writes links, around words that are markup already."""
    kind = markup_kind(article.markup)
    if kind.links_hold_titles:
        rules = TitleRules(article.language)
        says_title = rules.normalise(words) == rules.normalise(entity.title or words)
        return kind.write_link(NewLink(words, entity.title, article.language, says_title=says_title))
    address = _address(article, entity, kind)
    return kind.write_link(NewLink(words, entity.title, article.language, address))


def _address(article: Article, entity: Entity, kind: MarkupKind) -> str:
    """Return the link's address: the entity's own, else one like the addresses of the page's other links."""
    if entity.url:
        return entity.url
    targets = [link.target for section in article.sections for link in section.links if link.kind is LinkKind.PAGE]
    bases = [base[0] for target in targets if (base := _DOCS_BASE.match(target))]
    if entity.id and bases:
        return max(bases, key=len) + entity.id  # with the locale, if some link has it
    if entity.id.startswith("/"):
        return entity.id  # a slug that is an address already
    endings = (_ending(kind).search(target) for target in targets)
    name = (entity.title or entity.names[0]).replace(" ", "_") + next((ending[0] for ending in endings if ending), "")
    name = _UNSAFE.sub(lambda unsafe: quote(unsafe[0], safe=""), name)
    return f"{kind.beside}{name}"


@cache
def _ending(kind: MarkupKind) -> re.Pattern[str]:
    """Return what the file in an address ends in."""
    endings = "|".join(map(re.escape, (*kind.endings, *_USUAL_ENDINGS)))
    return re.compile(rf"(?:{endings})(?=$|[?#])", re.IGNORECASE)
