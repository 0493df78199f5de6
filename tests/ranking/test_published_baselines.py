import tarfile
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest
from rank_bm25 import BM25Okapi
from tests.ranking.lexical_pages import SIGNAL, article, order

from linkspot.examples.candidates import candidates
from linkspot.parsing import parse
from linkspot.ranking.published_baselines import PublishedBM25Ranker, PublishedStringMatchRanker, keywords
from linkspot.records import Article, Entity, Markup, Page


def scores_of_the_package(entity: Entity, page: Article) -> list[float]:
    spans = [keywords(place.context, page.language) for place in candidates(page)]
    return list(BM25Okapi(spans).get_scores([entity.title.lower(), *keywords(entity.lead, page.language)]))


def test_a_span_is_the_sentence_with_five_on_each_side() -> None:
    page = article(*["Ships sail."] * 6, "A signal stands.", *["Ships sail."] * 24)
    for ranker in (PublishedBM25Ranker(), PublishedStringMatchRanker()):
        scores = ranker.score(Entity("Signal", "A signal.", ("signal",)), page).places
        assert [number for number, score in enumerate(scores) if score > 0] == list(range(1, 12))


def test_a_known_mention_counts_letter_by_letter_and_stands_in_for_the_title() -> None:
    page = article(*[f"{word} is here." for word in ("Signal", "signals", "Semaphore")])
    alone = [article(sentence.text) for _section, sentence in page.sentences]

    def found(entity: Entity) -> list[float]:
        return [PublishedStringMatchRanker().score(entity, one).places[0] for one in alone]

    assert found(Entity("Signal")) == [1, 0, 0]
    assert found(Entity("Signal", mentions=("signal", "Semaphore"))) == [0, 1, 1]


def test_the_words_of_the_lead_are_compared_and_the_mentions_are_not() -> None:
    page = article(*["Ships sail."] * 12, "The driver of a train waits.", *["Ships sail."] * 24, "A beacon is lit.")
    entity = Entity("Signal", SIGNAL.lead, ("beacon",))
    scores = PublishedBM25Ranker().score(entity, page).places
    assert order(scores)[0] in range(7, 18)
    assert scores[-1] == 0


def test_stop_words_count_in_other_languages_but_english() -> None:
    assert keywords("The dog of the house", "en") == keywords("The dog of the house", "simple") == ["dog", "house"]
    assert keywords("The dog of the house", "sw") == ["the", "dog", "of", "the", "house"]


def test_where_all_scores_are_below_0_a_shared_word_still_raises_them() -> None:
    page = article("Trains wait here.", "Trains wait there.")
    raw = scores_of_the_package(Entity("Signal", "Trains wait."), page)
    assert max(raw) < 0
    assert list(PublishedBM25Ranker().score(Entity("Signal", "Trains wait."), page).places) == [-one for one in raw]


@pytest.mark.shared_data
def test_scores_on_pages_of_wikipedia_are_those_of_rank_bm25(shared_data: Path) -> None:
    pages = list(_school_pages(shared_data / "wikipedia" / "wikipedia-for-schools-2007-en.tar.xz", 40))
    compared = 0
    for page, other in pairwise(pages):
        lead = other.sections[0].text[:1500]
        expected = scores_of_the_package(Entity(other.title, lead), page)
        if max(expected) >= 0:
            scores = PublishedBM25Ranker().score(Entity(other.title, lead), page).places
            np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-9)
            compared += len(scores)
    assert compared > 1000


def _school_pages(path: Path, most: int) -> list[Article]:
    with tarfile.open(path) as archive:
        files = (member for member in archive if member.name.endswith(".htm") and "/wp/" in f"/{member.name}")
        texts = [(file.name, archive.extractfile(file)) for file in islice(files, most)]
        pages = [Page(Path(name).stem, text.read().decode(), Markup.HTML, "en") for name, text in texts if text]
    return [one for one in map(parse, pages) if one.sentences]
