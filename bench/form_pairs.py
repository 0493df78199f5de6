"""Pairs of a title and words of pages that link it: forms of it that editors linked, and words that begin like it."""

import re
import tarfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bench.wikis import DATA, SCHOOLS, wikipedia
from linkspot.corpora.corpus import current_pages, open_corpus
from linkspot.links.titles import TitleRules
from linkspot.parsing import parse
from linkspot.records import Entity, LinkKind, Markup, Page
from linkspot.text.inflections import shared_beginning
from linkspot.text.mentions import known_names
from linkspot.text.words import MARKS, bare

SHARED_BY_FORMS = 0.6  # of a word's letters, at its beginning, that a linked form has
SHARED_BY_OTHERS = 3  # letters that any other word shares with the title's
PAGES = 150  # of each corpus
ALL = 1 << 30
SCHOOLS_STEP = 18  # of 5,462 pages
OPENTTD = ("ca", "de", "es", "fr", "it", "pl", "pt", "ru")
WIKIPEDIAS = ("bn", "uk")

_WORD = re.compile(rf"(?<!\w)[^\W_](?:(?!_)[\w{MARKS}])*+(?!_)")


class FormPair(NamedTuple):
    """A title's name and words of a page, both as they are written."""

    name: str
    words: str


@dataclass(frozen=True)
class Pairs:
    """The pairs of one language: what editors linked to the title as a form of it, and what nobody linked to it."""

    linked: set[FormPair] = field(default_factory=set)
    unlinked: set[FormPair] = field(default_factory=set)


def corpora() -> Iterator[tuple[str, Iterable[Page]]]:
    """Yield the language and the pages of each corpus."""
    yield "en", schools(SCHOOLS_STEP)
    for language in WIKIPEDIAS:
        yield language, wikipedia(language, PAGES)
    for language in OPENTTD:
        yield language, islice(whole_corpus(language), PAGES)


def whole_corpus(language: str) -> Iterator[Page]:
    """Yield all pages of a corpus, in which the leads of the titles are."""
    if language == "en":
        return schools()
    if language in WIKIPEDIAS:
        return wikipedia(language, ALL)
    return current_pages(open_corpus(DATA / "openttd" / f"openttd-{language}-pages-meta-history.xml.xz"))


class PageWords:
    """The words of a page, and where those stand that begin with the same letters."""

    def __init__(self, texts: Iterable[str], language: str) -> None:
        self.words = [word for text in texts for word in _WORD.findall(text)]
        self._numbers: defaultdict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(self.words):
            self._numbers[bare(word, language)[:SHARED_BY_OTHERS]].append(number)

    def runs(self, beginning: str, length: int) -> Iterator[list[str]]:
        """Yield the runs of so many words whose first begins like this."""
        return (self.words[number : number + length] for number in self._numbers.get(beginning, ()))


def pairs_of(pages: Iterable[Page], language: str) -> Pairs:
    """Return the pairs of a corpus, words compared without case and accents."""
    rules, pairs = TitleRules(language), Pairs()
    linked: defaultdict[str, set[str]] = defaultdict(set)
    linking: defaultdict[str, list[PageWords]] = defaultdict(list)
    for article in (parse(page) for page in pages if not page.redirect):
        words = PageWords((section.text for section in article.sections), language)
        links = [link for section in article.sections for link in section.links if link.kind is LinkKind.PAGE]
        mentions = [(rules.normalise(link.target).page.text.rsplit("/", 1)[-1], link.mention) for link in links]
        for title, mention in mentions:
            linked[title].add(mention)
        for title in {title for title, _ in mentions}:
            linking[title].append(words)
    for title, mentions_of_title in linked.items():
        for name in known_names(Entity(title), language) if title else ():
            _add_pairs(pairs, name, mentions_of_title, linking[title], language)
    return pairs


def _add_pairs(pairs: Pairs, name: str, mentions: set[str], pages: list[PageWords], language: str) -> None:
    own = _WORD.findall(name)
    known = {bare(mention, language) for mention in mentions}
    for mention in mentions:
        words = _WORD.findall(mention)
        if " ".join(words) == mention and _is_like(own, words, language, SHARED_BY_FORMS):
            pairs.linked.add(FormPair(" ".join(own), mention))
    beginning = bare(own[0], language)[:SHARED_BY_OTHERS] if own else ""
    for page in pages:
        for run in page.runs(beginning, len(own)):
            if bare(" ".join(run), language) not in known and _is_like(own, run, language, 0.0):
                pairs.unlinked.add(FormPair(" ".join(own), " ".join(run)))


def words_of_name(text: str) -> str:
    """Return the words of a name or of a mention as they stand in a pair."""
    return " ".join(_WORD.findall(text))


def _is_like(name: list[str], words: list[str], language: str, share: float) -> bool:
    """Return whether the words could be a form of the name: as many words, each with a beginning in common."""
    couples = [(bare(one, language), bare(other, language)) for one, other in zip(name, words, strict=False)]
    different = [couple for couple in couples if couple[0] != couple[1]]
    return (
        len(name) == len(words)
        and bool(different)
        and all(
            not any(map(str.isdigit, one + other))
            and shared_beginning(one, other) >= max(SHARED_BY_OTHERS, share * len(one))
            for one, other in different
        )
    )


def schools(step: int = 1, first: int = 0) -> Iterator[Page]:
    """Yield every so many pages of Wikipedia for Schools."""
    with tarfile.open(SCHOOLS) as tar:
        members = [member for member in tar if member.name.endswith(".htm")]
        for member in members[first::step]:
            stream = tar.extractfile(member)
            if stream is not None:
                title = Path(member.name).stem.replace("_", " ")
                yield Page(title, stream.read().decode("utf-8", "replace"), Markup.HTML, "en")
