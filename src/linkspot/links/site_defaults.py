"""Site defaults: how the generator of a site needs addresses, for pages whose links show nothing."""

from pathlib import Path

from linkspot.corpora.sites.folder import Folder
from linkspot.corpora.sites.layouts import Layout
from linkspot.links.address_style import AddressStyle, Start
from linkspot.links.locations import Location, names_of
from linkspot.links.nearby_files import whole_path

#: The files that show the top of such a site, and a folder that must be beside them. These generators publish pages
#: at addresses that differ from their files' paths, and do not translate the paths in links.
_MARKERS = {
    "hugo.toml": "content",
    "hugo.yaml": "content",
    "hugo.yml": "content",
    "hugo.json": "content",
    "config.toml": "content",
    "config.yaml": "content",
    "config.yml": "content",
    "config/_default": "content",
    "_config.yml": "",
    "_config.yaml": "",
}
_MOST_FOLDERS = 12


def default_style(file: Path, source: Location, target: Location) -> AddressStyle | None:
    """Return the style that a page's generator needs, if there is one above its file whose links are not paths."""
    top = _top_of(whole_path(file))
    if top is None or not target.ending:
        return None
    layout = Folder(top).layout
    roots = {_root_of(page, top, layout) for page in (source, target)}
    if len(roots) != 1 or None in roots:
        return None
    (root,) = roots
    return AddressStyle(Start.PREFIX, layout.links.base or "/", root or (), has_slash=True)


def _top_of(file: Path) -> Path | None:
    for folder in list(file.parents)[:_MOST_FOLDERS]:
        for marker, beside in _MARKERS.items():
            if (folder / marker).exists() and (folder / beside).is_dir():
                return folder
    return None


def _root_of(page: Location, top: Path, layout: Layout) -> tuple[str, ...] | None:
    """Return the names above a page's slug, None if the page is not in the layout or is a translation."""
    inside = page.path[len(names_of(top.as_posix())) :]
    facts = layout.read_path("/".join(inside) + (page.ending or ".md"))
    if facts is None or (facts.language and facts.language != layout.language):
        return None
    slug = names_of(facts.slug)
    return page.slug[: len(page.slug) - len(slug)] if slug else None
