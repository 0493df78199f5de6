"""A site: pages in files, whose paths tell their names; what a folder and a repository have in common."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Self

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.sites.generators import SiteFiles, recognised
from linkspot.corpora.sites.layouts import Layout, PagePlace
from linkspot.errors import UnreadablePage

_EXAMPLES = 3


class Site(ABC):
    """The pages of a folder or a repository.

    `language` is that of pages whose path tells none; the layout, or only the base of its links, can be told.
    """

    capitalises = True

    def __init__(self, path: Path, language: str = "", layout: Layout | None = None, link_base: str = "") -> None:
        self.rejects: Counter[str] = Counter()
        self.share = 0.0
        self._path = path
        self._language = language
        self._told_layout = layout
        self._told_base = link_base

    @classmethod
    def of(cls, source: CorpusSource) -> Self:
        """Return the site at a source."""
        return cls(source.path, source.language, source.layout, source.link_base)

    @cached_property
    def layout(self) -> Layout:
        """The layout that was told, else the one that the site is recognised to have."""
        layout = self._told_layout or recognised(self._files())
        style = replace(layout.links, folder=self._path.resolve().name, base=self._told_base or layout.links.base)
        return replace(layout, links=style)

    @abstractmethod
    def _files(self) -> SiteFiles:
        """Return the files as they stand now."""

    def _check(self, paths: Collection[str]) -> None:
        """Refuse a site without pages, or without any where the layout has them."""
        if not paths:
            raise UnreadablePage(f"{self._path} holds no pages; linkspot reads HTML, wikitext and Markdown files in it")
        if not any(self.layout.place(path) for path in paths):
            found = ", ".join(sorted(paths)[:_EXAMPLES])
            raise UnreadablePage(
                f"no page of {self._path} is where {self.layout.patterns[-1]!r} says; there are, for instance: {found}"
            )

    def _place(self, path: str) -> PagePlace | None:
        """Return what a page's path tells, with the site's language if it tells none; a file elsewhere is counted."""
        place = self.layout.place(path)
        if place is None:
            self.rejects["a file outside of the layout"] += 1
            return None
        return place if place.language else replace(place, language=self._language or self.layout.language)
