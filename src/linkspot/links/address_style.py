"""Address styles: how the pages of a site write the addresses of each other, learned from the links that they have."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile

from linkspot.links.locations import Address, Location, Names, common_tail, compared, is_index_file, split_ending
from linkspot.links.spelling import Spelling
from linkspot.parsing.markup import endings
from linkspot.remembering import remembered

_OTHER_KIND = 0.2  # how much a link to a folder's page says about one to an ordinary page, and the reverse
_DEEPEST = 40  # folders that names are compared in
_UP = "../"
_DOCS_BASE = re.compile(r"/(?:[\w-]+/)?docs/")
_NO_SPELLING = Spelling()


class Start(StrEnum):
    """Where an address begins."""

    PREFIX = "prefix"  # with the same signs in every page
    FILE = "file"  # at the folder of the page's file
    PAGE = "page"  # at the page's own address, seen as a folder
    TOP = "top"  # at the site's top, to which it climbs first


@dataclass(frozen=True, slots=True)
class ObservedLink:
    """A link as a page has it: its address, the page it is in, and the page that it leads to, if they are known.

    `form` is how the markup writes it, if not in its usual way. `other_forms` are those that could show it as its usual
    form does; None means that nobody knows its words. `weight` is how much it counts.
    """

    address: str
    source: Location | None = None
    target: Location | None = None
    form: str = ""
    other_forms: tuple[str, ...] | None = None
    weight: float = 1.0

    @classmethod
    def of_row(cls, row: Mapping[str, str]) -> "ObservedLink":
        """Return the link of a row of an index's sample."""
        source = Location.of_page(row["source_path"], row["source_slug"])
        target = Location.of_page(row["target_path"], row["target_slug"])
        # Other forms are for whole pages; whether they could show the words is not in the sample.
        return cls(row["address"], source, target, row["form"], () if "#" in row["address"] else None)


@dataclass(frozen=True, slots=True)
class AddressStyle:
    """How a page of a site writes the address of another one.

    `prefix` comes first (in a style that climbs to the top, after that), then the names of the target without those of
    `root`; `is_flat` means its last name alone, `has_initial` a folder that is called like its first letter. `climb` is
    how many folders above the corpus the site's top is. `beside` begins the address of a page in the same folder.
    """

    start: Start
    prefix: str = ""
    root: Names = ()
    climb: int = 0
    is_flat: bool = False
    has_initial: bool = False
    ending: str = ""
    has_slash: bool = False
    beside: str = ""
    spelling: Spelling = _NO_SPELLING

    @classmethod
    def learned_from(
        cls, links: Sequence[ObservedLink], source: Location | None, target: Location
    ) -> "AddressStyle | None":
        """Return the style that writes most of the links as they are and that can write the target from the source.

        Links whose pages are not known count only if the others show no such style. None means that the links show
        nothing.
        """
        located = [link for link in links if link.target]
        ranked = _ranked(located, target)
        style = next((style for style in ranked if style.write(source, target)), None)
        if style:
            alike = [link for link in located if style.writes(link)] or located
            pairs = [(Address.of(link.address).page, link.target.slug) for link in alike if link.target]
            return replace(style, spelling=Spelling.learned_from([link.address for link in alike], pairs))
        return _by_names([link for link in links if not link.target] or links, source, target)

    def writes(self, link: ObservedLink) -> bool:
        """Return whether this style writes a link's address as it is, whatever its spelling."""
        if link.target is None:
            return False
        written = self.write(link.source, link.target)
        return bool(written) and _compared(written) == _compared(link.address)

    def write(self, source: Location | None, target: Location) -> str:
        """Return the address of the target in the source, or nothing if it cannot be written in this style."""
        names = target.path if self.start in {Start.FILE, Start.TOP} else target.slug
        if names[: len(self.root)] != self.root or (self.start is not Start.PREFIX and source is None):
            return ""
        names = names[len(self.root) :]
        if self.is_flat:
            names = names[-1:]
        if self.has_initial and names:
            names = (*names[:-1], names[-1][:1].lower(), names[-1])
        begin = self.prefix
        if source and self.start is Start.FILE:
            begin, names = _relative(source.folder[len(self.root) :], names, self.beside)
        elif source and self.start is Start.PAGE:
            begin, names = _relative(source.slug[len(self.root) :], names, self.beside)
        elif source and self.start is Start.TOP:
            begin = _UP * (len(source.folder) + self.climb) + self.prefix
        return self._finished(begin, names, target)

    def _finished(self, begin: str, names: Names, target: Location) -> str:
        ending = self._ending(target)
        if names and is_index_file(names[-1]) and not ending and target.is_index:
            names = names[:-1]
        elif target.is_index and ending and self.start is Start.PREFIX:
            names = (*names, target.path[-1])
        if not names:
            return begin if begin.endswith("/") or not begin else f"{begin}/"
        path = "/".join(map(self.spelling.spell, names))
        return f"{begin}{path}{ending}{'/' if self.has_slash and not ending else ''}"

    def _ending(self, target: Location) -> str:
        """Return what the address ends in: the file's own ending if it is of the markup that is usual there."""
        markup = endings().get(self.ending.lower())
        is_files = target.ending and markup and endings().get(target.ending.lower()) == markup
        return target.ending if is_files else self.ending


