"""Locations: where a page is in its site, and the names that an address is made of."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from linkspot.parsing.page_endings import page_ending
from linkspot.remembering import remembered

Names = tuple[str, ...]
"""Folders and a page, from the outside to the inside."""

_INDEX_FILES = frozenset({"index", "_index", "readme"})
_DOTS = frozenset({".", ".."})
_ADDRESSES_KEPT, _LONGEST_ADDRESS = 4_096, 500
_NO_PATH = re.compile(r"[?#]")


@dataclass(frozen=True, slots=True)
class Location:
    """Where a page is: the folders and name of its file, and of its address.

    `path` has no file ending, but the name of an index file; it is empty if the page has no file. `slug` is what the
    address may be made of: without the index file, and spelled with the capitals of the page's own slug.
    """

    path: Names
    slug: Names
    ending: str = ""

    @classmethod
    def of_file(cls, path: str, slug: str = "") -> "Location":
        """Return the location of a file, whose page may declare a slug of its own."""
        file = PurePosixPath(path)
        names = (*(name for name in file.parts[:-1] if name != "/"), file.stem)
        return cls(names, _recased(_without_index(names), names_of(slug)), file.suffix)

    @classmethod
    def of_page(cls, path: str, slug: str) -> "Location":
        """Return the location of a page of a corpus, whose path has no ending; its slug is in the corpus's own form."""
        return cls(names_of(path), _without_index(names_of(slug)))

    @classmethod
    def of_title(cls, title: str) -> "Location":
        """Return the location of a page of which only the title is known; blanks in it stay."""
        return cls((), names_of(title))

    @property
    def folder(self) -> Names:
        """The folders that the page's file is in."""
        return self.path[:-1]

    @property
    def is_index(self) -> bool:
        """Whether the page's file stands for its folder."""
        return bool(self.path) and is_index_file(self.path[-1])


@dataclass(frozen=True, slots=True)
class Address:
    """The path of a link's address: how many folders it leaves, and the names after that.

    `names` have no escapes; `written` are the same names as they stand in the address.
    """

    names: Names
    written: Names = ()
    is_absolute: bool = False
    ups: int = 0
    has_dot: bool = False
    has_slash: bool = False

    @classmethod
    def of(cls, text: str) -> "Address":
        """Read an address; its query and its fragment do not count."""
        return _read_address(text)

    @property
    def beginning(self) -> str:
        """What stands before the names."""
        if self.is_absolute:
            return "/"
        return "../" * self.ups or ("./" if self.has_dot else "")

    def prefix(self, count: int) -> str:
        """Return the address up to and with this number of its names."""
        return self.beginning + "".join(f"{name}/" for name in self.written[:count])

    @property
    def page(self) -> Names:
        """The names without the file's ending and without an index file."""
        if not self.names:
            return ()
        return _without_index((*self.names[:-1], split_ending(self.names[-1])[0]))


def names_of(slug: str) -> Names:
    """Return the folders and the page in a slug or a path."""
    return tuple(name for name in slug.split("/") if name)


def is_index_file(stem: str) -> bool:
    """Return whether a file of this name stands for its folder."""
    return stem.lower() in _INDEX_FILES


def split_ending(name: str) -> tuple[str, str]:
    """Return the name of a page without the ending that its file or address has, and that ending."""
    ending = page_ending(name)
    return (name[: ending.start()], ending[1]) if ending else (name, "")


def compared(name: str) -> str:
    """Return the form of a name by which it is compared: sites differ in capitals and in what separates words."""
    return name.lower().replace(" ", "-").replace("_", "-")


def common_tail(one: Names, other: Names) -> int:
    """Return how many names at the end are the same in both."""
    count = 0
    while count < min(len(one), len(other)) and compared(one[-1 - count]) == compared(other[-1 - count]):
        count += 1
    return count


def _without_index(names: Names) -> Names:
    return names[:-1] if names and is_index_file(names[-1]) else names


def _recased(names: Names, slug: Names) -> Names:
    """Return the names as the page's own slug spells them; one name is the page's, several are the whole address."""
    if len(slug) <= 1:
        return (*names[:-1], *slug) if slug and names else names
    is_end = common_tail(names, slug) == len(slug)
    return (*names[: len(names) - len(slug)], *slug) if is_end else slug


@remembered(_ADDRESSES_KEPT, _LONGEST_ADDRESS)
def _read_address(text: str) -> Address:
    path = _NO_PATH.split(text, maxsplit=1)[0]
    parts = [part for part in path.split("/") if part]
    dots = sum(1 for _ in takewhile(_DOTS.__contains__, parts))
    written = tuple(parts[dots:])
    has_slash = path.endswith("/") and bool(written)
    names = tuple(map(unquote, written))
    return Address(names, written, path.startswith("/"), parts[:dots].count(".."), path.startswith("./"), has_slash)


def location_in(row: Mapping[str, Any]) -> Location:
    """Return the location that an index has for a page; of one in an index of an earlier version, what its key says."""
    is_slug = compared(row["entity"] or "") == compared(row["key"])
    slug = row.get("slug") or (row["entity"] if is_slug else row["key"])
    return Location.of_page(row.get("path") or "", slug.replace(" ", "_") if not row.get("path") else slug)
