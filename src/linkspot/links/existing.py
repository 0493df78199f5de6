"""What a page has of an entity already: links to it, or itself."""

from dataclasses import dataclass

from linkspot.links.titles import TitleRules
from linkspot.records import Article, Entity, Link, LinkKind


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
