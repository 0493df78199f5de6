"""Chosen revisions of a live wiki as HTML, in the form of Wikimedia Enterprise: a history that `insertions` reads."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from linkspot.corpora.wiki.api import TITLES_A_CALL, Wiki
from linkspot.corpora.wiki.dump import LinesFile, record_of
from linkspot.corpora.wiki.wiki_article import WikiArticle, WikiRevision
from linkspot.errors import UnreadablePage, UnusableInput

_ENDINGS = (".ndjson", ".ndjson.gz")
_FIRST = datetime.min.replace(tzinfo=UTC)
Done = Callable[[], None]


@dataclass(frozen=True, slots=True)
class WantedPage:
    """A page and its versions to fetch, in the order of time; without versions, the page as it is now."""

    id: int
    title: str
    entity: str = ""
    versions: tuple[WikiRevision, ...] = ()


def in_order(versions: Sequence[WikiRevision]) -> tuple[WikiRevision, ...]:
    """Return each version once, the oldest first."""
    return tuple(sorted({version.id: version for version in versions}.values(), key=_order))


def fetch_revisions(
    wiki: Wiki,
    pages: Sequence[WantedPage],
    borders: Sequence[datetime],
    out: Path,
    rejects: Counter[str],
    on_page: Done = lambda: None,
) -> int:
    """Write the versions of some pages to a file, or continue one, and return how many versions it holds.

    A page with versions is also fetched as it stood at each of the `borders`, the times of snapshots. What the wiki
    does not show is counted.
    """
    if not out.name.endswith(_ENDINGS):
        raise UnusableInput(f"{out} does not end in {' or '.join(_ENDINGS)}, which --revisions writes; choose one")
    name = wiki.site["wikiid"]  # asked first, so that a wrong address leaves no file behind
    with LinesFile(out) as lines:
        if lines.wiki not in {"", name}:
            raise UnusableInput(f"{out} holds pages of {lines.wiki}, not of {name}; name another file")
        copy = _Copy(wiki, borders, lines, rejects)
        for batch in _batches(_rest(pages, lines, out), TITLES_A_CALL):
            facts = wiki.articles_of([page.id for page in batch])
            for page in batch:
                copy.add(page, facts.get(page.id))
                on_page()
        return len(lines.versions)


def _rest(pages: Sequence[WantedPage], lines: LinesFile, out: Path) -> Sequence[WantedPage]:
    """Return the pages from the last one in the file on, which may lack versions.

    Earlier pages are left as they are: a version that is added to one of them now would stand apart from the others.
    """
    numbers = {page.id: number for number, page in enumerate(pages)}
    if not lines.ids <= numbers.keys():
        raise UnusableInput(f"{out} holds pages that are not in this folder of insertions; name another file")
    return pages[max((numbers[id_] for id_ in lines.ids), default=0) :]


class _Copy:
    """Appends the versions of pages to a file, after those that it holds."""

    def __init__(self, wiki: Wiki, borders: Sequence[datetime], lines: LinesFile, rejects: Counter[str]) -> None:
        self._wiki = wiki
        self._borders = borders
        self._lines = lines
        self._rejects = rejects

    def add(self, page: WantedPage, facts: WikiArticle | None) -> None:
        """Write what the file lacks of a page; `facts` is what the wiki says of it now, None if it is deleted."""
        if page.versions:
            versions = in_order([*page.versions, *self._at_borders(page)])
        elif facts is None:
            self._rejects["a target that the wiki has no more"] += 1
            return
        else:
            versions = () if page.id in self._lines.ids else (facts.revision,)
        # Versions before the last one in the file were refused by the wiki; later they would be in a wrong order.
        known = [number for number, version in enumerate(versions) if version.id in self._lines.versions]
        for version in versions[known[-1] + 1 if known else 0 :]:
            record = self._record(_article(page, facts, version))
            if record is not None:
                self._lines.append(record)

    def _record(self, article: WikiArticle) -> dict[str, Any] | None:
        try:
            html = self._wiki.revision_html(article.revision.id)
        except UnreadablePage:
            self._rejects["a revision that is deleted, hidden or without HTML"] += 1
            return None
        return record_of(self._wiki.site, article, html, None)

    def _at_borders(self, page: WantedPage) -> Iterator[WikiRevision]:
        """Yield the page's last version by each border; the first one is known if the versions begin before it."""
        first = page.versions[0].time
        for border in self._borders:
            if border == min(self._borders) and first and first <= border:
                continue
            version = self._wiki.revision_at(page.id, border)
            if version is not None:
                yield version


def _article(page: WantedPage, facts: WikiArticle | None, version: WikiRevision) -> WikiArticle:
    """Return a version as an article with the title and entity of the insertions; its other titles are redirects."""
    if facts is None:
        return WikiArticle(page.title, page.id, version, "", "", page.entity)
    names = dict.fromkeys((facts.title, *facts.redirects))
    redirects = tuple(name for name in names if name != page.title)
    # The language is the wiki's: a page in another language would be apart from those that link to it.
    return replace(facts, title=page.title, revision=version, language="", entity=page.entity, redirects=redirects)


def _order(version: WikiRevision) -> tuple[datetime, int]:
    return version.time or _FIRST, version.id


def _batches(pages: Sequence[WantedPage], size: int) -> Iterator[list[WantedPage]]:
    iterator = iter(pages)
    while batch := list(islice(iterator, size)):
        yield batch
