"""Nearby files: which files on this disk the links of a page lead to, if the page itself is a file."""

import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from linkspot.corpora.languages import base_of, is_language
from linkspot.links.locations import Address, Location, Names, split_ending
from linkspot.parsing.markup import markup_kind
from linkspot.records import Article

_INDEX_FILES = ("index", "_index", "README")
_MOST_FOLDERS = 12  # above the page's file, in which a site's top is looked for
_MOST_NEIGHBOURS = 6  # pages that show how the site writes links, if a page shows nothing
_NUMBERING = "docusaurus.config.*"  # of a site whose files may have numbers that their addresses have not
_NUMBER = re.compile(r"^\d+[-_]+(?=\D)")  # 02-setup.md is at setup
_MOST_DROPPED = 2  # names at the start of an address that no folder has: a language, /docs/, /wiki/


class NearbyFiles:
    """The files around a page's own file; locations in it are whole paths on this disk."""

    def __init__(self, file: Path, article: Article) -> None:
        self._file = whole_path(file)
        self._endings = tuple(dict.fromkeys((self._file.suffix, *markup_kind(article.markup).endings)))
        self._language = base_of(article.language)
        self._is_numbered = any(any(folder.glob(_NUMBERING)) for folder in self._above)
        self.source = self.location(self._file, article.id)
        """Where the page itself is."""

    def location(self, file: Path, slug: str = "") -> Location:
        """Return the location of a file, whose page may declare a slug."""
        location = location_of(file, slug)
        if not self._is_numbered:
            return location
        return replace(location, slug=tuple(_NUMBER.sub("", name) for name in location.slug))

    def located(self, addresses: Sequence[str]) -> dict[str, Location]:
        """Return the files that addresses in the page lead to; those whose file is not found are left out."""
        by_dropped = [self._located(addresses, dropped) for dropped in range(_MOST_DROPPED + 1)]
        return max(by_dropped, key=len)  # the first of those that find the most

    def _located(self, addresses: Sequence[str], dropped: int) -> dict[str, Location]:
        files = ((address, self._file_of(Address.of(address), dropped)) for address in addresses)
        return {address: self.location(file) for address, file in files if file}

    def _file_of(self, address: Address, dropped: int) -> Path | None:
        dropped = dropped if address.is_absolute else 0
        names = address.names[dropped:]
        if not names or any(os.sep in name for name in names):
            return None
        if any(is_language(name) and base_of(name) != self._language for name in address.names[:dropped]):
            return None  # the page's version in another language is another page
        spellings = dict.fromkeys((names, tuple(name.lower() for name in names)))
        files = (
            file
            for folder in self._folders(address)
            for spelling in spellings
            for file in self._files(folder, spelling, address.has_slash)
        )
        try:
            return next((file for file in files if file.is_file()), None)
        except (OSError, ValueError):  # a name that no file can have
            return None

    def _folders(self, address: Address) -> Iterator[Path]:
        """Yield the folders that an address may be seen from: the page's own ones, else any above the page."""
        if not address.is_absolute:
            own = [self._file.parent, self._file.with_suffix("")]
            for folder in reversed(own) if address.has_slash else own:
                yield whole_path(folder.joinpath(*[os.pardir] * address.ups))
        if not address.ups:
            yield from self._above

    @property
    def _above(self) -> list[Path]:
        return list(self._file.parents)[:_MOST_FOLDERS]

    def _files(self, folder: Path, names: Names, has_slash: bool) -> Iterator[Path]:
        if len(names) > 1 and not (folder / names[0]).is_dir():
            return
        stem, ending = split_ending(names[-1])
        parent = folder.joinpath(*names[:-1])
        if ending:
            yield parent / names[-1]
        plain = [parent / f"{stem}{ending}" for ending in self._endings]
        indices = [parent / stem / f"{name}{ending}" for name in _INDEX_FILES for ending in self._endings]
        yield from (*indices, *plain) if has_slash else (*plain, *indices)


def location_of(file: Path, slug: str = "") -> Location:
    """Return the location of a file on this disk, whose page may declare a slug."""
    return Location.of_file(whole_path(file).as_posix(), slug)


def neighbours(file: Path, *others: Path) -> list[Path]:
    """Return some pages around a file: those that are named, then pages of its folder, the next ones first."""
    try:
        names = sorted(other.name for other in file.parent.iterdir() if other.suffix == file.suffix)
    except OSError:
        names = []
    at = bisect_left(names, file.name)
    nearest = sorted(range(len(names)), key=lambda number: abs(number - at))[: _MOST_NEIGHBOURS + 1]
    around = [*others, *(file.parent / names[number] for number in nearest)]
    own = whole_path(file)
    return list(dict.fromkeys(whole_path(other) for other in around if whole_path(other) != own))[:_MOST_NEIGHBOURS]


def whole_path(path: Path) -> Path:
    """Return the path from the disk's top, without dots; links of the disk are not followed."""
    return Path(os.path.normpath(path.absolute()))
