"""Rankers on a faithful sample of the published dataset."""

import lzma
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest
from tests.published_sample import write_tests
from tests.tiny_encoders import tiny_model

from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.evaluation.published import PublishedTests
from linkspot.evaluation.published_pages import (
    WindowsAs,
    page_of_texts,
    page_of_windows,
    score_windows,
    small_pages,
    windows_as,
)
from linkspot.evaluation.published_repair import repaired
from linkspot.examples.published_rows import PublishedQuery, PublishedWindow
from linkspot.metrics.metrics import expected_hits_of_chance
from linkspot.model.config import ModelKind
from linkspot.pipeline.dataset import DatasetSettings, dataset
from linkspot.pipeline.insertions import insertions
from linkspot.pipeline.splits import TEST_ALONE
from linkspot.ranking.bm25 import BM25Ranker
from linkspot.ranking.cascade import CascadeRanker
from linkspot.ranking.chance import RandomRanker
from linkspot.ranking.neural import NeuralRanker, load
from linkspot.ranking.ranker import open_ranker
from linkspot.ranking.without_precedents import WithoutPrecedentsRanker
from linkspot.records import Entity, Scenario
from linkspot.text.bm25 import WordIndex, terms

PAGES = 500  # of the real wiki
NEW_TEXT = {Scenario.MISSING_SENTENCE, Scenario.MISSING_SPAN}
QUERY = PublishedQuery(
    "simple/0",
    "simple",
    Scenario.MISSING_SENTENCE,
    Entity("Signal", "A signal tells drivers of trains to stop.", ("signals",)),
    "Rail",
    "Rails carry trains. They are long.",
    (
        PublishedWindow("Ships sail. Planes fly.\nCars drive. People walk.", "Others"),
        PublishedWindow("Trains stop at signals. They wait. Then they go on.", ""),
        PublishedWindow("Coal burns.", "Fuel"),
    ),
    1,
)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[ModelKind, NeuralRanker]:
    return {kind: load(tiny_model(tmp_path_factory.mktemp(kind), kind)) for kind in ModelKind}


@pytest.fixture(scope="module")
def released(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[PublishedQuery]:
    """Queries of the first pages of a real wiki, by way of the published format."""
    folder = tmp_path_factory.mktemp("real")
    with lzma.open(shared_data / "openttd" / "openttd-en-pages-meta-history.xml.xz", "rt", encoding="utf-8") as dump:
        lines, pages = [], 0
        while pages < PAGES:
            lines.append(dump.readline())
            pages += "</page>" in lines[-1]
    (folder / "en.xml").write_text("".join([*lines, "</mediawiki>"]), encoding="utf-8")
    engine = open_engine("local", EngineSettings(jobs=1))
    try:
        # Targets beyond the first pages have no lead then, but there are twice as many queries.
        insertions([CorpusSource(folder / "en.xml")], folder / "edits", engine, keep_unknown=True)
        dataset([folder / "edits"], folder / "dataset", engine, DatasetSettings({"edits": TEST_ALONE}))
    finally:
        engine.close()
    write_tests(folder / "dataset", folder / "files")
    tests = PublishedTests(folder / "files")
    queries = list(tests.queries("en"))
    assert not tests.rejects
    return queries


@pytest.fixture(scope="module")
def fixed(released: list[PublishedQuery]) -> list[PublishedQuery]:
    return [repaired(query) for query in released]


def expected_hits(scores: Sequence[float], right: tuple[int, ...]) -> float:
    """Hits@1 where ties are broken by chance: what a ranker knows, no more and no less."""
    best = [number for number, score in enumerate(scores) if score == max(scores)]
    return sum(number in right for number in best) / len(best)


def seams(query: PublishedQuery) -> list[float]:
    """Score windows by nothing but joints without a space."""
    return [float(len(re.findall("[.!?][A-Z]", window.text))) for window in query.windows]


@pytest.mark.parametrize("name", ["random", "string-match", "bm25"])
def test_rankers_of_texts_score_whole_windows(name: str) -> None:
    ranker = open_ranker(name)
    assert windows_as(ranker) is WindowsAs.TEXTS
    scores = score_windows(ranker, QUERY).places
    assert len(scores) == len(QUERY.windows)
    assert name == "random" or scores.index(max(scores)) == QUERY.gold


def test_the_documents_of_bm25_are_the_windows_of_the_query() -> None:
    ranker = BM25Ranker(names_weight=1)
    index = WordIndex([terms(window.text, "en") for window in QUERY.windows])
    query = terms("Signal signals", "en"), terms(QUERY.entity.lead, "en")
    expected = [sum(both) for both in zip(*map(index.scores, query), strict=True)]
    assert score_windows(ranker, QUERY).places == pytest.approx(expected, rel=1e-6)
    assert [section.title for section in page_of_texts(QUERY).sections] == ["Others", "", "Fuel"]


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        (ModelKind.WINDOW, WindowsAs.MIDDLES),
        (ModelKind.TRIPLE, WindowsAs.MIDDLES),
        (ModelKind.ARTICLE, WindowsAs.PAGES),
        (ModelKind.DUAL, WindowsAs.PAGES),
    ],
)
def test_models_score_each_window_whatever_the_others_are(
    models: dict[ModelKind, NeuralRanker], kind: ModelKind, form: WindowsAs
) -> None:
    ranker = models[kind]
    assert windows_as(ranker) is form
    scores = score_windows(ranker, QUERY).places
    fewer = score_windows(ranker, replace(QUERY, windows=QUERY.windows[1:], gold=0)).places
    # How far above *nowhere* a window is depends on the page for models that read pages, and theirs is the window.
    assert scores[1] - scores[2] == pytest.approx(fewer[0] - fewer[1], abs=1e-4)
    assert all(map(math.isfinite, scores))


