"""The linking rules of wikis, as far as they concern where a link may stand."""

from dataclasses import dataclass

from linkspot.links.titles import TitleRules
from linkspot.records import Article, Entity, Link, LinkKind, Section
from linkspot.source_map import Span


@dataclass(frozen=True, slots=True)
class ExistingLink:
    """A link to the target that the page has already."""

    section: int
    link: Link


def existing_links(article: Article, entity: Entity) -> tuple[ExistingLink, ...]:
    """Return the page's links to the entity."""
    rules = TitleRules(article.language)
    return tuple(
        ExistingLink(index, link)
        for index, section in enumerate(article.sections)
        for link in section.links
        if link.kind is LinkKind.PAGE and rules.leads_to(link.target, entity)
    )


def is_own_page(article: Article, entity: Entity) -> bool:
    """Tell whether the entity is what the page is about: a page never links to itself."""
    if article.id and entity.id and article.id != entity.id:
        return False
    rules = TitleRules(article.language)
    return bool(entity.title) and rules.normalise(article.title) == rules.normalise(entity.title)


def can_be_linked(section: Section, words: Span) -> bool:
    """Tell whether these words can become a link: not inside another, not beside one, not across other markup."""
    before, after = section.text[: words.start].rstrip(), section.text[words.end :].lstrip()
    reach = Span(len(before), len(section.text) - len(after))
    is_free = not any(link.start <= reach.end and reach.start <= link.end for link in section.links)
    return is_free and section.source_map.is_balanced(words.start, words.end)
