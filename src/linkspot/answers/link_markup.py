"""The markup of a link, written by the page's markup and read again before anybody sees it."""

from urllib.parse import unquote

from linkspot.answers.link_address import link_address
from linkspot.errors import UnwritableLink
from linkspot.links.titles import TitleRules
from linkspot.parsing.markup import NewLink, markup_kind
from linkspot.records import Article, Entity, Link, Page
from linkspot.text.display import words_of_one_line


def link_markup(article: Article, entity: Entity, words: str) -> str:
    """Return the markup of a link to the entity, as this page writes links, around words that are markup already.

    Raises UnwritableLink, with a sentence, if this markup cannot link such a title or address.
    """
    kind = markup_kind(article.markup)
    if kind.links_hold_titles:
        rules = TitleRules(article.language)
        says_title = rules.normalise(words) == rules.normalise(entity.title or words)
        return kind.write_link(NewLink(words, entity.title, article.language, says_title=says_title))
    return kind.write_link(NewLink(words, entity.title, article.language, link_address(article, entity, kind)))


def named_link(article: Article, entity: Entity) -> str:
    """Return the markup of a link to the entity that shows its name.

    Raises UnwritableLink unless the markup, read again, is this one link and no more, so that no title, whoever wrote
    it, can bring markup of its own into a page.
    """
    kind, name = markup_kind(article.markup), words_of_one_line(entity.names[0])
    if not name:
        raise UnwritableLink(f"{entity.names[0]!r} cannot be linked: it has no character that a page can show")
    link = link_markup(article, entity, kind.write_text(name))
    section, *others = kind.parse(Page("", f"a {link} b", article.markup, article.language)).sections
    is_read = not others and section.text == f"a {name} b" and len(section.links) == 1
    if not is_read or section.links[0].mention != name or not leads_there(section.links[0], article, entity):
        raise UnwritableLink(f"“{name}” cannot be linked: {article.markup} would read more than a link in it")
    return link


def leads_there(link: Link, article: Article, entity: Entity) -> bool:
    """Return whether a link, as it was read, has the target that a link to the entity was written with."""
    kind = markup_kind(article.markup)
    if kind.links_hold_titles:
        rules = TitleRules(article.language)
        return rules.normalise(link.target) == rules.normalise(entity.title or entity.names[0])
    return unquote(link.target) == unquote(link_address(article, entity, kind))
