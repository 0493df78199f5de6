"""The cost of a page grows no faster than its length, whatever its shape: four times the page takes about four times.

Linear growth has a ratio of 4, quadratic growth one of 16.
"""

import gc
from collections import Counter
from collections.abc import Callable
from dataclasses import astuple
from datetime import UTC, datetime
from functools import partial
from time import process_time

import numpy as np
import pytest
from tests.growth_shapes import EDITS, PAGES, TARGET

from linkspot.answers.json_shape import to_json
from linkspot.answers.linking_rules import can_be_linked
from linkspot.answers.source_page import SourcePage
from linkspot.answers.suggester import Suggester
from linkspot.engines.engine import Shard
from linkspot.insertions.rules import HistoryRules
from linkspot.insertions.windows import windows
from linkspot.links.addresses import Naming
from linkspot.links.precedents import precedent_at
from linkspot.model.dual.features import features
from linkspot.model.dual.page_view import PageView
from linkspot.model.dual.text_vectors import PageVectors, TargetVectors
from linkspot.parsing import parse
from linkspot.pipeline.batches import Batch
from linkspot.pipeline.histories import JudgeHistories
from linkspot.pipeline.pages import ParsePages
from linkspot.records import Article, Entity, Link, Markup, Page, Revision, Section, Sentence
from linkspot.source_map import Element, SourceMap, Span, TextRun

pytestmark = pytest.mark.no_cover  # which would take ten times as long

_SIZES = (300, 1_200)  # pieces
_MOST = 8.0
_NOISE = 0.03  # seconds
_TRIES = 4
_TIME = datetime(2020, 1, 1, tzinfo=UTC)
_NEW = {
    Markup.WIKITEXT: "\n\nThen the [[New page]] came along.",
    Markup.HTML: '<p>Then the <a href="./New_page">New page</a> came along.',
    Markup.MARKDOWN: "\n\nThen the [New page](new.md) came along.",
}


@pytest.mark.parametrize("shape", PAGES)
def test_four_times_the_page_costs_about_four_times_as_much(shape: str) -> None:
    markup, text = PAGES[shape]
    pages = [_page(text(size), markup) for size in _SIZES]
    _assert_linear("parse", [partial(parse, page) for page in pages])
    _assert_linear("index", [partial(_index, page) for page in pages])
    _assert_linear("insertions", [partial(_insertions, page.text, page.text, markup) for page in pages])
    sources = [SourcePage.of(page) for page in pages]
    for ranker in ("bm25", "string-match"):
        _assert_linear(ranker, [partial(_answer, Suggester.of(ranker, anyway=True), one) for one in sources])
    if sources[0].article.sentences:
        _assert_linear("features", [partial(_features, one.article) for one in sources])


@pytest.mark.parametrize("shape", EDITS)
def test_four_times_the_edit_costs_about_four_times_as_much(shape: str) -> None:
    _assert_linear("insertions", [partial(_insertions, *EDITS[shape](size), Markup.WIKITEXT) for size in _SIZES])


@pytest.mark.parametrize("name", ["Foo {}", "Foo{}", "{} dog", "f{}"])
def test_four_times_the_names_cost_about_four_times_as_much_at_most(name: str) -> None:
    source = SourcePage.of(_page("A foo 7 barks at dogs of f7. " * 100, Markup.WIKITEXT))
    names = [name.format(number) for number in range(800)]
    entities = [Entity("Cat", mentions=tuple(names[:size])) for size in (200, 800)]
    suggester = Suggester.of("string-match", anyway=True)
    _assert_linear("suggest", [partial(_answer, suggester, source, entity) for entity in entities])


def _linked(size: int) -> Article:
    """Return an article of one section in which each sentence is a link, and all of them stand in a wide one."""
    text = "ab " * size
    places = [Span(start, start + 2) for start in range(0, len(text), 3)]
    links = [Link("a", "ab", *astuple(place), place) for place in places]
    links.append(Link("b", text, 0, len(text), Span(0, len(text))))
    elements = tuple(Element(*astuple(place), *astuple(place), *astuple(place)) for place in places)
    runs = tuple(TextRun(*astuple(place), *astuple(place)) for place in places)
    sentences = tuple(Sentence("ab", *astuple(place), place) for place in places)
    return Article("A", "en", (Section("", 1, text, sentences, tuple(links), SourceMap(runs, elements)),))


#: What is done for each place of a page, given the page and the number of a sentence.
PLACES: dict[str, Callable[[Article, Sentence, int], object]] = {
    "links_in": lambda article, sentence, _: article.sections[0].links_in(sentence.start, sentence.end),
    "is_balanced": lambda article, sentence, _: article.sections[0].source_map.is_balanced(
        sentence.start, sentence.end
    ),
    "can_be_linked": lambda article, sentence, _: can_be_linked(article.sections[0], sentence.source),
    "precedent_at": lambda article, _, number: precedent_at(article, number),
}


@pytest.mark.parametrize("question", PLACES)
def test_a_question_about_one_place_does_not_look_at_all_places(question: str) -> None:
    articles = [_linked(size) for size in (2_000, 8_000)]
    _assert_linear(question, [partial(_ask_everywhere, article, PLACES[question]) for article in articles])


def _ask_everywhere(article: Article, question: Callable[[Article, Sentence, int], object]) -> None:
    for number, (_, sentence) in enumerate(article.sentences):
        question(article, sentence, number)


def _assert_linear(step: str, runs: list[Callable[[], object]]) -> None:
    """Compare the shortest times so far; other programs run on this machine, so a bad ratio gets another try."""
    small, large = map(_seconds, runs)
    for _ in range(_TRIES):
        if large < _MOST * small + _NOISE:
            return
        small, large = (min(least, _seconds(run)) for least, run in zip((small, large), runs, strict=True))
    pytest.fail(f"{step} takes {small:.3f} s, and {large:.3f} s for four times as much")


def _seconds(run: Callable[[], object]) -> float:
    gc.disable()  # it would look at all objects of the tests before this one
    try:
        start = process_time()
        run()
        return process_time() - start
    finally:
        gc.enable()


def _page(text: str, markup: Markup) -> Page:
    return Page("Page", text, markup, "en", id="1")


def _answer(suggester: Suggester, source: SourcePage, entity: Entity = TARGET) -> str:
    return to_json(suggester.answer(source, entity))


def _index(page: Page) -> object:
    return ParsePages().run(Shard(Batch((Revision(page, "1", _TIME),), Naming(), Counter()), 1, 1.0))


def _insertions(before: str, after: str, markup: Markup) -> object:
    texts = (before, after + _NEW[markup])
    revisions = [Revision(_page(text, markup), str(number), _TIME) for number, text in enumerate(texts)]
    records = tuple(enumerate(windows(revisions)))
    return JudgeHistories(HistoryRules()).run(Shard(Batch(records, Naming(), Counter()), 1, 1.0))


def _features(article: Article) -> object:
    draw = np.random.default_rng(0)
    shapes = ((len(article.sentences), 8), (len(article.sections), 8), (8,), (8,))
    sentences, titles, names, lead = (draw.normal(size=shape).astype(np.float32) for shape in shapes)
    return features(PageView.of(article), PageVectors(sentences, titles), TARGET, TargetVectors(names, lead))
