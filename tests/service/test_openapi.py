"""The OpenAPI document: its examples work, and nothing that it allows makes the service fail."""

import socket
import threading
import time
import urllib.request
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from tests.service.conftest import PATIENT, SECONDS_TO_START

from linkspot.service.app import create_app
from linkspot.service.settings import ServiceSettings

FEW, MANY = 8, 300  # examples for each address
NOT_SUPPORTED = 501


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A service at an address of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    app = create_app(ServiceSettings(ranker="bm25", workers=1, limits=PATIENT))
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        wait_until_ready(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(SECONDS_TO_START)


def wait_until_ready(address: str) -> None:
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(f"{address}/readyz").close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("the service is not ready")


def never_fails(address: str, examples: int) -> int:
    """Send each address so many requests that its description allows or just forbids; return how many there are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import schemathesis

        schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
        operations = [result.ok() for result in schema.get_all_operations()]
        for operation in operations:
            call(address, operation, examples)
    return len(operations)


def call(address: str, operation: Any, examples: int) -> None:
    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

    @settings(
        max_examples=examples, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=checks
    )
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        response = case.call(base_url=address)
        assert response.status_code < 500 or response.status_code == NOT_SUPPORTED, (
            case.as_curl_command(),
            response.text,
        )

    ask()


def test_nothing_that_the_document_allows_makes_the_service_fail(address: str) -> None:
    assert never_fails(address, FEW) >= 15


@pytest.mark.slow
def test_nothing_that_the_document_allows_makes_the_service_fail_even_in_many_tries(address: str) -> None:
    assert never_fails(address, MANY) >= 15


def test_the_examples_of_the_document_are_answered(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    body = document["paths"]["/v1/suggest"]["post"]["requestBody"]["content"]["application/json"]
    assert client.post("/v1/suggest", json=body["examples"]["text"]["value"]).status_code == 200
    assert client.post("/v1/suggest", json=body["examples"]["wiki"]["value"]).json()["error"]["code"] == "unknown_wiki"


def test_the_documentation_loads_nothing_from_elsewhere(client: TestClient) -> None:
    page = client.get("/docs")
    assert "POST /v1/suggest" in page.text
    assert "http" not in page.text.replace("http-equiv", "")
    assert page.headers["Content-Security-Policy"] == "default-src 'none'"
    assert client.get("/", follow_redirects=False).headers["Location"] == "/docs"
