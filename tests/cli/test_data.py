import json
import subprocess
import sys
from pathlib import Path

import pytest

WIKI = """<mediawiki xml:lang="en">
<page><title>Signal</title><ns>0</ns><id>1</id>
<revision><id>1</id><timestamp>2010-01-01T00:00:00Z</timestamp>
<text>A signal keeps trains apart. It shines.</text></revision>
<revision><id>2</id><timestamp>2012-01-01T00:00:00Z</timestamp>
<text>A signal keeps [[train]]s apart. It shines.</text></revision>
</page>
<page><title>Train</title><ns>0</ns><id>2</id>
<revision><id>3</id><timestamp>2009-01-01T00:00:00Z</timestamp><text>A train runs on rails.</text></revision></page>
</mediawiki>"""


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