def _relative(folder: Names, names: Names, beside: str) -> tuple[str, Names]:
    """Return how an address begins that leads from a folder to these names, and the names that follow."""
    shared = 0
    while shared < min(len(folder), len(names) - 1) and folder[shared] == names[shared]:
        shared += 1
    ups = len(folder) - shared
    return _UP * ups if ups else beside, names[shared:]


@remembered(entries=1_024, longest=512)
def _compared(text: str) -> tuple[object, ...]:
    address = Address.of(text)
    return address.is_absolute, address.ups, address.has_slash, tuple(map(compared, address.names))


def _ranked(links: Sequence[ObservedLink], target: Location) -> list[AddressStyle]:
    """Return the styles that the links show, first those that write most of the links."""
    styles = dict.fromkeys(style for link in links for style in _styles_of(link))
    written = {style: [link for link in links if style.writes(link)] for style in styles}
    scores = {style: sum(_weight(link, target) for link in written[style]) for style in styles}
    shown = [style for style in styles if not style.is_flat or _are_scattered(written[style])]
    return sorted(shown, key=lambda style: -scores[style])


def _are_scattered(links: Sequence[ObservedLink]) -> bool:
    """Return whether links lead to several folders; if they do not, addresses without folders show nothing."""
    return len({link.target.slug[:-1] for link in links if link.target}) > 1


def _weight(link: ObservedLink, target: Location) -> float:
    is_alike = link.target is not None and link.target.is_index == target.is_index
    return link.weight if is_alike else link.weight * _OTHER_KIND


def _styles_of(link: ObservedLink) -> Iterator[AddressStyle]:
    """Yield the styles in which this link, whose page is known, may be written."""
    if link.target is None:
        return
    address = Address.of(link.address)
    if not address.names:
        return
    stem, ending = _split_at(address.names[-1], link.target)
    names = (*address.names[:-1], stem)
    slug = names[:-1] if is_index_file(stem) and link.target.is_index else names
    like = AddressStyle(Start.PREFIX, ending=ending, has_slash=address.has_slash)
    if not address.is_absolute and link.source is not None:
        yield from _relative_styles(address, names, slug, link.source, link.target, like)
    if not address.ups:
        yield from _prefix_styles(address, slug, link.target, like)


def _relative_styles(
    address: Address, names: Names, slug: Names, source: Location, target: Location, like: AddressStyle
) -> Iterator[AddressStyle]:
    beside = "./" if address.has_dot else ""
    up = address.ups
    if _reaches(source.folder, up, names, target.path) or _reaches(source.folder, up, slug, target.slug):
        yield replace(like, start=Start.FILE, beside=beside)
    if _reaches(source.slug, up, slug, target.slug):
        yield replace(like, start=Start.PAGE, beside=beside)
    shared = common_tail(names, target.path)
    if up and shared:
        prefix = address.prefix(len(names) - shared).removeprefix(address.beginning)
        root, climb = target.path[: len(target.path) - shared], up - len(source.folder)
        yield replace(like, start=Start.TOP, prefix=prefix, root=root, climb=climb)


