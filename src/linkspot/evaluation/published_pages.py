"""Rankers on the published dataset, which holds windows where rankers expect pages.

- Rankers that compare texts (Random, String Match, BM25, entity linkers, embeddings, language models) get one page on
  which each window is one sentence in a section of its own. BM25's statistics are then over the query's windows, each
  of them a document, and an embedding or a prompt is of a whole window, as far as the model's limit of tokens goes:
  the paper's own protocol.
- Models that read a candidate in its context get the windows as sections of a page whose lead is the source's, and
  score the middle sentence of each, whose context is the window. That is one pass for each window, as in the paper,
  where such a model never knows which of the sentences it is about.
- Models that read pages get each window as a small page of its own; the best of its sentences counts. They never see
  the page they were made for, so this says less about them than an evaluation on insertions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from linkspot.examples.published_removal import window_section
from linkspot.examples.published_rows import PublishedQuery, PublishedWindow
from linkspot.ranking.ranker import CompositeRanker, Ranker, Reads, score_some
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity, Section, Sentence
from linkspot.source_map import Span

_NOWHERE = Span(0, 0)


class WindowsAs(StrEnum):
    """The form in which a ranker gets the windows of a query; the value describes it in a report."""

    TEXTS = "each window as one text"
    MIDDLES = "the middle sentence of each window in its context"
    PAGES = "each window as a small page, by its best sentence"


_FORMS = {Reads.TEXTS: WindowsAs.TEXTS, Reads.WINDOWS: WindowsAs.MIDDLES, Reads.PAGES: WindowsAs.PAGES}


def windows_as(ranker: Ranker) -> WindowsAs:
    """Return what suits a ranker, by what it reads."""
    return _FORMS[ranker.reads]


def score_windows(ranker: Ranker, query: PublishedQuery) -> Scores:
    """Return one score for each window of the query."""
    if isinstance(ranker, CompositeRanker):  # each ranker inside gets the windows in its own way
        on_windows = ranker.with_inner(lambda inner: _OnWindows(inner, query))
        return on_windows.score(query.entity, page_of_texts(query))
    if ranker.reads is Reads.TEXTS:
        return ranker.score(query.entity, page_of_texts(query))
    if ranker.reads is Reads.PAGES:
        return _best_of_pages([ranker.score(query.entity, page) for page in small_pages(query)])
    page, middles = page_of_windows(query)
    return score_some(ranker, query.entity, page, middles)


def _best_of_pages(pages: Sequence[Scores]) -> Scores:
    """Return how much better than *nowhere* the best place of each page is, as each page has a *nowhere* of its own."""
    best = (max(scores.places) - scores.nowhere for scores in pages)
    return Scores(tuple(best), 0.0, all(scores.are_logits for scores in pages))


@dataclass(frozen=True, slots=True)
class _OnWindows:
    """A ranker inside another one: it gets the windows of the query, whatever page it is asked about."""

    ranker: Ranker
    query: PublishedQuery

    @property
    def reads(self) -> Reads:
        return self.ranker.reads

    def score(self, entity: Entity, _page: Article) -> Scores:
        return score_windows(self.ranker, replace(self.query, entity=entity))

    def score_some(self, entity: Entity, _page: Article, numbers: Sequence[int]) -> Scores:
        chosen = tuple(self.query.windows[number] for number in numbers)
        return score_windows(self.ranker, replace(self.query, entity=entity, windows=chosen, gold=0))


def page_of_texts(query: PublishedQuery) -> Article:
    """Return a page with a section for each window, which is its only sentence."""
    texts = [(window, window.text.strip()) for window in query.windows]
    sections = (_section(window, (Sentence(text, 0, len(text), _NOWHERE),), text) for window, text in texts)
    return _article(query, tuple(sections), query.id)


def small_pages(query: PublishedQuery) -> list[Article]:
    """Return each window as a page of its own."""
    language = language_of(query)
    return [
        _article(query, (window_section(window, language),), f"{query.id}/{number}")
        for number, window in enumerate(query.windows)
    ]


def page_of_windows(query: PublishedQuery) -> tuple[Article, list[int]]:
    """Return a page with the source's lead and a section for each window, and the number of each's middle sentence."""
    language = language_of(query)
    sections = [window_section(PublishedWindow(query.source_lead, ""), language)]
    middles = []
    count = len(sections[0].sentences)
    for window in query.windows:
        sections.append(window_section(window, language))
        of_window = len(sections[-1].sentences)
        middles.append(count + of_window // 2)
        count += of_window
    return _article(query, tuple(sections), query.id), middles


def language_of(query: PublishedQuery) -> str:
    """Return the tag of the language that the query's texts are in."""
    return query.tag


def _section(window: PublishedWindow, parts: tuple[Sentence, ...], text: str) -> Section:
    return Section(window.section, 2 if window.section else 1, text, parts)


def _article(query: PublishedQuery, sections: tuple[Section, ...], id_: str) -> Article:
    return Article(query.source_title, language_of(query), sections, id=id_)
