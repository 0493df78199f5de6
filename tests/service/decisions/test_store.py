"""Decisions in a real SQLite, PostgreSQL and MariaDB: each that is acknowledged is there once."""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.conftest import PROJECT
from tests.database_servers import mariadb, postgresql
from tests.service.decisions.made_decisions import SESSION, decision, strange_decisions
from typer.testing import CliRunner, Result

from linkspot.cli.program import app
from linkspot.errors import LinkspotError, UnusableInput, WrongValue
from linkspot.service.decisions.decision import EditorVerdict, RejectionReason
from linkspot.service.decisions.export import export
from linkspot.service.decisions.store import DecisionStore, NotStored

SERVERS = {"postgresql": postgresql, "mariadb": mariadb}


@pytest.fixture(scope="module", params=["sqlite", *SERVERS])
def database(
    request: pytest.FixtureRequest, needs: Callable[..., None], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A database of each kind."""
    if request.param == "sqlite":
        yield str(tmp_path_factory.mktemp("database") / "decisions.sqlite")
        return
    needs(request.param)
    with SERVERS[request.param]() as url:
        yield url


@pytest.fixture
def store(database: str) -> Iterator[DecisionStore]:
    """A store without decisions."""
    with DecisionStore(database) as opened:
        for one in opened:
            opened.undo(one.session, one.id)
        yield opened


_numbers = iter(range(10_000, 10**9, 10_000))


@pytest.fixture
def first() -> int:
    """A number from which on no decision is in any database."""
    return next(_numbers)


def test_a_decision_comes_back_as_it_was_made(store: DecisionStore, first: int) -> None:
    made = [replace(one, id=decision(first + number).id) for number, one in enumerate(strange_decisions())]
    for one in made:
        assert store.add(one) == one
    assert list(store) == made
    assert store.count() == len(made)


def test_a_request_that_is_sent_twice_is_one_decision(store: DecisionStore, first: int) -> None:
    made = decision(first)
    again = replace(made, time="2030-01-01T00:00:00.000000Z")
    assert [store.add(made), store.add(made), store.add(again)] == [made] * 3
    assert list(store) == [made]


def test_the_same_request_at_the_same_time_is_one_decision(store: DecisionStore, first: int) -> None:
    made = [decision(first + number // 8) for number in range(80)]
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(store.add, made))
    assert {one.id for one in answers} == {one.id for one in made}
    assert sorted(one.id for one in store) == sorted({one.id for one in made})


def test_an_id_belongs_to_one_decision(store: DecisionStore, first: int) -> None:
    store.add(decision(first))
    for other in (decision(first, target="Wind"), decision(first, session="another-session")):
        with pytest.raises(WrongValue, match="belongs to another decision"):
            store.add(other)
    assert [one.target for one in store] == ["Monsoon"]


def test_a_decision_is_undone_by_its_session_alone_and_stays_undone(store: DecisionStore, first: int) -> None:
    made = store.add(decision(first))
    assert not store.undo("another-session", made.id)
    assert store.count() == 1
    assert [store.undo(SESSION, made.id), store.undo(SESSION, made.id)] == [True, True]
    store.add(made)  # a request that was late
    assert list(store) == []
    assert not store.undo(SESSION, decision(first + 1).id)


def test_every_decision_that_was_acknowledged_before_a_kill_is_there_once(database: str, first: int) -> None:
    chance, acknowledged = random.Random(23), list[int]()
    for _ in range(3):
        acknowledged += _killed_writer(database, first + len(acknowledged), chance.uniform(0, 0.15))
    with DecisionStore(database) as opened:
        stored = [one.id for one in opened if first <= int(one.id.replace("-", ""), 16) < first + 10_000]
        made = [decision(number).id for number in acknowledged]
        assert made
        assert len(set(stored)) == len(stored)
        assert set(made) <= set(stored)
        assert len(stored) <= len(made) + 3  # at most one in each run was stored and not yet acknowledged
        for one in stored:
            opened.undo(SESSION, one)


@pytest.mark.slow
def test_fifty_kills_lose_nothing(database: str, first: int) -> None:
    chance = random.Random(50)
    for _ in range(50):
        written = _killed_writer(database, first, chance.uniform(0, 0.5))
        first += len(written) + 1
        with DecisionStore(database) as opened:
            assert {decision(number).id for number in written} <= {one.id for one in opened}


def _killed_writer(database: str, first: int, seconds: float) -> list[int]:
    """Return the numbers of the decisions that a writer had acknowledged when it was killed."""
    command = [sys.executable, "-m", "tests.service.decisions.made_decisions", database, str(first)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        begun = writer.stdout.readline()
        time.sleep(seconds)
        writer.kill()
        lines = begun + writer.stdout.read()
    return [int(line) for line in lines.splitlines(keepends=True) if line.endswith("\n")]


def test_decisions_are_exported_as_parquet_and_as_json_lines(
    store: DecisionStore, database: str, first: int, tmp_path: Path
) -> None:
    made = [replace(one, id=decision(first + number).id) for number, one in enumerate(strange_decisions())]
    for one in made:
        store.add(one)
    store.undo(SESSION, made.pop(0).id)
    rows = [asdict(one) for one in made]
    for name in ("decisions.parquet", "decisions.jsonl"):
        done = _run("--database", database, "--out", str(tmp_path / name))
        assert done.exit_code == 0, done.exception
        assert done.stdout == f"5 decisions in {tmp_path / name}\n"
    assert pq.read_table(tmp_path / "decisions.parquet").to_pylist() == rows
    lines = (tmp_path / "decisions.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    assert [json.loads(line) for line in lines] == rows


def test_an_export_of_many_decisions_is_complete(tmp_path: Path) -> None:
    many = [decision(number) for number in range(1, 10_003)]
    assert export(iter(many), tmp_path / "many.parquet") == len(many)
    assert pq.read_table(tmp_path / "many.parquet").column("id").to_pylist() == [one.id for one in many]


def test_what_cannot_be_exported_is_refused_in_one_line(tmp_path: Path) -> None:
    out = str(tmp_path / "decisions.parquet")
    wrong = {
        "there is no database": ("--database", str(tmp_path / "none"), "--out", out),
        "end it with .parquet or .jsonl": ("--database", "x", "--out", "a.csv"),
        "no support for databases of 'oracle'": ("--database", "oracle://x/y", "--out", out),
    }
    for message, arguments in wrong.items():
        done = _run(*arguments)
        assert isinstance(done.exception, LinkspotError), done.exception
        assert message in str(done.exception)
    assert not list(tmp_path.iterdir())


def _run(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, ["decisions", *arguments])


def test_a_database_that_is_lost_is_named_without_its_password() -> None:
    for kind in SERVERS:
        with pytest.raises(NotStored, match="does not answer") as caught:
            DecisionStore(f"{kind}://someone:secret@127.0.0.1:9/name")
        assert "secret" not in str(caught.value)


def test_a_full_disk_stores_nothing_and_the_next_try_does(tmp_path: Path) -> None:
    with DecisionStore(str(tmp_path / "decisions.sqlite")) as store, ExitStack() as ending:
        store.add(decision(1))
        with store._engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        ending.callback(store.close)
        with pytest.raises(NotStored, match=r"full.*try again"):
            store.add(decision(2, before="x" * 90_000))
        assert store.count() == 1
        store.close()
        store.add(decision(2, before="x" * 90_000))
        assert store.count() == 2


def test_a_decision_that_no_database_could_hold_is_refused() -> None:
    wrong = {
        "is not an id": {"id": "1"},
        "the session's name": {"session": "x"},
        "a rejection has a reason": {"verdict": EditorVerdict.REJECTED},
        "and nothing else has one": {"reason": RejectionReason.OTHER},
        "no database stores": {"note": "a\x00"},
        "which no database": {"page": "\ud800"},
        "at most 2,000": {"note": "x" * 2_001},
        "out of range": {"revision": 2**63},
        "before it begins": {"start": 30},
        "not a probability": {"probability": 1.5},
    }
    for message, changes in wrong.items():
        with pytest.raises(WrongValue, match=message):
            decision(**changes)


def test_a_database_in_memory_is_refused() -> None:
    for name in ("sqlite://", ":memory:"):
        with pytest.raises(UnusableInput, match="lost in memory"):
            DecisionStore(name)
    with pytest.raises(LinkspotError, match="is not a database"):
        DecisionStore("://")
