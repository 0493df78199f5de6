"""What the tests of the service share: an application with a quick ranker, ready to be asked."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fastapi.testclient import TestClient
from tests.service.small_wiki import edited_wiki

from linkspot.service.app import create_app
from linkspot.service.settings import ServiceLimits, ServiceSettings

__all__ = ["edited_wiki"]

SECONDS_TO_START = 600
PATIENT = ServiceLimits(seconds=60.0, waiting_seconds=120.0, requests_a_minute=0, fetches_a_minute=0)


@contextmanager
def serving(settings: ServiceSettings) -> Iterator[TestClient]:
    """Run an application until the block is left; its workers are ready when the block begins."""
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        end = time.monotonic() + SECONDS_TO_START
        while client.get("/readyz").status_code != 200:
            assert time.monotonic() < end, client.get("/readyz").text
            time.sleep(0.05)
        yield client


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    """A service that ranks by BM25 in one worker, and reads no wiki."""
    with serving(ServiceSettings(ranker="bm25", workers=1, limits=PATIENT)) as client:
        yield client
