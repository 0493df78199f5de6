"""A live wiki and its dump, over real connections to a small server that answers as MediaWiki does, or fails."""

import gzip
import json
import resource
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

from linkspot.corpora.corpus import CorpusSource, current_pages
from linkspot.corpora.dumps.id_files import id_files_beside
from linkspot.corpora.entity_table import EntityTable
from linkspot.corpora.wiki.api import Patience, Wiki
from linkspot.corpora.wiki.dump import LinesFile, fetch
from linkspot.corpora.wiki.item_ids import fetch_ids
from linkspot.corpora.wiki.live_page import live_page
from linkspot.errors import BrokenRun, LinkspotError, UnreadablePage, UnusableInput

MAXLAG = {"error": {"code": "maxlag", "info": "Waiting for db1: 7 seconds lagged."}}


class Answer(NamedTuple):
    body: object
    status: int = 200
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


class SmallWiki:
    """Ten pages, told three at a time; `troubles` are answered first, one each, and `requests` noted."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.root = f"http://127.0.0.1:{server.server_address[1]}/w"
        self.api_url = f"{self.root}/api.php"
        self.titles = {number: f"Ukurasa/{number}" for number in range(1, 11)}
        self.database, self.language = "swwiki", "sw"
        self.without_html: set[int] = set()
        self.troubles: list[Answer] = []
        self.requests: list[tuple[str, dict[str, str], dict[str, str]]] = []

    def answer(self, path: str, query: dict[str, str]) -> Answer:
        if self.troubles:
            return self.troubles.pop(0)
        if path.startswith("/w/rest.php/v1/"):
            return self._html(unquote(path.removeprefix("/w/rest.php/v1/")))
        if query.get("meta") == "siteinfo":
            general = {"wikiid": self.database, "lang": self.language}
            about = {"general": general, "statistics": {"articles": len(self.titles)}}
            return Answer({"batchcomplete": True, "query": about})
        if query.get("generator") == "allpages":
            return self._list(int(query.get("gapcontinue", "1")), "rdcontinue" in query)
        if "pageids" in query:
            known = [number for number in map(int, query["pageids"].split("|")) if number in self.titles]
            return Answer({"query": {"pages": [self._facts(number) for number in known]}})
        numbers = [int(number) - 100 for number in query["revids"].split("|")]
        return Answer({"query": {"pages": [self._text(number) for number in numbers]}})

    def _list(self, first: int, is_second_part: bool) -> Answer:
        """A batch in two answers: the second has more redirects, and says that the batch is complete."""
        numbers = [number for number in self.titles if first <= number < first + 3]
        if not is_second_part:
            following = {"rdcontinue": "x", "gapcontinue": str(first), "continue": "||info"}
            return Answer({"continue": following, "query": {"pages": [self._facts(number) for number in numbers]}})
        more = [{"pageid": n, "title": self.titles[n], "redirects": [{"title": f"Second {n}"}]} for n in numbers]
        following = {"continue": {"gapcontinue": str(first + 3)}} if first + 3 <= max(self.titles) else {}
        return Answer({"batchcomplete": True, "query": {"pages": more}, **following})

    def _facts(self, number: int) -> dict[str, Any]:
        return {
            "pageid": number,
            "ns": 0,
            "title": self.titles[number],
            "pagelanguage": self.language,
            "fullurl": f"{self.root}/{number}",
            "revisions": [{"revid": 100 + number, "timestamp": "2024-05-01T10:00:00Z"}],
            "redirects": [{"title": f"First {number}"}],
            **({"pageprops": {"wikibase_item": f"Q{number}"}} if number % 2 else {}),
        }

    def _text(self, number: int) -> dict[str, Any]:
        slots = {"main": {"content": f"Maneno ya {number}."}}
        return {"pageid": number, "title": self.titles[number], "revisions": [{"revid": 100 + number, "slots": slots}]}

    def _html(self, path: str) -> Answer:
        kind, _, rest = path.partition("/")
        name = rest.removesuffix("/html")
        number = int(name) - 100 if kind == "revision" else list(self.titles.values()).index(name) + 1
        if number in self.without_html:
            return Answer({"errorKey": "rest-nonexistent-revision"}, 404)
        return Answer(f"<html lang='sw'><p>Maneno ya {number}.</p></html>")


class _Handler(BaseHTTPRequestHandler):
    wiki: SmallWiki

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        query = dict(parse_qsl(address.query))
        self.wiki.requests.append((address.path, query, dict(self.headers)))
        answer = self.wiki.answer(address.path, query)
        body = answer.body if isinstance(answer.body, bytes) else str(answer.body).encode()
        body = body if isinstance(answer.body, str | bytes) else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        for name, value in {"Content-Length": str(len(body)), **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def small_wiki() -> Iterator[SmallWiki]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    _Handler.wiki = SmallWiki(server)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield _Handler.wiki
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def wiki(small_wiki: SmallWiki, pauses: list[float]) -> Iterator[Wiki]:
    with Wiki(small_wiki.api_url, "me@example.org", Patience(tries=4, longest_pause=60, sleep=pauses.append)) as wiki:
        yield wiki


def test_every_article_is_told_once_with_all_of_its_redirects(wiki: Wiki) -> None:
    articles = list(wiki.articles())
    assert [article.id for article in articles] == list(range(1, 11))
    assert articles[0].redirects == ("First 1", "Second 1")
    assert [article.entity for article in articles[:2]] == ["Q1", ""]
    assert articles[3].revision.id == 104
    assert articles[3].revision.time is not None


def test_each_request_says_who_asks_and_gives_way(small_wiki: SmallWiki, wiki: Wiki) -> None:
    list(wiki.articles())
    for _, query, headers in small_wiki.requests:
        assert headers["User-Agent"].startswith("linkspot/")
        assert " (me@example.org) httpx" in headers["User-Agent"]
        assert "gzip" in headers["Accept-Encoding"]
        assert (query["maxlag"], query["formatversion"], query["gaplimit"]) == ("5", "2", "50")


def test_texts_are_asked_for_fifty_at_a_time(small_wiki: SmallWiki, wiki: Wiki) -> None:
    small_wiki.titles = {number: str(number) for number in range(1, 121)}
    assert len(wiki.wikitexts(range(101, 221))) == 120
    assert [query["revids"].count("|") + 1 for _, query, _ in small_wiki.requests] == [50, 50, 20]


def test_a_title_with_a_slash_is_one_name_in_the_address(small_wiki: SmallWiki, wiki: Wiki) -> None:
    assert "Maneno ya 7." in wiki.page_html("Ukurasa/7")
    assert small_wiki.requests[-1][0] == "/w/rest.php/v1/page/Ukurasa%2F7/html"


@pytest.mark.parametrize(
    ("trouble", "pause"),
    [
        (Answer(MAXLAG, 200, {"Retry-After": "5"}), 5.0),
        (Answer("", 503, {"Retry-After": "7"}), 7.0),
        (Answer("slow down", 429), 1.0),
        (Answer("<html>", 502, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}), 1.0),
    ],
)
def test_a_busy_wiki_is_asked_again_after_the_pause_that_it_wants(
    small_wiki: SmallWiki, wiki: Wiki, pauses: list[float], trouble: Answer, pause: float
) -> None:
    small_wiki.troubles = [trouble]
    assert wiki.site["wikiid"] == "swwiki"
    assert pauses == [pause]


def test_a_wiki_that_stays_busy_is_given_up_in_one_line(small_wiki: SmallWiki, wiki: Wiki, pauses: list[float]) -> None:
    small_wiki.troubles = [Answer(MAXLAG)] * 100
    with pytest.raises(BrokenRun, match=r"api\.php does not answer \(maxlag\); run the same command later") as failure:
        list(wiki.articles())
    assert "\n" not in str(failure.value)
    assert len(small_wiki.requests) == 4
    assert pauses == [1, 2, 4]


def test_a_pause_beyond_patience_ends_the_run_at_once(small_wiki: SmallWiki, wiki: Wiki, pauses: list[float]) -> None:
    small_wiki.troubles = [Answer("", 429, {"Retry-After": "3600"})]
    with pytest.raises(BrokenRun, match="HTTP 429, and asks for a pause of 3,600 s"):
        list(wiki.articles())
    assert pauses == []


def test_a_wiki_that_is_not_there_is_told_in_one_line(pauses: list[float]) -> None:
    with (
        Wiki("http://127.0.0.1:9/api.php", "me@example.org", Patience(2, sleep=pauses.append)) as wiki,
        pytest.raises(BrokenRun, match=r"127\.0\.0\.1:9/api\.php does not answer \(.+\)") as failure,
    ):
        list(wiki.articles())
    assert "\n" not in str(failure.value)
    assert pauses == [1]


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (
            Answer({"error": {"code": "readapidenied", "info": "You need to log in."}}),
            r"refuses.*log in.*readapidenied",
        ),
        (Answer("<html>Not found", 404), r"api\.php is not an API of MediaWiki \(HTTP 404\); expected an address like"),
        (Answer("[1, 2]"), "is not an API of MediaWiki"),
    ],
)
def test_what_is_no_api_or_refuses_is_told_in_one_line(
    small_wiki: SmallWiki, wiki: Wiki, trouble: Answer, message: str
) -> None:
    small_wiki.troubles = [trouble]
    with pytest.raises(UnusableInput, match=message) as failure:
        list(wiki.articles())
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize("trouble", [Answer("<html>Not found", 404), Answer({"errorKey": "rest-no-match"}, 404)])
def test_a_wiki_without_parsoid_is_told_apart_from_a_page_without_html(
    small_wiki: SmallWiki, wiki: Wiki, trouble: Answer
) -> None:
    small_wiki.without_html = {1}
    with pytest.raises(UnreadablePage, match="has no HTML: HTTP 404, rest-nonexistent-revision"):
        wiki.revision_html(101)
    small_wiki.troubles = [trouble]
    with pytest.raises(UnusableInput, match="the wiki gives no HTML of Parsoid") as failure:
        wiki.revision_html(102)
    assert not isinstance(failure.value, UnreadablePage)


@pytest.mark.parametrize("address", ["sw.wikipedia.org", "https://sw.wikipedia.org/wiki/Zanzibar", "/api.php"])
def test_an_address_that_is_no_api_is_refused(address: str) -> None:
    with pytest.raises(UnusableInput, match=r"is not the address of a wiki's API; expected one like https://sw"):
        Wiki(address, "me@example.org")


@pytest.mark.parametrize("contact", ["", "  ", "me\r\nX-Evil: 1", "ich@bücher.example"])
def test_a_contact_that_no_header_can_hold_is_refused(contact: str) -> None:
    with pytest.raises(UnusableInput, match="does not say who asks, which wikis want to know"):
        Wiki("https://sw.wikipedia.org/w/api.php", contact)


@pytest.mark.parametrize("name", ["wiki.ndjson", "wiki.ndjson.gz", "wiki.json.tar.gz"])
def test_a_dump_reads_as_one_of_wikimedia_enterprise(
    small_wiki: SmallWiki, wiki: Wiki, name: str, tmp_path: Path
) -> None:
    small_wiki.without_html = {4}
    rejects: Counter[str] = Counter()
    told: list[str] = []
    assert fetch(wiki, tmp_path / name, rejects, told.append) == 9
    assert rejects == {"an article without HTML": 1}
    assert len(told) == 9
    corpus = CorpusSource(tmp_path / name).open()
    revisions = list(corpus.revisions())
    assert [revision.page.id for revision in revisions] == [str(number) for number in range(1, 11) if number != 4]
    first = revisions[0]
    assert (first.page.title, first.page.language, first.page.entity) == ("Ukurasa/1", "sw", "Q1")
    assert first.page.redirects == ("First 1", "Second 1")
    assert (first.id, first.time.isoformat() if first.time else "") == ("101", "2024-05-01T10:00:00+00:00")
    assert not corpus.rejects
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_record_holds_all_that_the_format_names(wiki: Wiki, small_wiki: SmallWiki, tmp_path: Path) -> None:
    fetch(wiki, tmp_path / "wiki.ndjson", Counter())
    record = json.loads((tmp_path / "wiki.ndjson").read_bytes().splitlines()[0])
    assert record == {
        "name": "Ukurasa/1",
        "identifier": 1,
        "date_modified": "2024-05-01T10:00:00Z",
        "version": {"identifier": 101},
        "url": f"{small_wiki.root}/1",
        "namespace": {"identifier": 0},
        "in_language": {"identifier": "sw"},
        "is_part_of": {"identifier": "swwiki"},
        "main_entity": {"identifier": "Q1"},
        "redirects": [{"name": "First 1"}, {"name": "Second 1"}],
        "article_body": {"html": "<html lang='sw'><p>Maneno ya 1.</p></html>", "wikitext": "Maneno ya 1."},
    }


@pytest.mark.no_cover  # which would take several times as long
@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["wiki.ndjson", "wiki.ndjson.gz"])
def test_a_dump_that_was_cut_anywhere_goes_on_and_ends_the_same(
    wiki: Wiki, name: str, step: int, tmp_path: Path
) -> None:
    path = tmp_path / name
    fetch(wiki, path, Counter())
    whole = path.read_bytes()
    for length in [*range(0, 30, step), *range(30, len(whole), 97 * step), len(whole) - 1, len(whole)]:
        path.write_bytes(whole[:length])
        assert fetch(wiki, path, Counter()) == 10
        assert path.read_bytes() == whole, length


def test_pages_that_are_there_are_not_fetched_again(small_wiki: SmallWiki, wiki: Wiki, tmp_path: Path) -> None:
    path = tmp_path / "wiki.ndjson.gz"
    fetch(wiki, path, Counter())
    small_wiki.requests.clear()
    small_wiki.titles[11] = "Ukurasa/11"
    assert fetch(wiki, path, Counter()) == 11
    pages = [address for address, *_ in small_wiki.requests if "rest.php" in address]
    assert pages == ["/w/rest.php/v1/revision/111/html"]


def test_a_page_that_had_no_html_is_asked_for_again_by_the_next_run(
    small_wiki: SmallWiki, wiki: Wiki, tmp_path: Path
) -> None:
    small_wiki.without_html = {4}
    assert fetch(wiki, tmp_path / "wiki.ndjson", Counter()) == 9
    small_wiki.without_html = set()
    assert fetch(wiki, tmp_path / "wiki.ndjson", Counter()) == 10


@pytest.mark.parametrize("name", ["wiki.ndjson", "wiki.ndjson.gz"])
@pytest.mark.parametrize(
    "content",
    [
        b"Dear diary,\n",
        b"Dear diary",
        b"[]\n",
        gzip.compress(b"Dear diary\n"),
        gzip.compress(b"Dear diary\n" * 500)[:40],
    ],
    ids=["a diary", "a line without end", "a list", "a packed diary", "a broken archive"],
)
def test_a_file_that_is_not_ours_is_left_alone(wiki: Wiki, name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnusableInput, match="exists and is not a dump that linkspot fetched; name another file"):
        fetch(wiki, tmp_path / name, Counter())
    assert (tmp_path / name).read_bytes() == content


def test_another_wikis_dump_is_left_alone(wiki: Wiki, tmp_path: Path) -> None:
    with LinesFile(tmp_path / "wiki.ndjson") as lines:
        lines.append({"name": "Dog", "identifier": 1, "is_part_of": {"identifier": "enwiki"}})
    before = (tmp_path / "wiki.ndjson").read_bytes()
    with pytest.raises(UnusableInput, match="holds pages of enwiki, not of swwiki; name another file"):
        fetch(wiki, tmp_path / "wiki.ndjson", Counter())
    assert (tmp_path / "wiki.ndjson").read_bytes() == before


def test_an_ending_that_no_reader_knows_is_refused_before_anything_is_asked(
    small_wiki: SmallWiki, wiki: Wiki, tmp_path: Path
) -> None:
    with pytest.raises(UnusableInput, match=r"does not end in \.ndjson, \.ndjson\.gz, \.json\.tar\.gz"):
        fetch(wiki, tmp_path / "wiki.zip", Counter())
    assert not small_wiki.requests


def test_a_wiki_that_never_answers_leaves_no_file(small_wiki: SmallWiki, wiki: Wiki, tmp_path: Path) -> None:
    small_wiki.troubles = [Answer("", 503)] * 4
    with pytest.raises(BrokenRun):
        fetch(wiki, tmp_path / "wiki.ndjson", Counter())
    assert not list(tmp_path.iterdir())


def test_a_disk_that_fills_up_is_told_and_the_next_run_goes_on(wiki: Wiki, tmp_path: Path) -> None:
    path = tmp_path / "wiki.ndjson"
    fetch(wiki, path, Counter())
    whole = path.read_bytes()
    path.unlink()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) // 2, limits[1]))
    try:
        with pytest.raises(BrokenRun, match=r"wiki\.ndjson cannot be written \(file too large\); make room"):
            fetch(wiki, path, Counter())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert 0 < len(list(current_pages(CorpusSource(path).open()))) < 10
    assert fetch(wiki, path, Counter()) == 10
    assert path.read_bytes() == whole


GZIP = {"Content-Encoding": "gzip"}


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (Answer("", 302, {"Location": "http://localhost:9/w/api.php"}), r"sends its readers to http://localhost:9; if"),
        (
            Answer("", 302, {"Location": "http://127.0.0.1:9/w/api.php"}),
            r"sends its readers to http://127\.0\.0\.1:9; if",
        ),
        (Answer("", 301, {"Location": "file:///etc/passwd"}), "sends its readers to"),
        (Answer("", 302, {"Location": "http://a:secret@localhost/"}), "sends its readers to http://localhost; if"),
        (Answer("", 302, {"Location": "/w/api.php"}), "leads from one address to the next without end"),
        (Answer("", 302, {"Location": "http://[bad"}), "sends its readers to"),
        (Answer(b"not gzip", 200, GZIP), "does not answer .an answer that is damaged"),
        (Answer(gzip.compress(b"{}" * 99)[:-12], 200, GZIP), "does not answer .an answer that is cut off"),
        (Answer(gzip.compress(bytes(60_000_000)) * 3, 200, GZIP), "is not an API of MediaWiki"),
        (
            Answer(gzip.compress(bytes(180_000_000), 1), 200, GZIP),
            "does not answer .an answer of more than 128,000,000",
        ),
        (Answer(b"x", 200, {"Content-Encoding": "br"}), "does not answer .an answer packed as 'br'"),
        (Answer("[" * 200_000), "is not an API of MediaWiki"),
        (Answer('{"a":' * 200_000), "is not an API of MediaWiki"),
        (Answer({}), "does not say its wiki's name and language"),
        (Answer({"query": []}), "does not say its wiki's name and language"),
        (Answer({"query": {"general": {"wikiid": [1], "lang": "sw"}}}), "does not say its wiki's name and language"),
        (Answer({"error": "no"}), "refuses to answer"),
        (Answer({"error": {"code": [1], "info": "two\nlines"}}), "refuses to answer: two lines"),
        (Answer(MAXLAG, 200, {"Retry-After": "9" * 400}), "asks for a pause of"),
    ],
)
def test_a_hostile_answer_ends_in_one_line(small_wiki: SmallWiki, wiki: Wiki, trouble: Answer, message: str) -> None:
    small_wiki.troubles = [trouble] * 20
    with pytest.raises(LinkspotError, match=message) as failure:
        _ = wiki.site
    assert "\n" not in str(failure.value)
    assert "secret" not in str(failure.value)


def test_a_redirect_on_the_same_host_is_followed(small_wiki: SmallWiki, wiki: Wiki) -> None:
    small_wiki.troubles = [Answer("", 301, {"Location": f"{small_wiki.api_url}?meta=siteinfo"})]
    assert wiki.site["wikiid"] == "swwiki"


@pytest.mark.no_cover
@pytest.mark.parametrize("following", [{"gapcontinue": "1"}, {}])
def test_an_answer_that_continues_without_end_is_given_up(
    small_wiki: SmallWiki, wiki: Wiki, following: dict[str, str]
) -> None:
    answers = [
        {"continue": following or {"x": str(n)}, "query": {"pages": [{"pageid": 1, "title": "A"}]}}
        for n in range(1_100)
    ]
    small_wiki.troubles = [Answer(answer) for answer in answers]
    with pytest.raises(UnusableInput, match="continues its answer without end"):
        list(wiki.articles())


@pytest.mark.parametrize(
    "pages",
    [
        [{"title": "No number"}],
        [{"pageid": "1", "title": "A"}],
        [{"pageid": 1}],
        [{"pageid": 1, "title": ["A"]}],
        [{"pageid": 1, "title": "A", "revisions": "x", "redirects": 7, "pageprops": [], "fullurl": 1}],
        [{"pageid": 1, "title": "A", "revisions": [{"revid": "x", "timestamp": 5}], "redirects": [{}, "x"]}],
        ["A", None],
        {"1": {"pageid": 1}},
        None,
    ],
)
def test_articles_with_missing_or_wrong_facts_are_read_or_counted(
    small_wiki: SmallWiki, wiki: Wiki, pages: object
) -> None:
    small_wiki.troubles = [Answer({"batchcomplete": True, "query": {"pages": pages}})]
    articles = list(wiki.articles())
    assert len(articles) + sum(wiki.rejects.values()) <= 1


def test_a_password_in_an_address_is_never_printed(small_wiki: SmallWiki, tmp_path: Path) -> None:
    address = small_wiki.api_url.replace("://", "://me:s3cret@")
    troubles = [Answer("", 404), Answer({"error": {"code": "x"}}), Answer("", 302, {"Location": "http://localhost/"})]
    with Wiki(address, "me@example.org", Patience(1)) as wiki:
        for trouble in [*troubles, Answer("", 503), Answer(b"x", 200, GZIP)]:
            small_wiki.troubles = [trouble]
            with pytest.raises(LinkspotError) as failure:
                _ = wiki.site
            assert "s3cret" not in str(failure.value)
        small_wiki.troubles = [Answer({}, 404)]
        with pytest.raises(LinkspotError) as failure:
            wiki.page_html("Dog")
        assert "s3cret" not in str(failure.value)
        fetch(wiki, tmp_path / "wiki.ndjson", Counter())
    assert b"s3cret" not in (tmp_path / "wiki.ndjson").read_bytes()
    for wrong in ("https://me:s3cret@example.org/wiki", "ftp://me:s3@cret@example.org/api.php"):
        with pytest.raises(UnusableInput, match=r"'(https|ftp)://example\.org") as refusal:
            Wiki(wrong, "me@example.org")
        assert "cret" not in str(refusal.value)


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ({"missing": True}, "there is no page “Dhow” of 127.0.0.1; check its title"),
        ({"invalid": True, "invalidreason": "bad"}, "there is no page “Dhow”"),
        ({"special": True}, "there is no page “Dhow”"),
        (
            {"revisions": [{"slots": {"main": {"contentmodel": "css", "content": "a {}"}}}]},
            "“Dhow” of 127.0.0.1 is css;",
        ),
        ({"revisions": [{"slots": {"main": {"texthidden": True}}}]}, "has no text that everybody may read"),
        ({"revisions": [{"slots": []}]}, "has no text that everybody may read"),
        ({}, "has no text that everybody may read"),
    ],
)
def test_a_page_without_wikitext_is_refused_in_one_line(
    page: dict[str, Any], message: str, small_wiki: SmallWiki, wiki: Wiki
) -> None:
    small_wiki.troubles.append(Answer({"query": {"pages": [{"title": "Dhow", **page}]}}))
    with pytest.raises(UnreadablePage, match=message):
        live_page(wiki, "Dhow")


def test_a_page_has_its_language_its_id_and_the_titles_that_lead_to_it(small_wiki: SmallWiki, wiki: Wiki) -> None:
    page = {
        "title": "Dhow",
        "pagelanguage": "en",
        "revisions": [{"slots": {"main": {"contentmodel": "wikitext", "content": "A [[ship]]."}}}],
        "redirects": [{"title": "Dau"}, {"title": "Dhows"}, {}],
        "pageprops": {"wikibase_item": "Q1"},
    }
    answer = {"query": {"redirects": [{"from": "Dhows", "to": "Dhow"}], "pages": [page]}}
    assert wiki.site["lang"] == "sw"  # it is asked first
    small_wiki.troubles += [Answer(answer), Answer(answer)]
    read = live_page(wiki, "Dhows")
    assert (read.title, read.text, read.language, read.entity) == ("Dhow", "A [[ship]].", "en", "Q1")
    assert read.redirects == ("Dhows", "Dau")
    assert live_page(wiki, "Dhow", "sw").language == "sw"


def test_a_live_page_and_a_fetched_dump_call_simple_english_simple(
    small_wiki: SmallWiki, wiki: Wiki, tmp_path: Path
) -> None:
    small_wiki.database, small_wiki.language = "simplewiki", "en"
    assert wiki.site["wikiid"] == "simplewiki"
    page = {"title": "Dhow", "pagelanguage": "en", "revisions": [{"slots": {"main": {"content": "A [[ship]]."}}}]}
    small_wiki.troubles.append(Answer({"query": {"pages": [page]}}))
    assert live_page(wiki, "Dhow").language == "simple"
    fetch(wiki, tmp_path / "simple.ndjson", Counter())
    assert {page.language for page in current_pages(CorpusSource(tmp_path / "simple.ndjson").open())} == {"simple"}


@pytest.fixture
def export(small_wiki: SmallWiki, tmp_path: Path, write_wiki: Callable[..., Path]) -> CorpusSource:
    """An XML dump of a small wiki of 70 pages."""
    small_wiki.titles |= {number: f"Ukurasa/{number}" for number in range(11, 71)}
    pages = {title: [("2024-01-01T00:00:00Z", "Maneno.")] for title in small_wiki.titles.values()}
    return CorpusSource(write_wiki(tmp_path / "swwiki-20240101-pages-articles.xml", pages, "sw"))


def test_ids_of_a_dumps_pages_are_asked_for_fifty_at_a_time_and_kept_beside_it(
    small_wiki: SmallWiki, wiki: Wiki, export: CorpusSource, tmp_path: Path
) -> None:
    del small_wiki.titles[70]
    small_wiki.titles[69] = "Jina jipya"
    rejects: Counter[str] = Counter()
    path = fetch_ids(wiki, export, rejects)
    assert path == tmp_path / "swwiki-20240101-entities.tsv"
    asked = [len(query["pageids"].split("|")) for _, query, _ in small_wiki.requests]
    assert asked == [50, 20]
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[:3] == ["title\tid", "Ukurasa/1\tQ1", "Ukurasa/2\t"]
    assert rejects == {"a page that the wiki has no more, or by another title": 2}
    named = [(named.title, named.id) for named in EntityTable(path).rows()]
    assert named[:2] == [("Ukurasa/1", "Q1"), ("Ukurasa/3", "Q3")]
    assert fetch_ids(wiki, export, rejects) == path
    assert len(small_wiki.requests) == 2


def test_ids_that_were_fetched_are_not_asked_for_again(
    small_wiki: SmallWiki, wiki: Wiki, export: CorpusSource, tmp_path: Path
) -> None:
    whole = fetch_ids(wiki, export, Counter()).read_bytes()
    (tmp_path / "swwiki-20240101-entities.tsv").unlink()
    (tmp_path / "swwiki-20240101-entities.tsv.unfinished").write_bytes(whole[: whole.index(b"Ukurasa/61") + 4])
    small_wiki.requests.clear()
    assert fetch_ids(wiki, export, Counter()).read_bytes() == whole
    (request,) = small_wiki.requests
    assert request[1]["pageids"].startswith("61|62|")
    assert not (tmp_path / "swwiki-20240101-entities.tsv.unfinished").exists()


def test_an_unfinished_table_of_ids_is_not_read_as_one_that_is_complete(
    small_wiki: SmallWiki, wiki: Wiki, export: CorpusSource
) -> None:
    small_wiki.troubles.append(Answer({"error": {"code": "blocked", "info": "You are blocked."}}))
    with pytest.raises(UnusableInput, match="refuses to answer"):
        fetch_ids(wiki, export, Counter())
    assert id_files_beside([export]) == []
