"""linkrecommendation on a real MediaWiki: its own rendering of each page has the words where the service says."""

import json
import re
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from fastapi.testclient import TestClient
from lxml import html
from tests.end_to_end.mediawiki import LiveWiki
from tests.service.conftest import PATIENT, serving

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.wiki.api import Wiki
from linkspot.links.index import open_index
from linkspot.pipeline.index import index
from linkspot.service.settings import ServiceSettings, WikiSettings

pytestmark = pytest.mark.shared_data
CONTACT = "test@example.org"
# Each name is counted once in a shorter word's place, then comes the place for the link.
HIDDEN_AND_SHOWN = """== NAME ==
'''NAME''' и ''NAME'', {{Шаблон|NAME}} и <!-- NAME --> тут.<nowiki>NAME</nowiki>
{| class="wikitable"
| NAME
|}
<blockquote>NAME там.</blockquote>
* Ещё не <small>слово</small> xNAMEx, а часть слова.
* Теперь слово NAME стоит здесь.
"""
_UNCOUNTED = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "table", "b", "i", "blockquote"})
_MADE_BY_MEDIAWIKI = ("typeof", "rel", "property")


@pytest.fixture(scope="module")
def index_folder(live_wiki: LiveWiki, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the wiki."""
    from linkspot.engines.engine import EngineSettings, open_engine

    folder = tmp_path_factory.mktemp("recommendations")
    dump = live_wiki.dump(folder / "wiki.xml")
    engine = open_engine("local", EngineSettings(jobs=1))
    try:
        index([CorpusSource(dump)], folder / "index", engine, licence="GPL-2.0")
    finally:
        engine.close()
    return folder / "index"


@pytest.fixture(scope="module")
def served(live_wiki: LiveWiki, index_folder: Path) -> Iterator[TestClient]:
    """A service that reads the wiki; it finds whatever BM25 finds fitting."""
    wiki = WikiSettings(live_wiki.api_url, "test", "wikipedia", "ru", index_folder)
    with serving(ServiceSettings(ranker="bm25", wikis=(wiki,), contact=CONTACT, workers=1, limits=PATIENT)) as client:
        yield client


def counted_by_front_ends(page: str, words: list[str]) -> dict[tuple[str, int], tuple[str, str]]:
    """Return for each occurrence, by its words and its number, the text before and after it in its text node."""
    pattern = re.compile("|".join(map(re.escape, words)))
    seen: Counter[str] = Counter()
    occurrences = {}
    for text in text_nodes(html.document_fromstring(page.encode()).find("body")):
        for match in pattern.finditer(text):
            occurrences[match[0], seen[match[0]]] = text[: match.start()], text[match.end() :]
            seen[match[0]] += 1
    return occurrences


def text_nodes(element: Any) -> Iterator[str]:
    """Yield the text nodes that GrowthExperiments and VisualEditor look into."""
    if not isinstance(element.tag, str) or element.tag in _UNCOUNTED or element.get("about"):
        return
    if any((element.get(name) or "").startswith("mw:") for name in _MADE_BY_MEDIAWIKI):
        return
    yield element.text or ""
    for child in element:
        yield from text_nodes(child)
        yield child.tail or ""


def test_front_ends_find_every_recommended_link_where_it_is(served: TestClient, live_wiki: LiveWiki) -> None:
    links = 0
    with Wiki(live_wiki.api_url, CONTACT) as wiki:
        for article in list(wiki.articles()):
            path = f"/v1/linkrecommendations/wikipedia/ru/{quote(article.title, safe='')}"
            response = served.get(path, params={"threshold": 0, "max_recommendations": 50})
            assert response.status_code == 200, response.text
            content = response.json()
            assert (content["page_title"], content["pageid"]) == (article.title, article.id)
            assert content["revid"] == article.revision.id
            links += len(content["links"])
            check(content, wiki.wikitexts([content["revid"]])[content["revid"]], wiki.revision_html(content["revid"]))
    assert links >= 3


def test_front_ends_find_links_among_all_kinds_of_markup(
    served: TestClient, live_wiki: LiveWiki, index_folder: Path
) -> None:
    names = names_in(index_folder)
    text = "\n\n".join(HIDDEN_AND_SHOWN.replace("NAME", name) for name in names)
    path, asked = "/v1/linkrecommendations/wikipedia/ru/Trial", {"threshold": 0, "max_recommendations": 50}
    content = served.post(path, json={"wikitext": text, "revid": 1, "pageid": 1}, params=asked).json()
    with Wiki(live_wiki.api_url, CONTACT) as wiki:
        page = wiki.revision_html(saved(live_wiki, "Trial", text))
    found = [link for link in content["links"] if link["link_text"] in names]
    assert len(found) >= 2, names
    assert [link["match_index"] for link in found] == [1] * len(found)
    check(content, text, page)


def saved(live_wiki: LiveWiki, title: str, text: str) -> int:
    """Save a page, as anybody may in this wiki, and return its revision."""
    edit = {"action": "edit", "title": title, "text": text, "token": "+\\", "format": "json"}
    with urllib.request.urlopen(live_wiki.api_url, urlencode(edit).encode()) as response:
        revision: int = json.load(response)["edit"]["newrevid"]
    return revision


def names_in(folder: Path) -> list[str]:
    """Return some words that the wiki links, none of them part of another one or of the trial page."""
    names = {name for entity in open_index(folder).entities("ru") for name in entity.mentions}
    words = sorted(name for name in names if name.isalpha() and len(name) > 3)
    return [name for name in words if not any(name in other != name for other in (*words, HIDDEN_AND_SHOWN))]


def check(content: dict[str, Any], wikitext: str, page: str) -> None:
    words = [link["link_text"] for link in content["links"]]
    assert not [(a, b) for a in words for b in words if a is not b and a in b]
    occurrences = counted_by_front_ends(page, words) if words else {}
    for number, link in enumerate(content["links"]):
        start, end = link["wikitext_offset"], link["wikitext_offset"] + len(link["link_text"])
        assert wikitext[start:end] == link["link_text"]
        before, after = occurrences[link["link_text"], link["match_index"]]
        assert before.endswith(link["context_before"].lstrip()), (content["page_title"], link)
        assert after.startswith(link["context_after"].rstrip()), (content["page_title"], link)
        assert link["link_index"] == number
    offsets = [link["wikitext_offset"] for link in content["links"]]
    assert offsets == sorted(offsets)


def test_the_wikitext_of_a_request_gives_the_same_links(served: TestClient, live_wiki: LiveWiki) -> None:
    with Wiki(live_wiki.api_url, CONTACT) as wiki:
        article = max(
            wiki.articles(), key=lambda article: len(wiki.wikitexts([article.revision.id])[article.revision.id])
        )
        text = wiki.wikitexts([article.revision.id])[article.revision.id]
    path = f"/v1/linkrecommendations/wikipedia/ru/{quote(article.title, safe='')}"
    body = {"wikitext": text, "revid": article.revision.id, "pageid": article.id, "extra": "ignored"}
    sent, read = served.post(path, json=body, params={"threshold": 0}), served.get(path, params={"threshold": 0})
    assert sent.json() == read.json()
    old = served.get(path, params={"revision": article.revision.id})
    assert old.json()["revid"] == article.revision.id
    assert served.get("/v1/linkrecommendations/wikipedia/ru/No%20such%20page").status_code == 404


def test_places_in_a_page_of_the_wiki_are_asked_for_by_title_and_by_revision(
    served: TestClient, live_wiki: LiveWiki
) -> None:
    with Wiki(live_wiki.api_url, CONTACT) as wiki:
        one, other = list(wiki.articles())[:2]
    params: dict[str, str | int] = {"wiki": "test", "page": one.title, "target": other.title}
    content = served.get("/v1/places", params=params).json()
    assert content["page"] == {"title": one.title, "wiki": "test", "page_id": one.id, "revision": one.revision.id}
    by_revision = served.get(
        "/v1/places", params={"wiki": "ruwiki", "revision": one.revision.id, "target": other.title}
    )
    assert by_revision.json()["answers"] == content["answers"]
    missing = served.get("/v1/places", params={**params, "page": "No such page"})
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "no_such_page")
