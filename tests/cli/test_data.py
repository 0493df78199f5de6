import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import WIKI, refusal, run


def _run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "linkspot.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def wiki(tmp_path: Path) -> Path:
    path = tmp_path / "wiki.xml"
    path.write_text(WIKI, encoding="utf-8")
    return path


def test_from_a_dump_to_a_dataset(wiki: Path, tmp_path: Path) -> None:
    made = _run("index", wiki, "--out", tmp_path / "index", "--licence", "CC0", "--jobs", "1")
    assert made.returncode == 0, made.stderr
    assert "2  articles" in made.stdout
    found = _run("insertions", wiki, "--out", tmp_path / "edits", "--show", "5", "--jobs", "1")
    assert found.returncode == 0, found.stderr
    assert "Signal → Train" in found.stdout
    assert "text_present in the lead: sentence 0" in found.stdout
    done = _run("dataset", tmp_path / "index", tmp_path / "edits", "--out", tmp_path / "data", "--split", "edits=test")
    assert done.returncode == 0, done.stderr
    assert "1  insertions/test" in done.stdout
    counted = _run("stats", tmp_path / "index", tmp_path / "edits", "--out", tmp_path / "statistics")
    assert counted.returncode == 0, counted.stderr
    assert (tmp_path / "statistics" / "scenarios.svg").exists()


def test_a_second_run_tells_the_same_at_once(wiki: Path, tmp_path: Path) -> None:
    first, second = (_run("index", wiki, "--out", tmp_path / "index", "--jobs", "1") for _ in range(2))
    assert first.stdout == second.stdout


def test_suggest_takes_the_target_from_an_index(wiki: Path, tmp_path: Path) -> None:
    _run("index", wiki, "--out", tmp_path / "index", "--jobs", "1")
    page = tmp_path / "Depot.wiki"
    page.write_text("Here trains sleep. Nothing runs on rails.", encoding="utf-8")
    answer = _run(
        "suggest", page, "--lang", "en", "--title", "train", "--index", tmp_path / "index", "--format", "json"
    )
    assert answer.returncode == 0, answer.stderr
    told = json.loads(answer.stdout)
    assert (told["target"]["title"], told["target"]["mentions"]) == ("Train", ["trains"])
    assert told["ranker"] == "linkspot"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["index", "nothing.xml", "--out", "o"], "nothing.xml does not exist"),
        (["index", "{wiki}", "--out", "{out}", "--at", "May"], "'May' is not a date; write it like 2012-12-31"),
        (
            ["index", "{wiki}", "--out", "{out}", "--kind", "zip"],
            "no kind of corpus is called 'zip'; there are: mediawiki-xml",
        ),
        (["insertions", "{wiki}", "--out", "{out}", "--survive", "most"], "'most' does not say in how many"),
        (["insertions", "{wiki}", "--out", "{out}", "--from", "x"], "'x' is not a date"),
        (
            ["dataset", "{out}", "--out", "{out}2"],
            "holds no tables of linkspot; expected a folder that 'linkspot index' made",
        ),
        (["dataset", "{out}", "--out", "x", "--split", "a=2012"], "'a=2012' does not say when to split"),
        (
            ["index", "{wiki}", "--out", "{out}", "--engine", "spark", "--spark", "fast"],
            "'fast' is not a Spark setting",
        ),
        (["index", "{wiki}", "--out", "{out}", "--lang", "???"], "'???' is not a language code; write it like en, sw"),
        (
            ["insertions", "{wiki}", "--out", "{out}", "--from", "2015-01-01", "--to", "2010-01-01"],
            "--from 2015-01-01 is later than --to 2010-01-01",
        ),
        (["stats", "{out}"], "holds no tables of linkspot"),
        (
            ["suggest", "{wiki}", "--markup", "wikitext", "--lang", "en", "--index", "{out}"],
            "an index is asked by --title",
        ),
    ],
)
def test_bad_input_gets_one_line(arguments: list[str], message: str, wiki: Path, tmp_path: Path) -> None:
    filled = [argument.format(wiki=wiki, out=tmp_path / "out") for argument in arguments]
    run = _run(*filled)
    assert run.returncode == 1
    assert message in run.stderr
    assert len(run.stderr.splitlines()) == 1, run.stderr


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of pages, which has no history."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "signal.md").write_text(
        "---\nlang: en\n---\n\nA signal keeps [trains](train.md) apart.", encoding="utf-8"
    )
    (folder / "train.md").write_text("---\nlang: en\n---\n\nA train runs on rails.", encoding="utf-8")
    return folder


def test_a_corpus_without_history_is_called_one_and_leaves_no_folder(site: Path, tmp_path: Path) -> None:
    message = refusal("insertions", site, "--out", tmp_path / "edits", "--jobs", "1")
    assert f"{site} has no history: every page has one revision" in message
    assert "expected a dump with all revisions (pages-meta-history) or a git repository" in message
    assert not (tmp_path / "edits").exists()


def test_a_history_without_added_links_is_no_error(wiki: Path, tmp_path: Path) -> None:
    done = run("insertions", wiki, "--out", tmp_path / "edits", "--jobs", "1", "--from", "2020-01-01")
    assert done.returncode == 0, done.stderr
    assert "0  insertions" in done.stdout


def test_an_index_without_articles_leaves_no_folder(tmp_path: Path) -> None:
    dump = tmp_path / "empty.xml"
    dump.write_text('<mediawiki xml:lang="en"></mediawiki>', encoding="utf-8")
    assert "empty.xml holds no pages; expected" in refusal("index", dump, "--out", tmp_path / "index", "--jobs", "1")
    assert not (tmp_path / "index").exists()


def test_an_evaluation_that_cannot_begin_leaves_no_folder(wiki: Path, tmp_path: Path) -> None:
    for words in (
        ["index", wiki, "--out", tmp_path / "index"],
        ["insertions", wiki, "--out", tmp_path / "edits"],
        ["dataset", tmp_path / "index", tmp_path / "edits", "--out", tmp_path / "data", "--split", "edits=test"],
    ):
        assert run(*words, "--jobs", "1").returncode == 0
    message = refusal("evaluate", tmp_path / "data", "--ranker", "nonsense", "--out", tmp_path / "results")
    assert "no ranker is called 'nonsense'" in message
    assert "'=bm25' is not a ranker with a label" in refusal(
        "evaluate", tmp_path / "data", "--ranker", "=bm25", "--out", tmp_path / "results"
    )
    assert not (tmp_path / "results").exists()
    folders = ("dataset", tmp_path / "index", tmp_path / "edits", "--out", tmp_path / "other")
    for option in ("--languages", "--hold-out"):
        assert "no folder has pages in 'xx'; there are: en" in refusal(*folders, option, "en,xx", "--jobs", "1")
    assert not (tmp_path / "other").exists()
