from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.insertions.rules import HistoryRules
from linkspot.pipeline.index import index
from linkspot.pipeline.insertions import insertions
from linkspot.pipeline.table_run import Summary
from linkspot.tables.schemas import article_of

Rows = Callable[[Path], list[dict[str, Any]]]

BEFORE = "A train runs on rails. A signal keeps trains apart. It may carry coal in winter. It ends at a [[station]]."


def _at(year: int, text: str) -> tuple[str, str]:
    return f"{year}-06-01T12:00:00Z", text


WIKI = {
    "Train": [
        _at(2010, BEFORE),
        _at(2012, BEFORE.replace("A signal", "A [[signal]]")),
        _at(2013, BEFORE.replace("A signal", "A [[signal]]").replace("coal", "[[coal]]")),
        _at(
            2014, BEFORE.replace("A signal", "A [[signal]]").replace("coal", "[[coal]]").replace("winter", "[[winter]]")
        ),
        _at(
            2016,
            BEFORE.replace("A signal", "A [[signal]]")
            .replace("coal", "[[coal]]")
            .replace("winter", "[[winter]]")
            .replace("rails", "rails to the [[terminus]]"),
        ),
    ],
    "Signal": [_at(2009, "A light by the track."), _at(2015, "An arm by the track.")],
    "Station": [_at(2009, "Trains stop here.")],
    "Terminus": [_at(2009, "#REDIRECT [[Station]]")],
    "Coal": [_at(2020, "It burns.")],
    "Depot": [_at(2009, "Behind the [[signal|red light]] and another [[signal|red light]].")],
    "Bridge": [_at(2011, "A [[signal]] stands on it. So does a [[Signal|red light]].")],
    "Tunnel": [_at(2013, "No [[signal|lamp]] is in it.")],
}


@pytest.fixture
def wiki(tmp_path: Path, write_wiki: Callable[..., Path]) -> CorpusSource:
    return CorpusSource(write_wiki(tmp_path / "wiki.xml", WIKI))


@pytest.fixture
def found(wiki: CorpusSource, tmp_path: Path, local: Engine) -> Summary:
    return insertions([wiki], tmp_path / "insertions", local)


def test_an_insertion_has_the_page_before_and_the_right_place_in_it(found: Summary, rows: Rows) -> None:
    (row,) = rows(found.folder / "insertions")
    assert (row["source_title"], row["target_title"], row["scenario"]) == ("Train", "Signal", "text_present")
    article = article_of(row["source_title"], row["language"], row["sections"])
    assert [article.sentences[number][1].text for number in row["gold"]] == ["A signal keeps trains apart."]
    assert not [link for link in article.sections[0].links if link.target == "Signal"]
    assert (row["before_revision"], row["after_revision"]) == ("1", "2")
    assert row["after_time"] == datetime(2012, 6, 1, 12, tzinfo=UTC)
    assert row["context"][row["mention_start"] : row["mention_end"]] == row["mention"] == "signal"


def test_the_target_is_described_as_it_was_when_the_link_was_added(found: Summary, rows: Rows) -> None:
    (row,) = rows(found.folder / "insertions")
    assert row["target_lead"] == "A light by the track."
    # Each page counts once for each mention; the page itself and later pages do not count.
    assert row["mentions"] == ["red light", "signal"]


def test_what_is_no_insertion_of_this_wiki_is_counted_by_reason(found: Summary) -> None:
    assert found.rejects == {
        "an added link to a page that did not exist yet": 1,
        "an added link to a page that the corpus lacks": 1,
        "an added link to a page that was linked by another name": 1,
    }


def test_only_edits_of_the_time_asked_for_count(wiki: CorpusSource, tmp_path: Path, local: Engine) -> None:
    later = HistoryRules(since=datetime(2013, 1, 1, tzinfo=UTC))
    summary = insertions([wiki], tmp_path / "later", local, later)
    assert summary.rows == {"insertions": 0}
    assert "an added link to a page that did not exist yet" in summary.rejects


def test_two_snapshots_narrow_the_history_down(wiki: CorpusSource, tmp_path: Path, local: Engine) -> None:
    days = {"2011": datetime(2011, 1, 1, tzinfo=UTC), "2013": datetime(2013, 1, 1, tzinfo=UTC), "2014": None}
    for name, day in days.items():
        index([wiki], tmp_path / name, local, day)
    around = insertions([wiki], tmp_path / "around", local, snapshots=(tmp_path / "2011", tmp_path / "2013"))
    assert around.rows == {"insertions": 1}
    behind = insertions([wiki], tmp_path / "behind", local, snapshots=(tmp_path / "2013", tmp_path / "2014"))
    assert behind.rows == {"insertions": 0}
    assert behind.rejects["an added link that is not in the difference of the snapshots"] == 1


def test_snapshots_are_indexes(wiki: CorpusSource, tmp_path: Path, local: Engine) -> None:
    with pytest.raises(
        UnusableInput, match="holds no tables of linkspot; expected a folder that 'linkspot index' made"
    ):
        insertions([wiki], tmp_path / "out", local, snapshots=(tmp_path, tmp_path))


def test_links_to_pages_that_the_corpus_lacks_can_be_kept(
    wiki: CorpusSource, tmp_path: Path, local: Engine, rows: Rows
) -> None:
    summary = insertions([wiki], tmp_path / "all", local, keep_unknown=True)
    leads = {row["target_title"]: row["target_lead"] for row in rows(summary.folder / "insertions")}
    assert leads == {"Signal": "A light by the track.", "Winter": "", "Coal": ""}


GERMAN = "Ein Zug fährt auf Schienen. Ein Signal hält Züge auseinander. Er hält am Bahnhof."


def test_where_other_languages_linked_the_target_by_then_comes_with_an_insertion(
    wiki: CorpusSource, tmp_path: Path, write_wiki: Callable[..., Path], local: Engine, rows: Rows
) -> None:
    german = {
        "Train": [_at(2010, GERMAN), _at(2011, GERMAN.replace("Signal", "[[Signal]]"))],
        "Signal": [_at(2009, "Eine Leuchte am Gleis.")],
    }
    late = {"Train": [_at(2013, "Un train suit un [[Signal]].")], "Signal": [_at(2009, "Une lumière.")]}
    others = {"de": german, "fr": late}
    sources = [CorpusSource(write_wiki(tmp_path / f"{tag}.xml", pages, tag)) for tag, pages in others.items()]
    ids = tmp_path / "ids.csv"
    ids.write_text("".join(f"Train,Q870,{tag}\nSignal,Q194340,{tag}\n" for tag in ("en", *others)), encoding="utf-8")
    found = insertions([wiki, *sources], tmp_path / "several", local, entities=ids)
    precedents = {row["language"]: row["precedents"] for row in rows(found.folder / "insertions")}
    assert set(precedents) == {"en", "de"}
    (german_place,) = precedents["en"]
    assert (german_place["language"], german_place["passage"][german_place["linked"]]) == (
        "de",
        "Ein Signal hält Züge auseinander.",
    )
    assert (german_place["place"], german_place["section"], german_place["size"]) == (0.5, "Train", 3)
    assert precedents["de"] == []  # English came later
