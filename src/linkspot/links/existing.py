"""What a page already has of an entity: links to it, or the page is about it."""

from dataclasses import dataclass

from linkspot.links.identity import tell_apart
from linkspot.links.titles import TitleRules
from linkspot.records import Article, Entity, Link, LinkKind


@dataclass(frozen=True, slots=True)
class ExistingLink:
    """A link to the target that the page already has, and the number of its section."""

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
    """Return whether the page is about the entity: a page never links to itself."""
    if tell_apart(article.id, entity.id):
        return False
    rules = TitleRules(article.language)
    return bool(entity.title) and rules.normalise(article.title) == rules.normalise(entity.title)
