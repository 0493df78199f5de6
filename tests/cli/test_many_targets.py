"""`linkspot suggest` with several targets: a table or JSON lines, each answer the same as that for one target."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from linkspot.cli.program import app
from linkspot.errors import LinkspotError

PAGE = "The dog descends from the wolf.\n\n== Diet ==\nDogs eat [[meat]]. They chew bones for hours. Cats hunt mice."


def _suggest(page: Path, *arguments: str | Path, ranker: str = "bm25") -> Result:
    words = ["suggest", page, *arguments, "--lang", "en", "--ranker", ranker]
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, [str(word) for word in words])


def _refusal(page: Path, *arguments: str | Path) -> str:
    done = _suggest(page, *arguments)
    assert isinstance(done.exception, LinkspotError), done.output
    assert (done.stdout, str(done.exception).count("\n")) == ("", 0)
    return str(done.exception)


def _answers(done: Result) -> list[dict[str, Any]]:
    assert done.exit_code == 0, done.exception
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "Dog.wiki"
    file.write_text(PAGE, encoding="utf-8")
    return file


def test_a_table_has_each_target_with_its_best_place(page: Path) -> None:
    titles = [word for title in ("Zoroaster", "Meat", "Wolf", "Dog", "Mouse hunt") for word in ("--title", title)]
    done = _suggest(page, *titles)
    assert (done.exit_code, done.stderr) == (0, "")
    heading, _, *lines = (" ".join(line.split()) for line in done.stdout.splitlines())
    assert heading == "Where do these targets belong in “Dog”?"
    assert lines[0] == "target what to do section words or sentence sure"
    assert [line.rpartition(" score ")[0] or line for line in lines[1:]] == [
        "Wolf link these words (lead) “wolf”",
        "Mouse hunt add it to this sentence Diet “Cats hunt mice.”",
        "Meat linked already",
        "Zoroaster nowhere",
        "Dog this page itself",
    ]


def test_the_surest_target_comes_first(page: Path) -> None:
    done = _suggest(page, "--title", "Bone", "--title", "Gray wolf", "--title", "Wolf", ranker="linkspot")
    shares = [int(line.rpartition(" ")[2].strip("<>%")) for line in map(str.rstrip, done.stdout.splitlines()[3:])]
    assert len(shares) == 3
    assert shares == sorted(shares, reverse=True)


def test_json_lines_are_the_answers_for_each_target_alone(page: Path, tmp_path: Path) -> None:
    cat = tmp_path / "cat.md"
    cat.write_text("# Cat\n\nA cat hunts mice.", encoding="utf-8")
    listed = tmp_path / "targets.txt"
    listed.write_text('Wolf\n{"title": "Meat", "lead": "Food."}\n{broken\n', encoding="utf-8")
    flags = ("--format", "json", "--top", "2")
    done = _suggest(page, "--title", "Bone", "--target", cat, "--targets", listed, *flags)
    assert done.stderr == f"linkspot: {listed}: 1 line left out: a line that is not JSON (line 3)\n"
    alone = [
        ("--title", "Bone"),
        ("--target", str(cat)),
        ("--title", "Wolf"),
        ("--title", "Meat", "--lead", "Food."),
    ]
    assert _answers(done) == [json.loads(_suggest(page, *target, *flags).stdout) for target in alone]


def test_all_pages_of_an_index_are_targets_except_itself_and_what_is_linked(trees: Path, tmp_path: Path) -> None:
    file = tmp_path / "Alder.wiki"
    file.write_text("The alder is kin of the [[birch]]. A cedar and a hazel stand beside it.", encoding="utf-8")
    done = _suggest(file, "--targets", trees.parent / "trees", "--format", "json", ranker="string-match")
    answers = _answers(done)
    assert sorted(answer["target"]["title"] for answer in answers) == ["Cedar", "Elder", "Hazel", "Maple"]
    assert all(answer["target"]["lead"] for answer in answers)
    assert {answer["places"][0]["words"]["text"] for answer in answers if answer["places"]} == {"cedar", "hazel"}
    german = ("suggest", str(file), "--targets", str(trees.parent / "trees"), "--lang", "de")
    assert "has no target for a page in 'de'" in str(CliRunner().invoke(app, german).exception)


def test_an_index_completes_the_targets_of_a_list_and_those_that_it_lacks_stay(trees: Path, tmp_path: Path) -> None:
    file, listed = tmp_path / "Oak.wiki", tmp_path / "targets"
    file.write_text("The oak is kin of the cedar.", encoding="utf-8")
    listed.write_text("cedar\nbeech\n", encoding="utf-8")
    done = _suggest(file, "--targets", listed, "--index", trees.parent / "trees", "--format", "json", "--anyway")
    assert [bool(answer["target"]["lead"]) for answer in _answers(done)] == [True, False]


def test_what_is_for_one_target_is_refused(page: Path, tmp_path: Path) -> None:
    two = ("--title", "Wolf", "--title", "Bone")
    assert "--write makes one edit, and these are several targets" in _refusal(page, *two, "--write")
    assert "--diff makes one edit" in _refusal(page, *two, "--diff")
    assert "--format html shows one target" in _refusal(page, *two, "--format", "html")
    assert "as JSON lines" in _refusal(page, *two, "--lead", "It howls.")
    assert "cannot come from standard input" in _refusal(page, "--targets", "-")
    assert "cannot be read: no such file" in _refusal(page, "--targets", tmp_path / "none")
    empty = tmp_path / "empty"
    empty.write_bytes(b"\n\n")
    assert "empty has no target" in _refusal(page, "--targets", empty)
    empty.write_bytes(b"{\n")
    assert "1 line left out: a line that is not JSON (line 1)" in _refusal(page, "--targets", empty)
    assert page.read_text(encoding="utf-8") == PAGE


def test_one_title_and_one_file_are_still_one_target(page: Path, tmp_path: Path) -> None:
    cat = tmp_path / "cat.md"
    cat.write_text("# Cat\n\nA cat hunts mice.", encoding="utf-8")
    answer = json.loads(_suggest(page, "--title", "Kitten", "--target", cat, "--format", "json").stdout)
    assert (answer["target"]["title"], answer["target"]["lead"]) == ("Kitten", "A cat hunts mice.")
