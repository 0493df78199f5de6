"""The paper's set of added links: the difference of two snapshots, each link at the edit that added it."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import Engine, EngineSettings, open_engine
from linkspot.insertions.rejects import Reject
from linkspot.insertions.rules import PAPER, STRICT, HistoryRules, Rule
from linkspot.insertions.snapshot_links import SnapshotTimes
from linkspot.pipeline.index import index
from linkspot.pipeline.insertions import insertions
from linkspot.pipeline.snapshots import Snapshots

Found = Callable[..., dict[str, str]]

BEFORE = "A train runs on rails. A signal keeps trains apart. It carries coal. It stops at a station. Rain falls."


def _linked(*words: str) -> str:
    text = BEFORE
    for word in words:
        text = text.replace(word, f"[[{word}]]", 1)
    return text


def _at(day: str, text: str) -> tuple[str, str]:
    return f"2020-{day}T12:00:00Z", text


#: Snapshots are taken at the ends of January and of February.
WIKI = {
    "Train": [
        _at("01-01", BEFORE),
        _at("01-10", _linked("rails")),  # before the first snapshot
        _at("02-01", _linked("rails", "signal")),  # added and removed between the snapshots
        _at("02-02", _linked("rails")),
        _at("02-03", _linked("rails", "coal")),  # added twice
        _at("02-04", _linked("rails")),
        _at("02-05", _linked("rails", "coal")),
        _at("02-06", _linked("rails", "coal", "station")),  # stays until the second snapshot
        _at("03-01", _linked("rails")),
        _at("03-02", _linked("rails", "coal", "Rain")),  # after the second snapshot
    ],
    **{name: [_at("01-01", f"{name} is a thing.")] for name in ("Rails", "Signal", "Coal", "Station", "Rain")},
}
DAYS = SnapshotTimes(datetime(2020, 1, 31, 23, 59, tzinfo=UTC), datetime(2020, 2, 28, 23, 59, tzinfo=UTC))
PERIOD = (DAYS.earlier, DAYS.later)


@pytest.fixture(scope="module")
def local() -> Iterator[Engine]:
    opened = open_engine("local", EngineSettings(jobs=1))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory, write_wiki: Callable[..., Path]) -> CorpusSource:
    return CorpusSource(write_wiki(tmp_path_factory.mktemp("wiki") / "wiki.xml", WIKI))


@pytest.fixture(scope="module")
def folders(wiki: CorpusSource, tmp_path_factory: pytest.TempPathFactory, local: Engine) -> tuple[Path, Path]:
    """The indexes of both snapshots."""
    january, february = (tmp_path_factory.mktemp("snapshots") / name for name in ("january", "february"))
    index([wiki], january, local, DAYS.earlier)
    index([wiki], february, local, DAYS.later)
    return january, february


@pytest.fixture
def found(wiki: CorpusSource, tmp_path: Path, local: Engine, rows: Callable[[Path], list[dict[str, Any]]]) -> Found:
    """Return a function that finds insertions: the targets, each with the revision that added it."""

    def find(rules: HistoryRules, snapshots: Snapshots | None = None, source: CorpusSource = wiki) -> dict[str, str]:
        out = tmp_path / f"found{len(list(tmp_path.iterdir()))}"
        table = rows(insertions([source], out, local, rules, snapshots).folder / "insertions")
        return {row["target_title"]: row["after_revision"] for row in table}

    return find


def test_a_link_counts_once_if_only_the_later_snapshot_has_it(found: Found) -> None:
    # Revision 7 is the second one that added coal. Rails came before, the signal went again, rain came afterwards.
    assert found(PAPER, DAYS) == {"Coal": "7", "Station": "8"}


def test_strict_rules_on_the_same_history_keep_only_what_lasts(found: Found) -> None:
    assert found(STRICT.between(*PERIOD)) == {}
    assert found(STRICT.between(*PERIOD).lifting(Rule.SURVIVAL)) == {"Signal": "3", "Coal": "5", "Station": "8"}
    assert found(STRICT, DAYS) == {}


def test_two_indexes_give_the_same_as_two_dates_and_edits_outside_of_them_are_counted_as_such(
    wiki: CorpusSource,
    folders: tuple[Path, Path],
    tmp_path: Path,
    local: Engine,
    rows: Callable[[Path], list[dict[str, Any]]],
) -> None:
    made = insertions([wiki], tmp_path / "out", local, PAPER, folders)
    table = rows(made.folder / "insertions")
    assert {row["target_title"]: row["after_revision"] for row in table} == {"Coal": "7", "Station": "8"}
    assert made.rejects == {
        Reject.NOT_IN_DIFFERENCE: 3,  # rails, the signal, rain
        Reject.NOT_BETWEEN: 1,  # coal in March
        Reject.ADDED_AGAIN: 1,
    }


def test_a_later_link_by_another_name_does_not_hide_the_edit_that_added_the_target(
    tmp_path: Path, write_wiki: Callable[..., Path], found: Found
) -> None:
    once = _linked("station")
    pages = {
        "Train": [_at("01-01", BEFORE), _at("02-01", once), _at("02-02", once.replace("Rain", "The [[terminus]]"))],
        "Station": WIKI["Station"],
        "Terminus": [_at("01-01", "#REDIRECT [[Station]]")],
    }
    source = CorpusSource(write_wiki(tmp_path / "renamed.xml", pages))
    assert found(PAPER, DAYS, source) == {"Station": "2"}


def test_a_target_may_come_after_its_link_if_that_rule_is_lifted(
    tmp_path: Path, write_wiki: Callable[..., Path], found: Found
) -> None:
    pages = {**WIKI, "Station": [_at("02-20", "Trains stop here.")]}
    source = CorpusSource(write_wiki(tmp_path / "late.xml", pages))
    assert found(PAPER, DAYS, source) == {"Coal": "7", "Station": "8"}
    assert found(PAPER.applying(Rule.TARGET_EXISTS), DAYS, source) == {"Coal": "7"}


def test_pages_without_a_lead_count_if_that_rule_is_lifted(
    tmp_path: Path, write_wiki: Callable[..., Path], found: Found
) -> None:
    pages = {**WIKI, "Station": [_at("01-01", "{{Stub}}")]}
    source = CorpusSource(write_wiki(tmp_path / "leadless.xml", pages))
    loose = PAPER.between(*PERIOD)
    assert "Station" not in found(loose, None, source)
    assert "Station" in found(loose.lifting(Rule.LEAD), None, source)


def test_self_links_count_if_that_rule_is_lifted(tmp_path: Path, write_wiki: Callable[..., Path], found: Found) -> None:
    pages = {**WIKI, "Engine": [_at("01-01", "#REDIRECT [[Train]]")]}
    pages["Train"] = [_at("01-01", BEFORE), _at("02-01", BEFORE.replace("It carries", "The [[engine]] carries"))]
    source = CorpusSource(write_wiki(tmp_path / "self.xml", pages))
    assert found(PAPER, None, source) == {}
    assert found(PAPER.lifting(Rule.SELF_LINK), None, source) == {"Train": "2"}


@pytest.fixture
def enterprise(tmp_path: Path) -> CorpusSource:
    """Two versions of one page and its two targets, of which one has no id, in Wikimedia's HTML."""
    old, new = (
        "<p>A signal keeps a train apart.</p>",
        "<p>A <a href='./Signal'>signal</a> keeps a <a href='./Train'>train</a>.</p>",
    )
    versions = [
        ("Depot", 1, 1, old),
        ("Depot", 1, 2, new),
        ("Signal", 2, 3, "<p>A light.</p>"),
        ("Train", 3, 4, "<p>It runs.</p>"),
    ]
    lines = [
        {
            "name": title,
            "identifier": page,
            "version": {"identifier": revision},
            "date_modified": f"2020-02-{10 + revision if page == 1 else 1:02}T12:00:00Z",
            "in_language": {"identifier": "en"},
            **({} if title == "Train" else {"main_entity": {"identifier": f"Q{page}"}}),
            "article_body": {"html": html},
        }
        for title, page, revision, html in versions
    ]
    path = tmp_path / "wiki.ndjson"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return CorpusSource(path)


def test_html_of_both_versions_gives_insertions_and_pages_without_an_id_count_if_that_rule_is_lifted(
    enterprise: CorpusSource, found: Found
) -> None:
    assert found(PAPER, None, enterprise) == {"Signal": "2"}
    assert found(PAPER.lifting(Rule.ENTITY_ID), None, enterprise) == {"Signal": "2", "Train": "2"}
