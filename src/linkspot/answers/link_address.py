"""The address of a link: where it leads, as this page writes addresses, and never more than an address."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from urllib.parse import unquote

from linkspot.answers.safe_address import checked, encoded, guarded, path_address
from linkspot.answers.source_page import SourcePage
from linkspot.answers.target import Target
from linkspot.errors import LinkspotError, UnwritableLink
from linkspot.links.address_style import AddressStyle, ObservedLink, Start
from linkspot.links.index import Index
from linkspot.links.indexed_pages import IndexedPages
from linkspot.links.locations import Location, compared, names_of
from linkspot.links.nearby_files import NearbyFiles, location_of, neighbours
from linkspot.links.site_defaults import default_style
from linkspot.parsing.markup import MarkupKind, markup_kind
from linkspot.records import Article, Entity, LinkKind

WIKI = "wiki"  # the form of links in double brackets
_MOST_LINKS = 200  # of a page, that its style is learned from
_LONGEST_ADDRESS = 500  # characters
_ENOUGH_LINKS = 3  # of a page that lead to known files, so that no other page needs to be read
_ALL_SAMPLES = 3.0  # links of the page: how much the links of all other pages count together
_DOTS = frozenset({".", ".."})


@dataclass(frozen=True, slots=True)
class LinkAddress:
    """An address, and the form of the link around it, if the page does not write such links in the usual way."""

    address: str
    form: str = ""


def link_address(source: SourcePage, target: Target) -> LinkAddress:
    """Return the target's given address, else one that is written like those of the page and of its site.

    It is relative, or leads to the web; it is percent-encoded so far that it can end in no markup.
    """
    if target.url:
        return LinkAddress(checked(encoded(target.url), target.entity))
    return _SiteKnowledge(source, target).address()


class _SiteKnowledge:
    """What is known of the site that the page and the target are in: where both are, and how pages write links."""

    def __init__(self, source: SourcePage, target: Target) -> None:
        self._page, self._entity = source, target.entity
        self._kind = markup_kind(source.article.markup)
        self._links = _links_of(source, self._kind)
        self._samples: list[ObservedLink] = []
        self._source: Location | None = None
        self._target: Location | None = None
        if target.index:
            self._look_in_index(target.index, target.location)
        if not self._target and target.file:
            self._look_at_files(target.file)

    def _look_in_index(self, index: Index, location: Location | None) -> None:
        pages = IndexedPages(index, self._page.article, self._page.path)
        self._target = location or pages.location((self._entity.id, self._entity.title))
        if self._target:
            self._source = pages.source
            self._links = _located(self._links, pages)
            self._samples = _weighted(pages.samples)

    def _look_at_files(self, file: Path) -> None:
        own, article = self._page.path, self._page.article
        if own is None:
            self._target = location_of(file, self._entity.id)
            return
        files = NearbyFiles(own, article)
        self._target = files.location(file, self._entity.id)
        self._source, self._links = files.source, _located(self._links, files)
        if sum(link.target is not None and link.form in {"", WIKI} for link in self._links) < _ENOUGH_LINKS:
            others = (link for page in neighbours(own, file) for link in _links_of_file(page, article))
            self._samples = _weighted(list(others))

    def address(self) -> LinkAddress:
        """Return the address of the target, in the form that links to such targets have."""
        every = [*self._links, *self._samples]
        is_wiki = sum(link.weight if link.form == WIKI else -link.weight for link in every) > 0
        target = self._target or _unlocated(self._entity, blank=" " if is_wiki else "_")
        _check_names(target, self._entity)
        usual = [link for link in every if link.form == (WIKI if is_wiki else "")] or every
        style = AddressStyle.learned_from(usual, self._source, target) if target.slug else None
        style = style or self._default(target)
        address = style.write(self._source, target) if style else ""
        if not address:
            return LinkAddress(_title_address(self._entity, self._kind))
        address = guarded(encoded(address))
        return LinkAddress(address, WIKI if is_wiki else self._special_form(address, every))

    def _default(self, target: Location) -> AddressStyle | None:
        """Return the style of a site whose links show none: what its generator needs, else paths between files."""
        path = self._page.path
        if self._source and target.path:
            ending = path.suffix if path else self._kind.endings[0]
            generated = default_style(path, self._source, target) if path else None
            return generated or AddressStyle(Start.FILE, ending=target.ending or ending)
        if self._entity.id.startswith("/") and not target.path:
            return AddressStyle(Start.PREFIX, "/")  # a slug that is an address already
        return None

    def _special_form(self, address: str, links: Sequence[ObservedLink]) -> str:
        """Return the macro by which most links lead to such targets, or nothing if most are ordinary links.

        If no link leads to such a target, or as many of both kinds, all links count that a macro could write. An
        ordinary link says nothing about macros if none could show its words: those for code cannot show prose.
        """
        fitting = {form.lower(): form for form in self._kind.special_forms(unquote(address))}
        if not fitting:
            return ""
        alike: defaultdict[str, float] = defaultdict(float)
        others: defaultdict[bool, float] = defaultdict(float)
        for link in links:
            forms = self._possible_forms(link)
            if forms & fitting.keys():
                alike[link.form] += link.weight
            elif forms:
                others[bool(link.form)] += link.weight
        usual = alike.pop("", 0.0)
        lead = sum(alike.values()) - usual or others[True] - others[False]
        if lead <= 0:
            return ""
        return max(alike, key=lambda form: alike[form]) if alike else next(iter(fitting.values()))

    def _possible_forms(self, link: ObservedLink) -> set[str]:
        """Return the form that a link has, or else the forms that it could have, in small letters."""
        if link.form:
            return {link.form.lower()} - {WIKI}  # which says nothing about macros
        forms = self._kind.special_forms(link.address) if link.other_forms is None else link.other_forms
        return set(map(str.lower, forms))


def _links_of(source: SourcePage, kind: MarkupKind) -> list[ObservedLink]:
    """Return the page's links to other pages, each address once."""
    links = (link for section in source.article.sections for link in section.links)
    pages = (link for link in links if link.kind is LinkKind.PAGE and not link.target.startswith("#"))
    usable = (link for link in pages if len(link.target) <= _LONGEST_ADDRESS)
    observed = (_observed(link.target, link.source.cut(source.page.text), kind) for link in usable)
    return list(dict.fromkeys(islice(observed, _MOST_LINKS)))


