"""The log: one line of JSON for each request, and nothing of what it says."""

import json
import logging

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from linkspot.service.app import create_app
from linkspot.service.request_log import LOG, JsonLines
from linkspot.service.settings import ServiceLimits, ServiceSettings

SECRET = "A secret of the page"


def broken_app() -> FastAPI:
    app = create_app(ServiceSettings(ranker="bm25", workers=1))

    async def broken() -> None:
        raise KeyError(SECRET)

    app.add_api_route("/v1/broken", broken)
    return app


def test_an_unexpected_error_is_answered_and_logged_without_what_it_says(caplog: pytest.LogCaptureFixture) -> None:
    client = TestClient(broken_app())  # without its lifespan, so that no worker starts
    with caplog.at_level(logging.INFO, LOG.name):
        response = client.get("/v1/broken", params={"q": SECRET}, headers={"X-Request-ID": "id-1"})
    assert (response.status_code, response.json()["error"]["code"]) == (500, "broken")
    assert SECRET not in response.text
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records if record.name == LOG.name]
    assert SECRET not in json.dumps(lines)
    error, request = lines
    assert (error["event"], error["error"], error["request_id"]) == ("unexpected error", "KeyError", "id-1")
    assert error["where"].startswith("test_request_log.py:")
    assert (request["route"], request["status"], request["request_id"]) == ("/v1/broken", 500, "id-1")


def test_what_has_no_route_is_counted_together_and_health_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    client = TestClient(broken_app())
    with caplog.at_level(logging.INFO, LOG.name):
        for path in ("/a", "/b", "/healthz", "/metrics"):
            client.get(path)
        assert client.get("/readyz").status_code == 503
    routes = [getattr(record, "facts", {})["route"] for record in caplog.records if record.name == LOG.name]
    assert routes == ["other", "other"]
    metrics = client.get("/metrics").text
    assert 'linkspot_requests_total{method="GET",route="other",status="404"} 2.0' in metrics
    assert "linkspot_request_seconds_count" in metrics


def test_before_the_workers_are_ready_every_protocol_says_so() -> None:
    client = TestClient(broken_app())
    page = {"text": "A dhow.", "markup": "wikitext", "language": "en"}
    refused = client.post("/v1/suggest", json={"page": page, "target": {"title": "Dhow"}})
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "not_ready")
    assert int(refused.headers["Retry-After"]) > 0
    assert client.get("/v2/health/ready").status_code == 503
    assert client.get("/v1/models/linkspot").json() == {"name": "linkspot", "ready": False}
    assert client.post("/v1/models/linkspot:predict", json={"instances": []}).json() == {"predictions": []}


def test_an_address_that_asks_too_often_is_refused_before_its_body_is_read() -> None:
    limits = ServiceLimits(requests_a_minute=3)  # the next one after 20 s
    client = TestClient(create_app(ServiceSettings(ranker="bm25", workers=1, limits=limits)))
    statuses = [client.post("/v1/suggest", content=b"x").status_code for _ in range(4)]
    assert statuses == [400] * 3 + [429]
    refused = client.post("/v1/models/linkspot:predict", content=b"x" * 1_000_000)
    assert (refused.status_code, list(refused.json())) == (429, ["error"])
    assert int(refused.headers["Retry-After"]) > 0
    assert client.get("/healthz").status_code == 200
