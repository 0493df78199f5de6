"""Chosen revisions as a dump: their order, what a stopped run continues with, and what the wiki refuses."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from linkspot.corpora.wiki.api import Wiki
from linkspot.corpora.wiki.revision_dump import WantedPage, fetch_revisions, in_order
from linkspot.corpora.wiki.wiki_article import WikiArticle, WikiRevision
from linkspot.errors import BrokenRun, UnreadablePage, UnusableInput


class StoredWiki(Wiki):
    """A wiki that answers from memory: `hidden` revisions have no HTML, and it fails after `patience` answers."""

    def __init__(self) -> None:
        super().__init__("https://sw.example.org/w/api.php", "ann@example.org")
        self.__dict__["site"] = {"wikiid": "swwiki", "lang": "sw"}
        self.hidden: set[int] = set()
        self.left = 100
        self.asked: list[int] = []

    def articles_of(self, pages: object) -> dict[int, WikiArticle]:
        assert isinstance(pages, list)
        return {id_: WikiArticle(f"P{id_}", id_, WikiRevision(id_ * 1000, day(30)), "", "sw") for id_ in pages}

    def revision_at(self, page: int, time: datetime) -> WikiRevision | None:
        return WikiRevision(page * 100, time)

    def revision_html(self, revision: int) -> str:
        if not self.left:
            raise BrokenRun("the wiki does not answer")
        self.left -= 1
        self.asked.append(revision)
        if revision in self.hidden:
            raise UnreadablePage("hidden")
        return f"<p>{revision}</p>"


def day(number: int) -> datetime:
    return datetime(2024, 1, number, tzinfo=UTC)


PAGES = (
    WantedPage(1, "Old name", "Q1", in_order([WikiRevision(12, day(5)), WikiRevision(13, day(4))])),
    WantedPage(2, "P2", "", in_order([WikiRevision(n, day(n - 15)) for n in (22, 21, 23, 22)])),
    WantedPage(3, "P3"),
)
EXPECTED = [(1, 13), (1, 12), (2, 21), (2, 22), (2, 23), (3, 3000)]


def versions(path: Path) -> list[tuple[int, int]]:
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [(record["identifier"], record["version"]["identifier"]) for record in records]


def test_versions_of_a_page_follow_each_other_in_the_order_of_time(tmp_path: Path) -> None:
    path = tmp_path / "html.ndjson"
    assert fetch_revisions(StoredWiki(), PAGES, (), path, Counter()) == len(EXPECTED)
    assert versions(path) == EXPECTED
    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert (first["name"], first["redirects"], first["main_entity"]) == (
        "Old name",
        [{"name": "P1"}],
        {"identifier": "Q1"},
    )
    assert (first["date_modified"], first["article_body"]["html"]) == ("2024-01-04T00:00:00Z", "<p>13</p>")


def test_pages_also_come_as_they_stood_at_the_snapshots(tmp_path: Path) -> None:
    path = tmp_path / "html.ndjson"
    pages = (PAGES[0], PAGES[2])  # the first begins at the earlier snapshot, so only the later one is asked for
    fetch_revisions(StoredWiki(), pages, (day(4), day(20)), path, Counter())
    assert versions(path) == [(1, 13), (1, 12), (1, 100), (3, 3000)]


@pytest.mark.parametrize("stop", range(len(EXPECTED)))
def test_a_stopped_run_continues_in_the_right_order(stop: int, tmp_path: Path) -> None:
    path, wiki = tmp_path / "html.ndjson", StoredWiki()
    wiki.left = stop
    with pytest.raises(BrokenRun):
        fetch_revisions(wiki, PAGES, (), path, Counter())
    wiki.left = 100
    fetch_revisions(wiki, PAGES, (), path, Counter())
    assert versions(path) == EXPECTED
    assert len(wiki.asked) == len(EXPECTED)


def test_a_refused_revision_is_counted_and_never_comes_behind_later_ones(tmp_path: Path) -> None:
    path, wiki, rejects = tmp_path / "html.ndjson", StoredWiki(), Counter[str]()
    wiki.hidden = {22}
    fetch_revisions(wiki, PAGES, (), path, rejects)
    assert rejects == {"a revision that is deleted, hidden or without HTML": 1}
    wiki.hidden = set()
    fetch_revisions(wiki, PAGES, (), path, Counter())
    assert versions(path) == [version for version in EXPECTED if version != (2, 22)]


def test_a_file_of_other_pages_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "html.ndjson"
    fetch_revisions(StoredWiki(), PAGES, (), path, Counter())
    with pytest.raises(UnusableInput, match="holds pages that are not in this folder of insertions"):
        fetch_revisions(StoredWiki(), PAGES[:1], (), path, Counter())
    assert versions(path) == EXPECTED
