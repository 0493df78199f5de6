"""Wikis of the settings: what is asked of them, what is kept, and what happens when they are down or odd."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from tests.service.conftest import PATIENT, serving

from linkspot.service.settings import ServiceSettings, WikiSettings

TEXTS = {
    "Dhow": "Dhows sail with the monsoons. They carry dates.",
    "Monsoon": "The '''monsoon''' is a wind of the sea.",
}


class SmallWiki(BaseHTTPRequestHandler):
    """Answers like MediaWiki's API for a few pages, and notes what it was asked."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        question = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        title = question.get("titles") or ("Dhow" if question.get("revids") == "1" else "")
        self.asked.append(title or question.get("meta", ""))
        if title == "Elsewhere":
            self.send_response(302)
            self.send_header("Location", "http://localhost:1/api.php")
            self.end_headers()
            return
        content = b" " * 20_000_000 if title == "Huge" else json.dumps(answer(title, question)).encode()
        self.send_response(503 if title == "Down" else 200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def answer(title: str, question: dict[str, str]) -> dict[str, Any]:
    if "meta" in question:
        return {"query": {"general": {"wikiid": "smallwiki", "lang": "en"}, "statistics": {"articles": 2}}}
    page: dict[str, Any] = {"title": title, "missing": True}
    if title in TEXTS:
        slots = {"main": {"contentmodel": "wikitext", "content": TEXTS[title]}}
        number = list(TEXTS).index(title) + 1
        page = {
            "title": title,
            "pageid": number,
            "pagelanguage": "en",
            "revisions": [{"revid": number, "slots": slots}],
        }
        page["redirects"] = [{"title": f"{title}s"}]
    return {"query": {"pages": [page]}}


@pytest.fixture(scope="module")
def served() -> Iterator[TestClient]:
    """A service that reads the small wiki."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), SmallWiki)
    Thread(target=server.serve_forever, daemon=True).start()
    wiki = WikiSettings(f"http://127.0.0.1:{server.server_port}/api.php", "small")
    with serving(
        ServiceSettings(ranker="bm25", wikis=(wiki,), contact="a@example.org", workers=1, limits=PATIENT)
    ) as client:
        yield client
    server.shutdown()
    server.server_close()


def places(served: TestClient, page: str, target: str = "Monsoon", **parameters: Any) -> Any:
    return served.get("/v1/places", params={"wiki": "small", "page": page, "target": target, **parameters})


def test_a_target_gets_its_lead_and_its_redirects_from_the_wiki_once(served: TestClient) -> None:
    SmallWiki.asked.clear()
    content = places(served, "Dhow").json()
    assert content["page"] == {"title": "Dhow", "wiki": "small", "page_id": 1, "revision": 1}
    target = content["answers"][0]["target"]
    assert (target["lead"], target["mentions"]) == ("The monsoon is a wind of the sea.", ["Monsoons"])
    places(served, "Dhow")
    places(served, "", revision=1)
    assert SmallWiki.asked.count("Monsoon") == 1
    assert SmallWiki.asked.count("Dhow") == 2  # the current revision is asked for each time, an old one is kept


def test_a_target_that_the_wiki_lacks_stays_as_it_is(served: TestClient) -> None:
    target = places(served, "Dhow", "Unheard of").json()["answers"][0]["target"]
    assert (target["title"], target["lead"]) == ("Unheard of", "")


@pytest.mark.parametrize(
    ("page", "status", "code"),
    [
        ("No such page", 404, "no_such_page"),
        ("Down", 502, "wiki_does_not_answer"),
        ("Huge", 502, "wiki_does_not_answer"),
        ("Elsewhere", 422, "unusable"),
        ("Dhow|Monsoon", 404, "no_such_page"),
    ],
)
def test_a_wiki_that_fails_is_named_in_one_line(served: TestClient, page: str, status: int, code: str) -> None:
    response = places(served, page)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code), response.text
