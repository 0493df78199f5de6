"""A site: pages in files that are named by their paths; what a folder and a repository have in common."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Self

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.sites.generators import SiteFiles, recognised
from linkspot.corpora.sites.layouts import Layout, PathFacts
from linkspot.errors import UnreadablePage
from linkspot.parsing.markup import endings

_EXAMPLES = 3


class Site(ABC):
    """The pages of a folder or a repository.

    `language` is for pages whose path names none; the layout, or only the base of its links, can be given.
    """

    capitalises = True

    def __init__(self, path: Path, language: str = "", layout: Layout | None = None, link_base: str = "") -> None:
        self.rejects: Counter[str] = Counter()
        self.share = 0.0
        self._path = path
        self._language = language
        self._given_layout = layout
        self._given_base = link_base

    @classmethod
    def of(cls, source: CorpusSource) -> Self:
        """Return the site at a source."""
        return cls(source.path, source.language, source.layout, source.link_base)

    @cached_property
    def layout(self) -> Layout:
        """The layout that was given, else the one that the site is recognised to have."""
        layout = self._given_layout or recognised(self._files())
        style = replace(layout.links, folder=self._path.resolve().name, base=self._given_base or layout.links.base)
        return replace(layout, links=style)

    @abstractmethod
    def _files(self) -> SiteFiles:
        """Return the files of the site as it is now."""

    def _check(self, paths: Collection[str]) -> None:
        """Refuse a site without pages, or without any where the layout has them."""
        if not paths:
            raise UnreadablePage(f"{self._path} has no pages; linkspot reads files that end in {', '.join(endings())}")
        if not any(self.layout.read_path(path) for path in paths):
            examples = ", ".join(sorted(paths)[:_EXAMPLES])
            pattern = self.layout.patterns[-1]
            raise UnreadablePage(f"no page of {self._path} fits the pattern {pattern!r}; there are: {examples}, …")

    def _path_facts(self, path: str) -> PathFacts | None:
        """Return what a page's path says, with the site's language if it names none; a file elsewhere is counted."""
        facts = self.layout.read_path(path)
        if facts is None:
            self.rejects["a file outside of the layout"] += 1
            return None
        return facts if facts.language else replace(facts, language=self._language or self.layout.language)
