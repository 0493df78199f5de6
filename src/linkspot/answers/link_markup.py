"""How a link is written in each markup."""

import re
from html import escape
from urllib.parse import quote

from linkspot.links.titles import TitleRules
from linkspot.parsing.namespaces import stands_in_text
from linkspot.records import Article, Entity, LinkKind, Markup

_DOCS_BASE = re.compile(r"/(?:[\w-]+/)?docs/")  # what stands before a slug
_SUFFIX = re.compile(r"\.(?:x?html?|mdx?|markdown)(?=$|[?#])", re.IGNORECASE)
_UNSAFE = re.compile(r"[\s%?#\"<>()\\]")


def link_markup(article: Article, entity: Entity, words: str) -> str:
    """Return the markup of a link to the entity, as this page writes links, around words that are markup already."""
    match article.markup:
        case Markup.WIKITEXT:
            return _wikitext(article, entity, words)
        case Markup.HTML:
            title = f' title="{escape(entity.title)}"' if entity.title else ""
            return f'<a href="{escape(_address(article, entity))}"{title}>{words}</a>'
        case Markup.MARKDOWN:
            return f"[{words}]({_address(article, entity)})"


def _wikitext(article: Article, entity: Entity, words: str) -> str:
    title = (entity.title or words).replace("_", " ")
    rules = TitleRules(article.language)
    if not stands_in_text(title, article.language):
        title = f":{title}"
    return f"[[{words}]]" if rules.normalise(words) == rules.normalise(title) else f"[[{title}|{words}]]"


def _address(article: Article, entity: Entity) -> str:
    """Return the link's address: as given, else built like those of the page's other links."""
    if entity.url:
        return entity.url
    targets = [link.target for section in article.sections for link in section.links if link.kind is LinkKind.PAGE]
    bases = [base[0] for target in targets if (base := _DOCS_BASE.match(target))]
    if entity.id and bases:
        return max(bases, key=len) + entity.id  # with the locale, if some link has it
    if entity.id.startswith("/"):
        return entity.id  # a slug that is an address already
    suffix = next((found[0] for target in targets if (found := _SUFFIX.search(target))), "")
    name = (entity.title or entity.names[0]).replace(" ", "_") + suffix
    name = _UNSAFE.sub(lambda unsafe: quote(unsafe[0], safe=""), name)
    return f"./{name}" if article.markup is Markup.HTML else name
