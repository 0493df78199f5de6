"""Limits at the door of the service, and one shape for all errors of its API."""

import gzip
from typing import Any

import pytest
from fastapi.testclient import TestClient

PAGE = {"text": "Dhows sail.", "markup": "wikitext", "language": "en"}
TARGET = {"title": "Monsoon"}
TOO_LARGE: dict[str, dict[str, Any]] = {
    "title": {"page": {**PAGE, "title": "é" * 128}, "target": TARGET},
    "sentences": {"page": {**PAGE, "text": "Dhows sail. " * 2_001}, "target": TARGET},
    "links": {"page": {**PAGE, "text": " ".join(f"[[A{n}]]" for n in range(201))}, "target": TARGET},
    "target's title": {"page": PAGE, "target": {"title": "x" * 256}},
    "lead": {"page": PAGE, "target": {**TARGET, "lead": "x" * 4_097}},
    "mentions": {"page": PAGE, "target": {**TARGET, "mentions": ["x"] * 21}},
    "mention": {"page": PAGE, "target": {**TARGET, "mentions": ["x" * 201]}},
    "targets": {"page": PAGE, "targets": [TARGET] * 51},
    "translations": {"page": PAGE, "target": TARGET, "translations": [PAGE] * 6},
    "top": {"page": PAGE, "target": TARGET, "top": 21},
}


def checked(response: Any, status: int, code: str) -> str:
    assert response.status_code == status, response.text
    content = response.json()
    assert set(content) == {"error", "request_id"}
    assert content["error"]["code"] == code
    assert content["request_id"] == response.headers["X-Request-ID"]
    message: str = content["error"]["message"]
    return message


@pytest.mark.parametrize("what", TOO_LARGE)
def test_what_is_over_a_limit_is_refused_with_the_limit(client: TestClient, what: str) -> None:
    assert "at most" in checked(client.post("/v1/suggest", json=TOO_LARGE[what]), 413, "too_large")


def test_a_body_is_measured_after_unpacking(client: TestClient) -> None:
    bomb = gzip.compress(b" " * 50_000_000)
    assert len(bomb) < 100_000
    packed = client.post("/v1/suggest", content=bomb, headers={"Content-Encoding": "gzip"})
    checked(packed, 413, "too_large")
    checked(client.post("/v1/suggest", content=b" " * 600_000), 413, "too_large")
    for content in (b"not gzip", bomb[:50]):
        damaged = client.post("/v1/suggest", content=content, headers={"Content-Encoding": "gzip"})
        checked(damaged, 400, "unusable")
    checked(client.post("/v1/suggest", content=b"x", headers={"Content-Encoding": "br"}), 415, "unusable")


def test_a_wrong_request_is_explained_without_repeating_it(client: TestClient) -> None:
    for body, expected in [
        ({"page": PAGE}, "no target"),
        ({"page": {**PAGE, "markup": "odd"}, "target": TARGET}, "no markup is called 'odd'"),
        ({"page": PAGE, "target": TARGET, "secret text": 1}, "Extra inputs"),
        ({"page": {**PAGE, "wiki": "sw"}, "target": TARGET}, "not by both"),
        ({"page": PAGE, "target": {"title": " "}}, "a title or a mention"),
    ]:
        code = "unusable" if "odd" in expected else "invalid_request"
        message = checked(client.post("/v1/suggest", json=body), 422, code)
        assert expected in message
        assert "Dhows" not in message
    for content in (b"{", b"[" * 100_000, b"\xff"):
        checked(client.post("/v1/suggest", content=content), 400, "bad_request")


def test_a_wiki_that_is_not_configured_is_never_read(client: TestClient) -> None:
    for wiki in ("https://example.org/w/api.php", "127.0.0.1", "sw.wikipedia.org"):
        body = {"page": {"wiki": wiki, "title": "Dhow"}, "target": TARGET}
        checked(client.post("/v1/suggest", json=body), 404, "unknown_wiki")
        checked(client.get("/v1/places", params={"wiki": wiki, "page": "a", "target": "b"}), 404, "unknown_wiki")


def test_a_batch_gives_each_request_its_answers_or_its_error(client: TestClient) -> None:
    good = {"page": PAGE, "target": TARGET}
    bad = {"page": {**PAGE, "markup": "odd"}, "target": TARGET}
    first, second, third = client.post("/v1/suggest/batch", json={"requests": [good, bad, good]}).json()["results"]
    assert first == third == client.post("/v1/suggest", json=good).json()
    assert (second["status_code"], second["error"]["code"]) == (422, "unusable")
    many = {"requests": [{"page": PAGE, "targets": [TARGET] * 50}] * 11}
    assert "at most 500" in checked(client.post("/v1/suggest/batch", json=many), 413, "too_large")


def test_a_request_keeps_the_id_that_it_comes_with_if_it_is_a_plain_one(client: TestClient) -> None:
    assert client.get("/healthz", headers={"X-Request-ID": "abc-1"}).headers["X-Request-ID"] == "abc-1"
    odd = client.get("/healthz", headers={"X-Request-ID": "<script>"}).headers["X-Request-ID"]
    assert "<" not in odd
    checked(client.get("/nowhere"), 404, "not_found")
    checked(client.get("/v1/suggest"), 405, "method_not_allowed")
