"""Removal: a corpus in which links were taken out of pages, as if an editor had added them afterwards.

Encyclopedias whose history is not at hand can be tested on that way. A page that is drawn gets versions that lack a
link alone, a link with its words, or its whole sentence; the version after each of them is the page as it is.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from random import Random
from zlib import crc32

from linkspot.corpora.corpus import Corpus, CorpusSource, last_revisions, revisions_of
from linkspot.corpora.sites.layouts import Layout
from linkspot.errors import LinkspotError
from linkspot.parsing import parse, redirect_target
from linkspot.parsing.markup import markup_kind
from linkspot.records import Article, Entity, Link, LinkKind, Page, Revision, Section, Sentence
from linkspot.text.mentions import MentionFinder, known_names

PARTS = 10  # of a corpus, by the title of each page
TEST, VALIDATION = 0, 1
_AS_THEY_WERE = datetime(2000, 1, 1, tzinfo=UTC)  # the time of every page; links are put back in the days after it
_DAY = timedelta(days=1)
_ADDRESS_END = (".htm", ".html", ".md", ".mdx")


class TakenOut(StrEnum):
    """What is taken out of a page: a link whose words stay, its words too, or its whole sentence."""

    LINK = "link"
    MENTION = "mention"
    SENTENCE = "sentence"


#: What a page loses, in this order, as far as it has links for it; each in a version of its own.
_REMOVALS = (TakenOut.MENTION, TakenOut.SENTENCE, TakenOut.LINK, TakenOut.MENTION, TakenOut.SENTENCE)


def part_of(title: str) -> int:
    """Return the part of its corpus, from 0 to 9, that a page belongs to; 0 tests, 1 validates, the others train."""
    return crc32(title.encode("utf-8", "replace")) % PARTS


@dataclass(frozen=True, slots=True)
class RemovalSource(CorpusSource):
    """Where a corpus is from which links are taken out, and the part of it whose pages lose them."""

    part: int = TEST

    def open(self) -> Corpus:
        """Return the corpus, of whatever kind it is."""
        return RemovalCorpus(CorpusSource.open(self), self.part)


@dataclass(frozen=True, slots=True)
class RemovalCorpus:
    """Another corpus, with links that were taken out of the pages of one part."""

    corpus: Corpus
    part: int = TEST

    @property
    def rejects(self) -> Counter[str]:
        """How many records were set aside so far, by reason."""
        return self.corpus.rejects

    @property
    def layout(self) -> Layout | None:
        """How paths name the pages."""
        return self.corpus.layout

    @property
    def capitalises(self) -> bool:
        """Whether the first letter of a title is always a capital."""
        return self.corpus.capitalises

    @property
    def share(self) -> float:
        """How much of it has been read, from 0 to 1."""
        return self.corpus.share

    def revisions(self) -> Iterator[Revision]:
        """Yield each page as it is; before that, if it is drawn, the versions without a link, each followed by it."""
        for revision in last_revisions(revisions_of(self.corpus)):
            versions = list(self._versions(revision.page))
            for number, page in enumerate(versions or [revision.page]):
                yield replace(revision, page=page, id=f"{revision.id}.{number}", time=_AS_THEY_WERE + number * _DAY)

    def _versions(self, page: Page) -> Iterator[Page]:
        if redirect_target(page) is not None or part_of(_title_of(page)) != self.part:
            return
        try:
            for text in texts_without(page):
                yield from (replace(page, text=text), page)
        except LinkspotError:  # whoever reads the page itself counts it
            return


def texts_without(page: Page) -> Iterator[str]:
    """Yield the page's markup without one of its links: its words or its sentence go, too, or the link goes alone.

    Links are drawn by the page's title. What is linked there is named and linked nowhere else in the page, so that one
    place is right; and the markup that is left says the same as before, but for what was taken out.
    """
    article = parse(page)
    places = list(_places(article))
    Random(crc32(article.title.encode("utf-8", "replace"))).shuffle(places)
    wanted = list(_REMOVALS)
    for place in places:
        if not wanted:
            return
        text = place.without(wanted[0], page.text)
        if _is_clean(replace(page, text=text), article, place, wanted[0]):
            wanted.pop(0)
            yield text


@dataclass(frozen=True, slots=True)
class _RemovableLink:
    """A link, its sentence and section, and the sentence's links to other pages."""

    section: Section
    sentence: Sentence
    link: Link
    beside: tuple[Link, ...]

    def without(self, removal: TakenOut, markup: str) -> str:
        """Return the markup without what is taken out, and without a blank that would be there twice."""
        removed = (self.sentence if removal is TakenOut.SENTENCE else self.link).source
        before, after = markup[: removed.start], markup[removed.end :]
        if removal is TakenOut.LINK:
            return before + self.link.mention + after
        return before + (after.removeprefix(" ") if not before or before[-1].isspace() else after)

    def removed(self, removal: TakenOut) -> tuple[Link, ...]:
        """Return the links that go."""
        return self.beside if removal is TakenOut.SENTENCE else (self.link,)


def _title_of(page: Page) -> str:
    return page.title or markup_kind(page.markup).declared_title(page.text) or page.id


def _places(article: Article) -> Iterator[_RemovableLink]:
    """Yield the links to pages that the prose has once, each with the section and sentence around it."""
    targets = Counter(map(_page_of, _links(article)))
    for section in article.sections:
        for sentence in section.sentences if len(section.sentences) > 1 else ():
            inside = [one for one in section.links if sentence.start <= one.start and one.end <= sentence.end]
            beside = tuple(one for one in inside if one.kind is LinkKind.PAGE)
            if all(targets[_page_of(link)] == 1 for link in beside):
                yield from (_RemovableLink(section, sentence, link, beside) for link in beside)


def _links(article: Article) -> Iterator[Link]:
    return (link for section in article.sections for link in section.links)


def _page_of(link: Link) -> str:
    return link.target.partition("#")[0]


def _is_clean(page: Page, whole: Article, place: _RemovableLink, removal: TakenOut) -> bool:
    """Tell whether a page differs from the whole one in a link alone, and names its target nowhere else."""
    rest = parse(page)
    gone = Counter(sentence.text for _section, sentence in whole.sentences)
    gone -= Counter(sentence.text for _section, sentence in rest.sentences)
    count = len(whole.sentences) - (removal is TakenOut.SENTENCE)
    changed = [] if removal is TakenOut.LINK else [place.sentence.text]
    if list(gone) != changed or len(rest.sentences) != count:
        return False
    links = place.removed(removal)
    entities = (Entity(_name_of(_page_of(link)), mentions=(link.mention,)) for link in links if link.mention.strip())
    names = [name for entity in entities for name in known_names(entity, rest.language)]
    finder = MentionFinder(tuple(dict.fromkeys(names)), rest.language)
    naming = [sentence.text for _section, sentence in rest.sentences if finder.find(sentence.text)]
    if removal is not TakenOut.LINK:
        return not naming
    is_unlinked = len(list(_links(rest))) == len(list(_links(whole))) - 1
    return is_unlinked and naming == [place.sentence.text]


def _name_of(target: str) -> str:
    """Return the name of a page in a link's target, which may be the address of its file."""
    name = target.rpartition("/")[2] if target.lower().endswith(_ADDRESS_END) else target
    for ending in _ADDRESS_END:
        name = name.removesuffix(ending)
    return name.replace("_", " ") or target
