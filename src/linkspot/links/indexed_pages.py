"""Indexed pages: which pages of an index the links of a page lead to, and how the index's other pages write links."""

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from linkspot.links.address_style import ObservedLink
from linkspot.links.index import Index
from linkspot.links.locations import Address, Location, Names, common_tail
from linkspot.records import Article


class IndexedPages:
    """The pages of an index, as one page sees them; locations in it are paths in the corpus."""

    def __init__(self, index: Index, article: Article, file: Path | None = None) -> None:
        self._index, self._language = index, article.language
        path = file.absolute().with_suffix("").as_posix() if file else ""
        self.source = index.location_of_file(path, article.language) or index.location(
            (article.id, article.title), article.language
        )
        """Where the page itself is, if the index knows it."""

    @property
    def samples(self) -> tuple[ObservedLink, ...]:
        """Links of other pages in the page's language."""
        samples = self._index.sampled_links(self._language)
        return tuple(link for link in samples if link.target and self._is_own(Address.of(link.address), link.target))

    def location(self, names: Sequence[str]) -> Location | None:
        """Return where the page is that the first known one of these names stands for."""
        return self._index.location(names, self._language)

    def located(self, addresses: Sequence[str]) -> dict[str, Location]:
        """Return the pages that addresses in the page lead to; those that the index lacks are left out."""
        keys = {address: tuple(self._keys(Address.of(address))) for address in addresses}
        wanted = tuple(sorted({key for several in keys.values() for key in several}))
        known = self._index.locations(wanted, self._language) if wanted else {}
        first = ((address, next(filter(known.get, several), "")) for address, several in keys.items())
        return {address: known[key] for address, key in first if key and self._is_own(Address.of(address), known[key])}

    def _is_own(self, address: Address, location: Location) -> bool:
        """Return whether an address names no other language than the page's, whose version is another page."""
        begin = address.page[: len(address.page) - common_tail(address.page, location.slug)]
        named = {name.replace("_", "-").lower() for name in begin}
        return not named & (set(self._index.languages) - {self._language})

    def _keys(self, address: Address) -> Iterator[str]:
        """Yield the keys that the page of an address may have, the most exact first."""
        for names in self._readings(address):
            for start in range(len(names)):
                yield from _spellings(names[start:])

    def _readings(self, address: Address) -> Iterator[Names]:
        if self.source and not address.is_absolute:
            for own in (self.source.slug, self.source.slug[:-1], self.source.folder):
                if address.ups <= len(own) and address.ups:
                    yield (*own[: len(own) - address.ups], *address.page)
                elif not address.ups and own != self.source.slug:
                    yield (*own, *address.page)
        yield address.page


def _spellings(names: Names) -> Iterator[str]:
    """Yield how a corpus may spell the key of a page with these names: by its path, or by its title."""
    name = unicodedata.normalize("NFC", "/".join(names))
    path = name.replace(" ", "_")
    yield from dict.fromkeys((path.casefold(), path, name.replace("_", " "), path.replace("_", "-").casefold()))