def _observed(target: str, markup: str, kind: MarkupKind) -> ObservedLink:
    form = kind.link_form(markup)
    others = () if form else tuple(kind.forms_instead(markup, target))
    return ObservedLink(target.partition("#")[0], form=form, other_forms=others)


def _located(links: Sequence[ObservedLink], pages: IndexedPages | NearbyFiles) -> list[ObservedLink]:
    """Return the links of the page with the pages that they lead to, as far as they are known."""
    written = [link for link in links if link.form in {"", WIKI}] or links  # a macro's target stands nowhere
    known = pages.located([link.address for link in written])
    return [replace(link, source=pages.source, target=known.get(link.address)) for link in links]


def _weighted(links: Sequence[ObservedLink]) -> list[ObservedLink]:
    """Return links of other pages, which count little against those of the page itself."""
    return [replace(link, weight=_ALL_SAMPLES / len(links)) for link in links]


def _links_of_file(file: Path, article: Article) -> list[ObservedLink]:
    """Return the links of a page beside the one that gets a link; a page in another markup shows nothing."""
    try:
        page = SourcePage.of(file, language=article.language)
    except LinkspotError:
        return []
    if page.article.markup != article.markup:
        return []
    return _located(_links_of(page, markup_kind(article.markup)), NearbyFiles(file, page.article))


def _unlocated(entity: Entity, blank: str) -> Location:
    """Return what a target's slug or title says of where it is."""
    title = entity.title or entity.names[0]
    is_slug = "/" in entity.id or (entity.id and compared(entity.id) == compared(entity.title))
    return Location((), names_of(entity.id)) if is_slug else Location.of_title(title.replace(" ", blank))


def _check_names(target: Location, entity: Entity) -> None:
    encoded("".join(target.slug))
    if _DOTS & {*target.slug, *target.path}:
        name = entity.title or entity.names[0]
        raise UnwritableLink(f"“{name}” cannot be linked: an address with . or .. between slashes leads elsewhere")


def _title_address(entity: Entity, kind: MarkupKind) -> str:
    """Return the address of a page beside this one that is called like the target."""
    address = path_address((entity.title or entity.names[0]).replace(" ", "_"))
    return guarded(f"./{address}" if address.startswith("/") else kind.beside + address)