def _prefix_styles(address: Address, slug: Names, target: Location, like: AddressStyle) -> Iterator[AddressStyle]:
    shared = common_tail(slug, target.slug)
    if not shared:
        return
    prefix = address.prefix(len(slug) - shared)
    root = target.slug[: len(target.slug) - shared]
    yield replace(like, prefix=prefix, root=root)
    if shared == 1 and root:
        yield replace(like, prefix=prefix, is_flat=True)


def _split_at(name: str, target: Location) -> tuple[str, str]:
    """Return the part of a name that is the target's, and the ending after it."""
    for known in (target.slug[-1:], target.path[-1:]):
        length = len(known[0]) if known else 0
        is_start = known and compared(name[:length]) == compared(known[0])
        if is_start and (len(name) == length or name[length] == "."):
            return name[:length], name[length:]
    return split_ending(name)


def _reaches(folder: Names, ups: int, names: Names, target: Names) -> bool:
    if ups > len(folder):
        return False
    reached = (*folder[: len(folder) - ups], *names)
    return len(reached) == len(target) and common_tail(reached, target) == len(target)


def _by_names(links: Iterable[ObservedLink], source: Location | None, target: Location) -> "AddressStyle | None":
    """Return the style that most links show whose pages are not known, by the folders that they have in common."""
    addresses = [link.address for link in links if Address.of(link.address).names]
    read = [Address.of(address) for address in addresses]
    styles = Counter(filter(None, (_style_by_folders(address, source, target) for address in read)))
    styles = styles or Counter(filter(None, (_guessed_style(address, target) for address in read)))
    if not styles:
        return None
    style = styles.most_common(1)[0][0]
    if target.path:
        return replace(style, spelling=Spelling.learned_from(addresses))
    names = [address.page[-1] for address in read if address.page]
    return replace(style, spelling=Spelling.of_titles(addresses, names))


def _style_by_folders(address: Address, source: Location | None, target: Location) -> AddressStyle | None:
    """Return the style of an address that shares folders with the target, or else with the source."""
    base = _DOCS_BASE.match(address.prefix(len(address.names) - 1))
    for known in (target.slug[:-1], source.slug[:-1] if source else ()):
        in_known, in_address, length = _common_run(known, address.names[:-1])
        # In /fr/docs/a, the language may be a folder of the site where docs is none.
        has_base = base and base.end() == len(address.prefix(in_address + length + 1)) and "docs" not in known
        root, count = (in_known + length, in_address + length + 1) if has_base else (in_known, in_address)
        if length and target.slug[:root] == known[:root]:
            return _prefix_style(address, count, root=known[:root])
    return None


def _guessed_style(address: Address, target: Location) -> AddressStyle | None:
    """Return the style of an address that shares no folder with the target: the same folder, or what /docs/ begins."""
    folders = address.names[:-1]
    if len(target.slug) > 1 and common_tail(target.slug, target.path) < len(target.slug) - target.is_index:
        base = _DOCS_BASE.match(address.prefix(len(folders)))  # comes before a slug that the page declares
        return replace(_prefix_style(address, 0), prefix=base[0]) if base else None
    if folders and folders[-1].lower() == address.names[-1][:1].lower():
        return _prefix_style(address, len(folders) - 1, is_flat=True, has_initial=True)
    return _prefix_style(address, len(folders), is_flat=True)


def _prefix_style(
    address: Address, count: int, *, root: Names = (), is_flat: bool = False, has_initial: bool = False
) -> AddressStyle:
    """Return the style of addresses that begin with so many names of this one, and end like it."""
    ending = split_ending(address.names[-1])[1]
    return AddressStyle(
        Start.PREFIX,
        address.prefix(count),
        root,
        is_flat=is_flat,
        has_initial=has_initial,
        ending=ending,
        has_slash=address.has_slash,
    )


def _common_run(known: Names, folders: Names) -> tuple[int, int, int]:
    """Return where in each the longest run of names begins that both have, and how long it is."""
    best = (0, 0, 0)
    if max(len(known), len(folders)) > _DEEPEST:
        return best
    for first in range(len(known)):
        for second in range(len(folders)):
            pairs = zip(known[first:], folders[second:], strict=False)
            length = sum(1 for _ in takewhile(lambda pair: compared(pair[0]) == compared(pair[1]), pairs))
            best = max(best, (first, second, length), key=lambda run: run[2])
    return best