def test_a_model_of_windows_reads_all_of_a_window_around_its_middle() -> None:
    page, middles = page_of_windows(QUERY)
    assert page.sections[0].text == QUERY.source_lead
    assert [page.sentences[number][1].text for number in middles] == ["Cars drive.", "They wait.", "Coal burns."]
    assert page.language == "en"


def test_a_window_that_is_a_small_page_is_as_good_as_its_best_sentence(models: dict[ModelKind, NeuralRanker]) -> None:
    ranker = models[ModelKind.ARTICLE]
    scores = [ranker.score(QUERY.entity, page).places for page in small_pages(QUERY)]
    assert [len(of_page) for of_page in scores] == [4, 3, 1]
    assert score_windows(ranker, QUERY).places == pytest.approx([max(of_page) for of_page in scores])


def test_small_pages_hold_the_sentences_of_their_windows() -> None:
    pages = small_pages(QUERY)
    assert [[sentence.text for _, sentence in page.sentences] for page in pages] == [
        ["Ships sail.", "Planes fly.", "Cars drive.", "People walk."],
        ["Trains stop at signals.", "They wait.", "Then they go on."],
        ["Coal burns."],
    ]
    assert {page.title for page in pages} == {"Rail"}
    assert len({page.id for page in pages}) == 3


def test_each_ranker_of_a_cascade_gets_the_windows_in_its_own_way(models: dict[ModelKind, NeuralRanker]) -> None:
    cheap, expensive = open_ranker("bm25"), models[ModelKind.WINDOW]
    cascade = CascadeRanker(cheap, expensive, best=2)
    assert windows_as(cascade) is WindowsAs.MIDDLES
    scores, second_scores = score_windows(cascade, QUERY).places, score_windows(expensive, QUERY).places
    last = min(range(3), key=score_windows(cheap, QUERY).places.__getitem__)
    first, second = (number for number in range(3) if number != last)
    assert scores[first] - scores[second] == pytest.approx(second_scores[first] - second_scores[second], abs=1e-4)
    assert min(scores) == scores[last]


@pytest.mark.parametrize("kind", ModelKind)
def test_a_ranker_around_a_model_gets_the_windows_as_the_model_does(
    models: dict[ModelKind, NeuralRanker], kind: ModelKind
) -> None:
    model = models[kind]
    assert windows_as(WithoutPrecedentsRanker(model)) is windows_as(model)
    assert score_windows(WithoutPrecedentsRanker(model), QUERY) == score_windows(model, QUERY)
    plain = CascadeRanker(open_ranker("bm25"), model, best=2)
    within = CascadeRanker(open_ranker("bm25"), WithoutPrecedentsRanker(model), best=2)
    around = WithoutPrecedentsRanker(plain)
    assert windows_as(within) is windows_as(around) is windows_as(model)
    assert score_windows(within, QUERY) == score_windows(around, QUERY) == score_windows(plain, QUERY)


@pytest.mark.shared_data
def test_a_ranker_that_knows_only_the_seam_wins_as_released_and_not_when_repaired(
    released: list[PublishedQuery], fixed: list[PublishedQuery]
) -> None:
    def above_chance(queries: list[PublishedQuery]) -> float:
        asked = [query for query in queries if query.scenario in NEW_TEXT]
        assert len(asked) > 100
        chance = fmean(expected_hits_of_chance(len(query.windows), len(query.right)) for query in asked)
        return fmean(expected_hits(seams(query), query.right) for query in asked) / chance

    assert above_chance(released) > 1.4
    assert above_chance(fixed) == pytest.approx(1, abs=0.05)


@pytest.mark.shared_data
def test_chance_reaches_the_mean_of_one_in_n_as_in_the_paper(released: list[PublishedQuery]) -> None:
    chances = [1 / len(query.windows) for query in released]
    seeds = range(10)
    hits = [
        fmean(expected_hits(score_windows(RandomRanker(seed), query).places, (query.gold,)) for seed in seeds)
        for query in released
    ]
    error = math.sqrt(sum(chance * (1 - chance) for chance in chances) / len(seeds)) / len(chances)
    assert len(released) > 200
    assert abs(fmean(hits) - fmean(chances)) < 3 * error


@pytest.mark.shared_data
def test_the_sample_has_the_flaws_of_the_original_and_repairing_takes_them_out(
    released: list[PublishedQuery], fixed: list[PublishedQuery]
) -> None:
    def uneven(queries: list[PublishedQuery], *, right: bool) -> int:
        texts = (w.text for query in queries for n, w in enumerate(query.windows) if (n == query.gold) is right)
        return sum("\n " in text or "  " in text for text in texts)

    assert {query.scenario for query in released} == {*Scenario} - {Scenario.MISSING_SECTION}
    assert uneven(released, right=False) > uneven(released, right=True) == 0
    assert uneven(fixed, right=False) == uneven(fixed, right=True) == 0
    twins = [sum(bool(query.twins) for query in queries) for queries in (released, fixed)]
    assert 0.1 * len(released) < twins[0] < twins[1]
