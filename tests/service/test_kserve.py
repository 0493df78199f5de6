"""KServe's protocols, called as its clients do, with Lift Wing's input forms."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from linkspot.errors import UnusableInput
from linkspot.service.lift_wing import instance_request

PAGE = {"text": "Dhows sail with the '''monsoons'''. They carry dates.", "markup": "wikitext", "language": "en"}
GOOD = {"page": PAGE, "target": {"title": "Monsoon"}}


def test_models_and_health_are_listed(client: TestClient) -> None:
    assert client.get("/v1/models").json() == {"models": ["linkspot"]}
    assert client.get("/v1/models/linkspot").json() == {"name": "linkspot", "ready": True}
    assert client.get("/v2/health/live").json() == {"live": True}
    assert client.get("/v2/health/ready").json() == {"ready": True}
    assert client.get("/v2/models/linkspot/ready").json() == {"name": "linkspot", "ready": True}
    assert client.get("/v2").json()["name"] == "linkspot"
    assert client.get("/v2/models/linkspot").json()["outputs"] == [
        {"name": "output", "datatype": "BYTES", "shape": [1]}
    ]


def test_each_instance_has_its_prediction_or_its_own_error(client: TestClient) -> None:
    body = json.dumps({"instances": [GOOD, {"page": PAGE}, 7, GOOD]})
    response = client.post("/v1/models/linkspot:predict", content=body)  # without a Content-Type
    first, second, third, fourth = response.json()["predictions"]
    assert first == fourth == client.post("/v1/suggest", json=GOOD).json()
    assert second["status_code"] == third["status_code"] == 400
    assert "no target" in second["error"]


def test_a_body_without_instances_is_one(client: TestClient) -> None:
    assert client.post("/v1/models/linkspot:predict", json=GOOD).json() == client.post("/v1/suggest", json=GOOD).json()
    failed = client.post("/v1/models/linkspot:predict", json={"lang": "sw", "page_title": "Jahazi", "target": "Tende"})
    assert (failed.status_code, list(failed.json())) == (400, ["error"])
    assert "no wiki called 'swwiki'" in failed.json()["error"]


def infer(client: TestClient, **changes: Any) -> Any:
    tensor = {"name": "input", "datatype": "BYTES", "shape": [1], "data": [json.dumps(GOOD)], **changes}
    return client.post("/v2/models/linkspot/infer", json={"id": "7", "inputs": [tensor]})


def test_version_2_wraps_the_same_in_a_tensor(client: TestClient) -> None:
    content = infer(client).json()
    assert (content["model_name"], content["id"]) == ("linkspot", "7")
    (output,) = content["outputs"]
    assert (output["name"], output["datatype"], output["shape"]) == ("output", "BYTES", [1])
    assert json.loads(output["data"][0]) == client.post("/v1/suggest", json=GOOD).json()
    for changes in ({"datatype": "FP32"}, {"data": ["{"]}, {"data": ["[" * 100_000]}, {"data": ["7"]}, {"data": []}):
        refused = infer(client, **changes)
        assert (refused.status_code, list(refused.json())) == (400, ["error"])


def test_errors_have_the_shape_that_kserve_gives_them(client: TestClient) -> None:
    for path, status in [("/v1/models/other:predict", 404), ("/v1/models/linkspot:explain", 501)]:
        response = client.post(path, json=GOOD)
        assert (response.status_code, list(response.json())) == (status, ["error"])
    assert client.get("/v2/models/other").status_code == 404
    assert client.post("/v1/models/linkspot:predict", content=b"{").status_code == 400
    assert client.post("/v1/models/linkspot:predict", json={"instances": 7}).status_code == 400


@pytest.mark.parametrize("wiki", [{"lang": "sw"}, {"wiki_id": "swwiki"}, {"lang": "swwiki"}])
def test_lift_wing_names_wikis_and_pages_in_its_own_way(wiki: dict[str, str]) -> None:
    asked = instance_request({**wiki, "page_title": "Jahazi", "rev_id": 12, "targets": ["Tende", {"title": "Pepo"}]})
    assert (asked.page.wiki, asked.page.title, asked.page.revision) == ("swwiki", "Jahazi", 12)
    assert [target.title for target in asked.all_targets] == ["Tende", "Pepo"]
    assert instance_request({**wiki, "page_id": 5, "target": "Tende", "top": 2}).page.page_id == 5


def test_a_language_with_a_hyphen_is_the_wiki_with_an_underscore() -> None:
    assert instance_request({"lang": "bat-smg", "page_id": 5, "target": "A"}).page.wiki == "bat_smgwiki"
    for odd in ({"lang": 7, "page_id": 5, "target": "A"}, {"page_id": 5}, {"lang": "sw", "odd": 1}, [], None):
        with pytest.raises(UnusableInput):
            instance_request(odd)
