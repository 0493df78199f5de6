"""linkrecommendation: the shapes that GrowthExperiments and VisualEditor check, from an index of a small wiki."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient
from tests.service.conftest import PATIENT, serving
from tests.service.test_text_nodes import counted
from tests.tree_wiki import write_export

from linkspot.corpora.corpus import CorpusSource
from linkspot.limits import LIMITS
from linkspot.pipeline.index import index
from linkspot.ranking.ranker import open_ranker
from linkspot.records import Page
from linkspot.service.recommendations import Recommendation, RecommendationTask, compatible
from linkspot.service.settings import ServiceSettings, WikiSettings
from linkspot.service.worker_process import Workplace

if TYPE_CHECKING:
    from linkspot.engines.engine import Engine

TIME = "2020-01-01T00:00:00Z"
WIKI = {
    "Dhow": "A dhow is a ship that sails with the [[monsoon|monsoons]].",
    "Monsoon": "The monsoon is a wind. A [[dhow]] sails with it, and carries [[date palm|dates]] to [[Zanzibar]].",
    "Date palm": "The date palm bears dates. [[Zanzibar]] buys them.",
    "Zanzibar": "Zanzibar is an island. Every [[dhow]] knows it.",
}
PAGE = (
    "'''Trade''' is old. Each dhow carried dates to Zanzibar. The monsoon brought the 🚢 dhow home.\n"
    "== Notes ==\nThe Monsoon came in June, and Zanzibar was glad."
)
PATH = "/v1/linkrecommendations/wikipedia/en/Indian%20Ocean%2FTrade"
BODY = {"wikitext": PAGE, "revid": 5, "pageid": 7}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the wiki."""
    from linkspot.engines.engine import EngineSettings, open_engine

    folder: Path = tmp_path_factory.mktemp("recommendations")
    dump = write_export(folder / "wiki.xml", {title: [(TIME, text)] for title, text in WIKI.items()})
    engine: Engine = open_engine("local", EngineSettings(jobs=1))
    try:
        index([CorpusSource(dump)], folder / "index", engine, licence="CC0")
    finally:
        engine.close()
    return folder / "index"


@pytest.fixture(scope="module")
def served(indexed: Path) -> Iterator[TestClient]:
    """A service with an index of the wiki; the wiki itself cannot be reached."""
    wiki = WikiSettings("http://127.0.0.1:9/api.php", "trade", "wikipedia", "en", indexed)
    other = WikiSettings("http://127.0.0.1:8/w/api.php", "other", "wikipedia", "sw")
    wikis = (wiki, other)
    settings = ServiceSettings(ranker="bm25", wikis=wikis, contact="a@example.org", workers=1, limits=PATIENT)
    with serving(settings) as client:
        yield client


def recommended(served: TestClient, **parameters: Any) -> Any:
    response = served.post(PATH, json=BODY, params=parameters)
    assert response.status_code == 200, response.text
    return response.json()


def test_unlinked_mentions_of_known_pages_are_recommended(served: TestClient) -> None:
    content = recommended(served)
    assert {key: content[key] for key in ("page_title", "pageid", "revid")} == {
        "page_title": "Indian Ocean/Trade",
        "pageid": 7,
        "revid": 5,
    }
    assert set(content) == {"page_title", "pageid", "revid", "links_count", "links", "meta"}
    assert content["meta"]["format_version"] == 1
    links = content["links"]
    assert {link["link_text"]: link["link_target"] for link in links} == {
        "dhow": "Dhow",
        "dates": "Date palm",
        "Zanzibar": "Zanzibar",
        "monsoon": "Monsoon",
    }
    assert content["links_count"] == len(links)
    assert [link["link_index"] for link in links] == list(range(len(links)))
    assert [link["match_index"] for link in links] == [0] * len(links)
    for link in links:
        end = link["wikitext_offset"] + len(link["link_text"])
        before, after = link["context_before"], link["context_after"]
        assert PAGE[link["wikitext_offset"] : end] == link["link_text"]
        assert len(before) <= 10
        assert len(after) <= 10
        assert before + link["link_text"] + after in PAGE


def test_what_is_asked_for_is_left_out_or_limited(served: TestClient) -> None:
    assert recommended(served, max_recommendations=2)["links_count"] == 2
    without = served.post(PATH, json={**BODY, "wikitext": "== Trade ==\nA dhow.", "sections_to_exclude": ["Trade"]})
    assert (without.status_code, without.json()["links"]) == (200, [])
    assert recommended(served, sections_to_exclude="Notes")["links_count"] == 4


def test_links_that_are_there_and_the_page_itself_are_not_recommended(served: TestClient) -> None:
    body = {**BODY, "wikitext": "A [[dhow]] came. Another dhow left Zanzibar."}
    links = served.post("/v1/linkrecommendations/wikipedia/en/Zanzibar", json=body).json()["links"]
    assert links == []


def test_a_page_that_names_no_known_page_has_an_empty_list(served: TestClient) -> None:
    for text in ("Nothing here is known.", "", "{{box}}", "1 2 3"):
        content = served.post(PATH, json={**BODY, "wikitext": text}).json()
        assert (content["links_count"], content["links"]) == (0, [])


def test_errors_have_the_shapes_of_the_contract_and_pages_may_read_them(served: TestClient) -> None:
    for path in ("wikipedia/xx/Dhow", "wikipedia/sw/Dhow", "wiktionary/en/Dhow"):
        refused = served.get(f"/v1/linkrecommendations/{path}")
        assert refused.status_code == 400
        assert refused.json()["valid_project_domain_pairs"] == ["wikipedia/en"]
        assert refused.headers["Access-Control-Allow-Origin"] == "*"
    for body in ({}, {"wikitext": "x"}, {"wikitext": 7, "revid": 1, "pageid": 1}):
        refused = served.post(PATH, json=body)
        assert (refused.status_code, list(refused.json())) == (400, ["message"])
    silent = served.get(PATH)
    assert (silent.status_code, list(silent.json())) == (502, ["message"])


def test_a_worker_s_task_keeps_to_the_number_and_the_threshold(indexed: Path) -> None:
    page = Page("Trade", PAGE, "wikitext", "en")
    workplace = Workplace(open_ranker("bm25"), "bm25", LIMITS)
    links = RecommendationTask(page, indexed, 0.5, 1, targets=("Monsoon", "Nowhere known")).run(workplace)
    assert [(link["link_text"], link["link_index"]) for link in links] == [("dhow", 0)]
    every = RecommendationTask(page, indexed, 0.5, 15, targets=("Monsoon",)).run(workplace)
    assert sorted(link["link_target"] for link in every) == ["Date palm", "Dhow", "Monsoon", "Zanzibar"]
    assert RecommendationTask(page, indexed, 1.1, 15).run(workplace) == []


def test_words_that_front_ends_would_mix_up_are_not_recommended_together() -> None:
    text = "The sea wind rose. A wind rose shows it. Fire and sea."
    page = counted(text)

    def link(words: str, score: float) -> Recommendation:
        return Recommendation(words, words, text.index(words), 0, "", "", score)

    links = [link("sea wind", 0.9), link("wind rose", 0.8), link("sea", 0.7), link("Fire", 0.6)]
    assert [one.link_text for one in compatible(links, page)] == ["sea wind", "Fire"]
