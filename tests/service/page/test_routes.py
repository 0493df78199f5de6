"""The addresses of the page, asked as its own script asks them."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from fastapi.testclient import TestClient
from tests.service.conftest import PATIENT, serving

from linkspot.service.decisions.decision import EditorVerdict
from linkspot.service.decisions.store import DecisionStore
from linkspot.service.settings import ServiceSettings

PAGE = {"text": "Dhows sail. The monsoon fills their sails.\n\n== Trade ==\nCloves came by sea.", "markup": "wikitext"}
MONSOON = {"title": "Monsoon"}
EVIL = "</script><script>ran = 1</script>\"'><img src=x onerror=ran=1>\u202e"
BODIES: dict[str, dict[str, Any]] = {
    "answer": {"sample": 0},
    "edit": {"page": PAGE, "target": MONSOON, "section": 0, "sentence": 1, "start": 4, "end": 11},
    "decide": {"id": str(uuid4()), "verdict": "accepted", "page": "Dhow", "target": "Monsoon"},
    "undo": {"id": "x"},
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of the service's decisions."""
    return str(tmp_path_factory.mktemp("decisions") / "decisions.sqlite")


@pytest.fixture(scope="module")
def desk(database: str) -> Iterator[TestClient]:
    """A service whose page was opened once."""
    settings = ServiceSettings(ranker="bm25", workers=1, database=database, secret="s" * 32, limits=PATIENT)
    with serving(settings) as client:
        client.headers["X-Linkspot-Token"] = _token(client)
        yield client


def _token(client: TestClient) -> str:
    page = client.get("/page", headers={"Accept-Language": "en"}).text
    token: str = re.findall(r'name="linkspot-token" content="([0-9a-f]+)"', page)[0]
    return token


def _asked(client: TestClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = client.post(f"/page/{path}", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def _decision(**changes: Any) -> dict[str, Any]:
    return BODIES["decide"] | {"id": str(uuid4())} | changes


def test_the_page_comes_in_the_language_that_is_wished_and_lets_nothing_else_run(desk: TestClient) -> None:
    response = desk.get("/page", headers={"Accept-Language": "ar"})
    assert '<html lang="ar" dir="rtl">' in response.text
    assert "أين مكان الوصلة؟" in response.text
    assert "وصلة إلى «Karafuu» في «Mji Mkongwe»" in response.text
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*(src=|application/json))|\sstyle=|\son\w+=", response.text)
    assert '<html lang="ja" dir="ltr">' in desk.get("/page?lang=ja").text
    desk.cookies.delete("linkspot-language")


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(desk: TestClient) -> None:
    desk.cookies.clear()
    (cookie,) = desk.get("/page").headers.get_list("set-cookie")
    assert cookie.startswith("linkspot-session=")
    assert {"httponly", "samesite=strict"} <= {part.strip().lower() for part in cookie.split(";")}
    desk.headers["X-Linkspot-Token"] = _token(desk)


def test_samples_are_answered_with_their_whole_text(desk: TestClient) -> None:
    for number in range(3):
        view = _asked(desk, "answer", {"sample": number, "anyway": True})
        sections = view["text"]["sections"]
        counts = [section["sentences"] for section in view["answer"]["page"]["sections"]]
        assert [len(section["sentences"]) for section in sections] == counts
        assert view["answer"]["places"]
        for place in view["answer"]["places"]:
            shown = sections[place["section"]["index"]]["sentences"][place["sentence"]["index"]]
            assert shown["text"] == place["sentence"]["text"]


def test_pasted_text_is_answered_and_its_edit_is_checked(desk: TestClient) -> None:
    view = _asked(desk, "answer", {"page": PAGE, "target": MONSOON, "anyway": True})
    place = view["answer"]["places"][0]
    assert (place["action"], place["words"]["text"]) == ("link_words", "monsoon")
    edit = _asked(desk, "edit", BODIES["edit"])
    assert edit["after"] == "The [[monsoon]] fills their sails." == place["edit"]["after"]
    assert (edit["rendered"], edit["link_at"]) == ("The monsoon fills their sails.", [4, 11])
    assert "form" not in edit
    other = _asked(desk, "edit", BODIES["edit"] | {"target": {"title": "Wind"}, "start": 0})
    assert other["after"] == "[[Wind|The monsoon]] fills their sails."


def test_an_editor_writes_a_sentence_and_sees_it_as_readers_will(desk: TestClient) -> None:
    written = {"section": 1, "sentence": 0, "action": "add_sentence", "text": "The '''[[monsoon]]''' brought them."}
    edit = _asked(desk, "edit", {"page": PAGE, "target": MONSOON, **written})
    assert edit["after"] == "Cloves came by sea. The '''[[monsoon]]''' brought them."
    assert edit["rendered"] == "Cloves came by sea. The monsoon brought them."
    start, end = edit["link_at"]
    assert edit["rendered"][start:end] == "monsoon"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"start": 0, "end": 99}, "not in the sentence"),
        ({"sentence": 7}, "no sentence 7"),
        ({"action": "add_sentence", "text": "No link."}, "has no link to"),
        ({"action": "add_sentence", "text": "[[Monsoon]]s and [[wind]]."}, "more than one link"),
        ({"action": "add_sentence", "text": "[[Monsoon]].\n\n== New ==\nText."}, "change the page around it"),
    ],
)
def test_an_edit_that_changes_more_is_refused_in_one_sentence(
    desk: TestClient, changes: dict[str, Any], reason: str
) -> None:
    response = desk.post("/page/edit", json=BODIES["edit"] | changes)
    assert response.status_code == 422
    assert reason in response.json()["error"]["message"]


