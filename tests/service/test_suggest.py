"""The API: a page and its targets go in, the answers of docs/json.md come out."""

import gzip
import json
from typing import Any

from fastapi.testclient import TestClient

import linkspot

PAGE = {"text": "Dhows sail with the '''monsoons'''. They carry dates.", "markup": "wikitext", "language": "en"}


def ask(client: TestClient, **changes: Any) -> Any:
    return client.post("/v1/suggest", json={"page": PAGE, "target": {"title": "Monsoon"}, **changes})


def test_an_answer_over_http_is_the_one_of_the_python_api(client: TestClient) -> None:
    answer = linkspot.suggest(PAGE["text"], "Monsoon", ranker="bm25", markup="wikitext", language="en")
    content = ask(client).json()
    assert content["answers"] == [json.loads(json.dumps(answer.to_dict()))]
    assert content["page"] == {"title": "", "wiki": "", "page_id": 0, "revision": 0}


def test_each_target_gets_an_answer_in_its_turn(client: TestClient) -> None:
    content = ask(client, target=None, targets=[{"title": "Date palm"}, {"title": "Monsoon"}]).json()
    assert [answer["target"]["title"] for answer in content["answers"]] == ["Date palm", "Monsoon"]


def test_a_body_may_be_packed_and_need_not_say_that_it_is_json(client: TestClient) -> None:
    body = gzip.compress(json.dumps({"page": PAGE, "target": {"title": "Monsoon"}}).encode())
    packed = client.post("/v1/suggest", content=body, headers={"Content-Encoding": "gzip"})
    assert packed.json() == ask(client).json()


def test_an_unchanged_answer_is_not_sent_again(client: TestClient) -> None:
    tag = ask(client).headers["ETag"]
    body = {"page": PAGE, "target": {"title": "Monsoon"}}
    again = client.post("/v1/suggest", json=body, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert ask(client, top=1).headers["ETag"] != tag
