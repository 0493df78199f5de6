"""The markup of a link, written by the page's markup and read again before anybody sees it."""

from dataclasses import dataclass
from urllib.parse import unquote

from linkspot.answers.link_address import LinkAddress, link_address
from linkspot.answers.source_page import SourcePage
from linkspot.answers.target import Target
from linkspot.errors import UnwritableLink
from linkspot.links.titles import TitleRules
from linkspot.parsing.markup import NewLink, markup_kind
from linkspot.records import Article, Entity, Link, Page
from linkspot.text.display import words_of_one_line


@dataclass(frozen=True, slots=True)
class LinkWriter:
    """Writes links from one page to one target, as the page writes its links.

    All of it raises UnwritableLink, with a sentence, if this markup cannot link such a title or address.
    """

    article: Article
    entity: Entity
    address: LinkAddress

    @classmethod
    def of(cls, source: SourcePage, target: Target) -> "LinkWriter":
        """Return the writer for a page and a target."""
        holds_titles = markup_kind(source.article.markup).links_hold_titles
        address = LinkAddress("") if holds_titles else link_address(source, target)
        return cls(source.article, target.entity, address)

    def around(self, words: str, *, is_new: bool = False) -> str:
        """Return the markup of a link around words that are markup already; new ones do not stand in the page yet."""
        article, title = self.article, self.entity.title
        kind, says_title = markup_kind(article.markup), False
        if kind.links_hold_titles:
            rules = TitleRules(article.language)
            says_title = rules.normalise(words) == rules.normalise(title or words)
        address, form = self.address.address, self.address.form
        return kind.write_link(NewLink(words, title, article.language, address, says_title, form, is_new))

    def named(self) -> str:
        """Return the markup of a link that shows the entity's name.

        Raises UnwritableLink unless the markup, read again, is this one link and no more, so that no title, whoever
        wrote it, can bring markup of its own into a page.
        """
        article, entity = self.article, self.entity
        kind, name = markup_kind(article.markup), words_of_one_line(entity.names[0])
        if not name:
            raise UnwritableLink(f"{entity.names[0]!r} cannot be linked: it has no character that a page can show")
        link = self.around(kind.write_text(name), is_new=True)
        section, *others = kind.parse(Page("", f"a {link} b", article.markup, article.language)).sections
        is_read = not others and section.text == f"a {name} b" and len(section.links) == 1
        if not is_read or section.links[0].mention != name or not self.leads_there(section.links[0]):
            raise UnwritableLink(f"“{name}” cannot be linked: {article.markup} would read more than a link in it")
        return link

    def leads_there(self, link: Link) -> bool:
        """Return whether a link, as it was read, has the target that it was written with."""
        if markup_kind(self.article.markup).links_hold_titles:
            rules = TitleRules(self.article.language)
            return rules.normalise(link.target) == rules.normalise(self.entity.title or self.entity.names[0])
        read, written = unquote(link.target), unquote(self.address.address)
        # A macro leaves out what comes before the target's own address, the locale.
        return read == written or bool(self.address.form and read and written.endswith(read))
