"""`linkspot suggest` with a page or a target of a real MediaWiki, read through its API."""

import json
import socket
import sys
from collections.abc import Iterator
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote

import pytest
from tests.end_to_end.mediawiki import LiveWiki
from typer.testing import CliRunner, Result

from linkspot.cli.program import app
from linkspot.corpora.wiki.api import Wiki
from linkspot.errors import LinkspotError

pytestmark = pytest.mark.shared_data
TITLE = "Ru/Archive/OpenTTD/TTDPatch"
CONTACT = ("--contact", "test@example.org")


def _suggest(page: str | Path, *arguments: str | Path, contact: tuple[str, ...] = CONTACT) -> Result:
    words = ["suggest", page, *arguments, *contact, "--ranker", "bm25"]
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, [str(word) for word in words])


def _answer(page: str | Path, *arguments: str | Path) -> dict[str, Any]:
    done = _suggest(page, *arguments, "--format", "json", "--anyway")
    assert done.exit_code == 0, done.exception
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _refusal(page: str | Path, *arguments: str | Path, contact: tuple[str, ...] = CONTACT) -> str:
    done = _suggest(page, *arguments, contact=contact)
    assert isinstance(done.exception, LinkspotError), (done.output, done.exception)
    assert (done.stdout, str(done.exception).count("\n")) == ("", 0)
    return str(done.exception)


@pytest.fixture(scope="module")
def root(live_wiki: LiveWiki) -> str:
    """The address of the wiki."""
    return live_wiki.api_url.removesuffix("/api.php")


@pytest.fixture(scope="module")
def wikitext(live_wiki: LiveWiki) -> str:
    """The current wikitext of a page, read in another way."""
    with Wiki(live_wiki.api_url, "test@example.org") as wiki:
        *_, last = wiki.revisions(TITLE)
        return wiki.wikitexts([last.id])[last.id]


def _shapes(root: str) -> list[str]:
    return [
        f"{root}/index.php/{quote(TITLE)}",
        f"{root}/index.php?title={quote(TITLE)}&action=edit",
        f"{root}/wiki/{TITLE}",
    ]


def test_a_page_is_read_as_its_wikitext_in_the_language_of_the_wiki(root: str, wikitext: str) -> None:
    for address in _shapes(root):
        page = _answer(address, "--title", "Поезд")["page"]
        assert (page["title"], page["language"], page["markup"]) == (TITLE, "ru", "wikitext")
        assert page["characters"] == len(wikitext)


def test_a_redirect_leads_to_its_page(root: str) -> None:
    assert _answer(f"{root}/wiki/TTDPatch", "--title", "Поезд")["page"]["title"] == TITLE


def test_the_diff_of_a_live_page_is_for_its_wikitext(root: str, wikitext: str) -> None:
    word = "первоначально"
    assert wikitext.count(word) == 1
    done = _suggest(_shapes(root)[0], "--title", "Zzyzx", "--mention", word, "--anyway", "--diff")
    assert done.exit_code == 0, done.exception
    assert done.stdout.startswith("--- a/Ru-Archive-OpenTTD-TTDPatch.wiki\n")
    removed, added = ([line[1:] for line in done.stdout.splitlines()[3:] if line[0] == sign] for sign in ("-", "+"))
    assert removed[0] in wikitext
    assert added[0] == removed[0].replace(word, f"[[Zzyzx|{word}]]", 1)


def test_a_target_comes_with_its_lead_and_its_redirects_from_the_wiki(
    live_wiki: LiveWiki, root: str, tmp_path: Path
) -> None:
    file = tmp_path / "Мод.wiki"
    file.write_text("Игру меняет TTDPatch. Она старая.", encoding="utf-8")
    for wiki in (root, live_wiki.api_url):
        answer = _answer(file, "--lang", "ru", "--wiki", wiki, "--title", "TTDPatch")
        assert answer["target"]["title"] == TITLE
        assert "TTDPatch" in answer["target"]["mentions"]
        assert len(answer["target"]["lead"]) > 20
        assert answer["places"][0]["edit"]["link"] == f"[[{TITLE}|TTDPatch]]"


def test_page_and_targets_come_from_one_wiki(root: str, tmp_path: Path) -> None:
    listed = tmp_path / "targets.txt"
    listed.write_text("TTDPatch\nНет такой страницы\n", encoding="utf-8")
    with_list = ("--wiki", root, "--targets", listed, "--format", "json", "--anyway")
    done = _suggest(f"{root}/wiki/Ru/Archive/Manual/Settings/Сложность", *with_list)
    answers = [json.loads(line)["target"] for line in done.stdout.splitlines()]
    assert [(target["title"], bool(target["lead"])) for target in answers] == [
        (TITLE, True),
        ("Нет такой страницы", False),
    ]


def test_what_cannot_be_read_or_written_is_refused_in_one_line(root: str, tmp_path: Path) -> None:
    page = f"{root}/wiki/{TITLE}"
    dog = ("--title", "Dog")
    assert "there is no page “Nirgends” of 127.0.0.1; check its title" in _refusal(f"{root}/wiki/Nirgends", *dog)
    assert "there is no page “A|B”" in _refusal(f"{root}/wiki/A%7CB", *dog)
    assert "there is no page" in _refusal(f"{root}/wiki/Special:Version", *dog)
    assert "there is no page “Nirgends”" in _refusal(page, "--wiki", root, "--title", "Nirgends")
    assert "does not say who asks" in _refusal(page, *dog, contact=())
    assert "--write cannot save a page of a wiki; use --diff" in _refusal(page, *dog, "--write")
    assert "read as wikitext; leave out --markup" in _refusal(page, *dog, "--markup", "html")
    assert "a link stays in one wiki" in _refusal(page, "--wiki", "sw.wikipedia.org", *dog)
    assert "choose one of them" in _refusal(page, "--wiki", root, *dog, "--index", tmp_path)
    assert "not with --target" in _refusal(page, "--wiki", root, "--target", tmp_path / "dog.md")
    assert "a wiki is asked by --title" in _refusal(page, "--wiki", root, "--mention", "dog")
    assert "expected one like" in _refusal(f"{root}/blog/dog.html", *dog)


def test_a_live_wiki_without_its_extra_names_the_pip_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    message = _refusal("https://sw.wikipedia.org/wiki/Dhow", "--title", "Monsuni")
    assert message == "a live wiki needs httpx2; run: pip install 'linkspot[data]'"


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[str]:
    """The address of a web server without a wiki."""

    class Quiet(SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(tmp_path))

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Quiet)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_site_without_a_wiki_and_a_host_that_is_silent_are_named(other_site: str) -> None:
    message = _refusal(f"{other_site}/wiki/Dog", "--title", "Wolf")
    assert f"there is no MediaWiki at {other_site}/w/api.php and {other_site}/api.php; name" in message
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{probe.getsockname()[1]}/wiki/Dog"
    assert "does not answer (" in (message := _refusal(closed, "--title", "Wolf"))
    assert message.endswith("; try again later")
