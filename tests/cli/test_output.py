"""What commands print reaches every terminal and every pipe: in any encoding, and when the reader has gone."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from tests.cli.command import WIKI, refusal, run, words_of
from tests.stored_evaluation import some_evaluation

ENCODINGS = {
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""},
}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what commands read: a dump, its tables, an evaluation, a page."""
    folder = tmp_path_factory.mktemp("output")
    (folder / "wiki.xml").write_text(WIKI.replace("It shines.", "“It” shines – 緑茶."), encoding="utf-8")
    (folder / "page.md").write_text("Die Straße führt nach Köln – “schön” 緑茶 wolf.", encoding="utf-8")
    some_evaluation(folder / "results", 60)
    for words in (["index", "wiki.xml", "--out", "index"], ["insertions", "wiki.xml", "--out", "edits"]):
        subprocess.run(words_of(*words, "--jobs", "1"), cwd=folder, check=True, capture_output=True)
    return folder


COMMANDS = {
    "suggest": "suggest page.md --title Wolf --lang de --ranker bm25",
    "demo": "demo",
    "rankers": "rankers",
    "model": "model",
    "stats": "stats index edits --jobs 1",
    "compare": "compare results --draws 60",
    "insertions": "insertions wiki.xml --out edits --show 1 --jobs 1",
    "experiments": "experiment ?",
    "recipe": "train --print-recipe article",
    "help": "suggest --help",
    "version": "--version",
}

# Many commands in one process, so that what all of them import is imported once.
_ONE_AFTER_ANOTHER = """
import sys
from linkspot.cli import main
for command in sys.argv[1:]:
    sys.argv = ["linkspot", *command.split()]
    try:
        main()
    except SystemExit as ending:
        print(ending.code, file=sys.stderr)
"""


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_command_prints_to_every_terminal(here: Path, encoding: str) -> None:
    words = [sys.executable, "-c", _ONE_AFTER_ANOTHER, *COMMANDS.values()]
    done = subprocess.run(words, capture_output=True, cwd=here, env={**os.environ, **ENCODINGS[encoding]}, check=False)
    assert done.stderr.decode() == "0\n" * len(COMMANDS)
    assert "Where does ?" not in done.stdout.decode("latin-1")


def test_signs_that_an_encoding_lacks_are_replaced_by_similar_ones(here: Path) -> None:
    question = ("suggest", here / "page.md", "--title", "Wolf", "--lang", "de", "--ranker", "bm25")
    shown = run(*question, env=ENCODINGS["C"]).stdout
    assert 'Where does "Wolf" belong in "page"?' in shown
    assert '> link these words: "Wolf" is there already' in shown
    assert 'Die Stra?e f?hrt nach K?ln - "sch?n" ?? [wolf].' in shown


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_and_html_say_the_same_in_every_encoding(here: Path, encoding: str) -> None:
    question = ("suggest", here / "page.md", "--title", "Wolf", "--lang", "de", "--ranker", "bm25", "--format")
    answer = run(*question, "json", env=ENCODINGS[encoding])
    assert answer.stdout.isascii()
    assert json.loads(answer.stdout) == json.loads(run(*question, "json").stdout)
    page = run(*question, "html", env=ENCODINGS[encoding])
    assert page.stdout.isascii()
    assert unescape(page.stdout) == unescape(run(*question, "html").stdout)


def test_a_title_that_is_not_utf8_is_shown_escaped(here: Path) -> None:
    words = words_of("suggest", here / "page.md", "--title", "x", "--lang", "de", "--ranker", "bm25")
    words[words.index("x")] = os.fsdecode(b"W\xf6lf")
    done = subprocess.run(words, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Where does “W\\udcf6lf” belong" in done.stdout.decode()


@pytest.fixture
def closed_pipe() -> Iterator[int]:
    """The end to write to of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@pytest.mark.parametrize("name", ["suggest", "rankers", "stats", "recipe", "help", "version"])
def test_a_closed_pipe_is_not_an_error(name: str, here: Path, closed_pipe: int) -> None:
    words = words_of(*COMMANDS[name].split())
    done = subprocess.run(words, stdout=closed_pipe, stderr=subprocess.PIPE, cwd=here, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (["stats", "{here}/index", "{here}/edits", "--jobs", "1", "--out", "{out}"], "scenarios.svg"),
        (["compare", "{here}/results", "--draws", "60", "--out", "{out}"], "languages.svg"),
    ],
)
def test_files_are_written_before_anything_is_printed(
    words: list[str], file: str, here: Path, tmp_path: Path, closed_pipe: int
) -> None:
    command = [word.format(here=here, out=tmp_path / "out") for word in words]
    subprocess.run(words_of(*command), stdout=closed_pipe, check=True)
    assert (tmp_path / "out" / file).is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_behind_standard_output_is_reported_in_one_line() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(words_of("rankers"), stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (1, b"linkspot: the output: no space left on device\n")


def test_without_any_standard_output_the_command_still_works(here: Path) -> None:
    words = words_of("suggest", here / "page.md", "--title", "Wolf", "--lang", "de", "--ranker", "bm25")
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *words], stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_bad_input_is_still_reported_to_a_terminal_that_is_not_utf8(tmp_path: Path) -> None:
    assert "cannot be read: no such file" in refusal("suggest", tmp_path / "none.md", "--title", "Wolf")
    done = run("suggest", tmp_path / "schön.md", "--title", "Wolf", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1
    assert "sch\\xf6n.md cannot be read" in done.stderr
