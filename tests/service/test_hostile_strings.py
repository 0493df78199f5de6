"""Nasty strings in every field of every address: never an error of ours, never anything but clean JSON."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

NASTY = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE decisions; --",
    "../../../../etc/passwd",
    "/etc/passwd",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http://169.254.169.254/latest/meta-data/",
    "{{constructor.constructor('x')()}}",
    "${jndi:ldap://x/y}",
    "%00%0d%0aSet-Cookie: a=b",
    "\x00",
    "\x1b[2J\x1b]0;title\x07",
    "\r\nX-Injected: 1",
    "\u202egnp.exe",
    "\u2066\u2067\u2069",
    "\ufeff\u200b\u2060",
    "\ufffe\uffff",
    "\ud800",
    "\udfff\ud800",
    "e" + "\u0301" * 200,
    "ﷺ" * 50,
    "🏳️‍🌈👩‍👩‍👧‍👦",
    "İıſK",
    "[[A|B]] [[C",
    "''''''''",
    "{|" * 50,
    "{{" * 200,
    "<ref>" * 50,
    "-->",
    "]]>",
    "NaN",
    "null",
    "[]",
    "-1",
    "1e999",
    "|",
    "#",
    "?",
    "%",
    "%2F%2e%2e",
    ":",
    "  ",
    "\t",
    "a" * 255,
    "я" * 127,
)
PAGE = {"text": "Dhows sail with the monsoons.", "markup": "wikitext", "language": "en", "title": "Dhow"}
TARGET = {"title": "Monsoon", "lead": "A wind.", "mentions": ["wind"], "id": "Q1", "url": "https://example.org/"}


def bodies(text: str) -> list[dict[str, Any]]:
    """Return a request for each field, with the text in it."""
    pages = [{**PAGE, field: text} for field in PAGE]
    pages += [{**PAGE, "text": f"A wind. {text} Another.", "markup": markup} for markup in ("html", "markdown")]
    targets = [{**TARGET, field: [text] if field == "mentions" else text} for field in TARGET]
    asked = [{"page": page, "target": TARGET} for page in pages] + [{"page": PAGE, "target": one} for one in targets]
    asked += [{"page": PAGE, "target": TARGET, "exclude_sections": [text]}, {"page": PAGE, "target": TARGET, text: 1}]
    asked += [{"page": {"wiki": text, "title": text}, "target": TARGET}]
    return asked


def check(response: Any) -> None:
    assert response.status_code < 500, response.text
    assert response.headers["content-type"].startswith("application/json")
    assert "x-injected" not in response.headers
    assert "set-cookie" not in response.headers
    json.loads(response.content)


@pytest.mark.parametrize("text", NASTY, ids=lambda text: ascii(text)[:20])
def test_no_string_breaks_an_address(client: TestClient, text: str) -> None:
    requests = bodies(text)
    encoded = json.dumps({"requests": requests}).encode()  # lone halves of characters are escaped
    check(client.post("/v1/suggest/batch", content=encoded))
    for asked in requests[:-2]:  # those whose shape is right
        check(client.post("/v1/suggest", content=json.dumps(asked).encode()))
    instances = json.dumps({"instances": [*requests, {"lang": text, "page_title": text, "target": text}]}).encode()
    check(client.post("/v1/models/linkspot:predict", content=instances))
    tensor = {"name": text, "datatype": "BYTES", "shape": [1], "data": [instances.decode()]}
    infer = json.dumps({"id": text, "inputs": [tensor]}).encode()
    check(client.post("/v2/models/linkspot/infer", content=infer))
    safe = quote(text.encode(errors="replace"), safe="")
    for path in (f"/v1/places?wiki={safe}&page={safe}&target={safe}&top={safe}", f"/v1/models/x{safe}", f"/x{safe}"):
        check(client.get(path))
    check(client.get(f"/v1/linkrecommendations/wikipedia/{safe}/{safe}?threshold={safe}&sections_to_exclude={safe}"))