def test_a_decision_is_stored_once_before_it_is_acknowledged_and_can_be_undone(desk: TestClient, database: str) -> None:
    body = _decision(verdict="rejected", reason="everyday", note="known")
    assert [_asked(desk, "decide", body)["id"] for _ in range(2)] == [body["id"]] * 2
    with DecisionStore(database) as store:
        (stored,) = [one for one in store if one.id == body["id"]]
        assert (stored.verdict, stored.reason, stored.note) == (EditorVerdict.REJECTED, "everyday", "known")
        assert stored.model
        assert _asked(desk, "undo", {"id": body["id"]}) == {"undone": True}
        assert body["id"] not in {one.id for one in store}


def test_another_visitor_cannot_undo_it(desk: TestClient) -> None:
    body = _decision()
    _asked(desk, "decide", body)
    cookie, token = desk.cookies["linkspot-session"], desk.headers["X-Linkspot-Token"]
    desk.cookies.clear()
    desk.headers["X-Linkspot-Token"] = _token(desk)
    assert _asked(desk, "undo", {"id": body["id"]}) == {"undone": False}
    desk.cookies.clear()
    desk.cookies.set("linkspot-session", cookie)
    desk.headers["X-Linkspot-Token"] = token
    assert _asked(desk, "undo", {"id": body["id"]}) == {"undone": True}


@pytest.mark.parametrize("path", BODIES)
def test_a_request_without_our_token_changes_nothing(desk: TestClient, path: str) -> None:
    response = desk.post(f"/page/{path}", json=BODIES[path], headers={"X-Linkspot-Token": "0" * 64})
    assert (response.status_code, response.json()["error"]["code"]) == (403, "foreign_request")


def test_what_is_wrong_is_refused_with_a_reason(desk: TestClient) -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("answer", {}),
        ("answer", {"sample": 3}),
        ("answer", {"page": PAGE}),
        ("answer", {"page": {"wiki": "none", "title": "x"}, "target": MONSOON}),
        ("decide", _decision(verdict="rejected")),
        ("decide", _decision(id="1")),
        ("decide", _decision(note="a\u0000")),
        ("decide", _decision(probability=2)),
        ("decide", _decision(extra=1)),
    ]
    for path, body in wrong:
        response = desk.post(f"/page/{path}", json=body)
        assert response.status_code in {404, 422}, (body, response.text)
        assert response.json()["error"]["message"]


def test_hostile_text_in_the_address_stays_text(desk: TestClient) -> None:
    page = desk.get("/page", params={"page": EVIL, "target": EVIL, "wiki": EVIL}).text
    assert "ran = 1</script>" not in page
    assert "<img" not in page
    assert "\u202e" not in page


def test_half_a_character_is_answered_and_not_stored(desk: TestClient) -> None:
    page = '{"text": "Dhows \\ud800 sail with the monsoon.", "markup": "wikitext", "language": "en"}'
    response = desk.post("/page/answer", content=f'{{"page": {page}, "target": {{"title": "Monsoon"}}}}')
    assert response.status_code == 200, response.text
    body = f'{{"id": "{uuid4()}", "verdict": "skipped", "page": "\\ud800", "target": "Monsoon"}}'
    assert desk.post("/page/decide", content=body).status_code == 422


def test_files_of_the_page_and_no_others_are_served(desk: TestClient) -> None:
    for name in ("page.js", "cards.js", "page.css", "answer.css"):
        response = desk.get(f"/page/static/{name}")
        assert response.status_code == 200
        assert response.headers["X-Content-Type-Options"] == "nosniff"
    for name in ("page.html", "..%2F__init__.py", "%2e%2e%2froutes.py", "missing.js"):
        assert desk.get(f"/page/static/{name}").status_code == 404
