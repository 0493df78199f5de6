"""Pages and targets that `linkspot suggest` reads from a live wiki: PAGE as an address, and `--wiki`."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from linkspot.errors import UnreadablePage, UnusableInput
from linkspot.extras import Extra, require

if TYPE_CHECKING:
    from linkspot.answers.source_page import SourcePage
    from linkspot.corpora.wiki.api import Wiki
    from linkspot.records import Entity


@dataclass(slots=True)
class LiveSource:
    """The one wiki that a command reads from, by the addresses at which its API may be; it is opened when needed."""

    apis: tuple[str, ...]
    contact: str
    _wiki: "Wiki | None" = field(default=None, init=False)

    @classmethod
    def of(cls, page: str, wiki: str, contact: str) -> "LiveSource | None":
        """Return the wiki of a page's address or of `--wiki`, None if the options name neither."""
        from linkspot.corpora.wiki.page_address import PageAddress, apis_of_wiki, host_of, is_address

        page_apis = PageAddress.of(page).apis if is_address(page) else ()
        apis = apis_of_wiki(wiki) if wiki else page_apis
        if not apis:
            return None
        if page_apis and host_of(page_apis[0]) != host_of(apis[0]):
            raise UnusableInput(
                f"the page is on {host_of(page_apis[0])}, and --wiki names {host_of(apis[0])}; a link stays in one wiki"
            )
        require(Extra.DATA, "a live wiki", ("httpx2",))
        return cls(apis, contact)

    def page(self, address: str, language: str) -> "SourcePage":
        """Return the page at an address, as its wikitext is now."""
        from linkspot.answers.source_page import SourcePage
        from linkspot.corpora.wiki.live_page import live_page
        from linkspot.corpora.wiki.page_address import PageAddress

        return SourcePage.of(live_page(self._opened(), PageAddress.of(address).title, language))

    def entity(self, title: str) -> "Entity":
        """Return what the wiki knows of a target: its title as the wiki spells it, its lead, and its redirects."""
        from linkspot.answers.target import entity_of
        from linkspot.corpora.wiki.live_page import live_page
        from linkspot.door import check_page
        from linkspot.parsing import parse

        page = live_page(self._opened(), title)
        check_page(page)
        return replace(entity_of(parse(page)), mentions=page.redirects, id=page.entity)

    def completed(self, entity: "Entity") -> "Entity":
        """Return a target with what the wiki knows of it; one that the wiki lacks stays as it is."""
        from linkspot.answers.target import completed

        if not entity.title:
            return entity
        try:
            known = self.entity(entity.title)
        except UnreadablePage:
            return entity
        return completed(replace(entity, title=known.title), known)

    def close(self) -> None:
        """Close the connections."""
        if self._wiki is not None:
            self._wiki.close()

    def _opened(self) -> "Wiki":
        from linkspot.corpora.wiki.live_page import open_wiki

        if self._wiki is None:
            self._wiki = open_wiki(self.apis, self.contact)
        return self._wiki
