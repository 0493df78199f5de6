import json
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = "The dog descends from the wolf.\n\n== Diet ==\nDogs eat meat. They chew bones."


def _run(*arguments: str | Path, standard_input: bytes = b"") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "linkspot.cli", *map(str, arguments)]
    done = subprocess.run(command, input=standard_input, capture_output=True, check=False, timeout=60)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())


def _refusal(*arguments: str | Path, standard_input: bytes = b"") -> str:
    """Return the one line on standard error of a run that must end with 1 and say nothing else."""
    done = _run(*arguments, standard_input=standard_input)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("linkspot: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "Dog.wiki"
    file.write_text(PAGE, encoding="utf-8")
    return file


def test_suggest_prints_a_readable_answer_without_colour_in_a_pipe(page: Path) -> None:
    done = _run("suggest", page, "--title", "Wolf", "--lang", "en")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Where does “Wolf” belong in “Dog”?" in done.stdout
    assert "link these words" in done.stdout
    assert "the [wolf]." in done.stdout
    assert "[[wolf]]" in done.stdout
    assert "\x1b" not in done.stdout


def test_the_answer_has_colour_where_colour_is_wanted(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    done = _run("suggest", page, "--title", "Wolf", "--lang", "en")
    assert "\x1b[1m" in done.stdout


def test_suggest_answers_in_json(page: Path) -> None:
    done = _run("suggest", page, "--title", "Wolf", "--lang", "en", "--format", "json", "--top", "1")
    answer = json.loads(done.stdout)
    assert [place["edit"]["link"] for place in answer["places"]] == ["[[wolf]]"]


def test_suggest_answers_in_one_html_file(page: Path) -> None:
    done = _run("suggest", page, "--title", "Wolf", "--lang", "en", "--format", "html")
    assert done.stdout.startswith("<!doctype html>")
    assert "<mark>wolf</mark>" in done.stdout


def test_the_target_can_be_a_file_and_the_address_leads_there(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "dog.html").write_text("<html lang=en><p>The dog descends from the wolf.", encoding="utf-8")
    (tmp_path / "wolf.html").write_text("<h1>Wolf</h1><p>It howls.", encoding="utf-8")
    done = _run("suggest", tmp_path / "a" / "dog.html", "--target", tmp_path / "wolf.html", "--format", "json")
    answer = json.loads(done.stdout)
    assert answer["target"]["lead"] == "It howls."
    assert answer["places"][0]["edit"]["link"] == '<a href="../wolf.html" title="Wolf">wolf</a>'


def test_a_target_with_a_slug_is_linked_by_it(tmp_path: Path) -> None:
    page, target = tmp_path / "page.md", tmp_path / "cors.md"
    page.write_text("See [that](/en-US/docs/Web/API). It needs CORS.", encoding="utf-8")
    target.write_text("---\ntitle: CORS\nslug: Glossary/CORS\n---\n\nIt is a system.", encoding="utf-8")
    done = _run("suggest", page, "--target", target, "--lang", "en", "--format", "json")
    assert json.loads(done.stdout)["places"][0]["edit"]["link"] == "[CORS](/en-US/docs/Glossary/CORS)"


def test_a_page_comes_from_standard_input() -> None:
    arguments = ("suggest", "-", "--markup", "markdown", "--lang", "en", "--title", "Wolf", "--format", "json")
    done = _run(*arguments, standard_input=b"A wolf howls.")
    assert json.loads(done.stdout)["places"][0]["words"]["text"] == "wolf"


def test_mentions_can_be_given_several_times(page: Path) -> None:
    arguments = ("--mention", "bones", "--mention", "meat", "--ranker", "string-match", "--format", "json")
    done = _run("suggest", page, "--lang", "en", *arguments)
    words = {place["words"]["text"] for place in json.loads(done.stdout)["places"] if place["words"]}
    assert words == {"bones", "meat"}


def test_bad_input_gets_one_line_and_exit_code_1(page: Path, tmp_path: Path) -> None:
    wolf = ("--title", "Wolf")
    empty, binary, text = tmp_path / "e.md", tmp_path / "b.html", tmp_path / "t.txt"
    empty.write_bytes(b"")
    binary.write_bytes(b"\x7fELF\x00\x01\xff")
    text.write_bytes(b"Hello.")
    assert "does not say its language; name it, for instance: --lang sw" in _refusal("suggest", page, *wolf)
    assert "is not a language tag" in _refusal("suggest", page, *wolf, "--lang", "??")
    assert "is empty" in _refusal("suggest", empty, *wolf)
    assert "is not text" in _refusal("suggest", binary, *wolf)
    assert "does not end in .html" in _refusal("suggest", text, *wolf)
    assert "cannot be read" in _refusal("suggest", tmp_path / "none.md", *wolf)
    assert "the target has no text" in _refusal("suggest", page, "--lang", "en", "--title", " ")
    assert "no ranker is called 'x'" in _refusal("suggest", page, *wolf, "--lang", "en", "--ranker", "x")
    assert "needs its --markup" in _refusal("suggest", "-", *wolf)
    assert "standard input is empty" in _refusal("suggest", "-", *wolf, "--markup", "html")


def test_wrong_usage_ends_with_2(page: Path) -> None:
    for arguments in (["suggest"], ["suggest", page, "--top", "0"], ["suggest", page, "--markup", "rtf"], ["nonsense"]):
        done = _run(*arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


def test_a_page_without_prose_is_answered(tmp_path: Path) -> None:
    file = tmp_path / "t.html"
    file.write_text("<html lang=en><table><tr><td>wolf</table>", encoding="utf-8")
    done = _run("suggest", file, "--title", "Wolf")
    assert done.returncode == 0
    assert "This page has no prose to link from." in done.stdout


def test_every_command_explains_itself() -> None:
    assert all(command in _run("--help").stdout for command in ("suggest", "rankers", "demo"))
    for command in ("suggest", "rankers", "demo"):
        done = _run(command, "--help")
        assert done.returncode == 0
        assert "Usage:" in done.stdout
    assert _run("suggest", "--help").stdout.count("By default") == 3


def test_rankers_lists_the_table() -> None:
    listed = _run("rankers").stdout
    assert all(name in listed for name in ("random", "string-match", "bm25", "(default)"))


def test_the_demo_answers_in_three_languages() -> None:
    done = _run("demo")
    assert done.returncode == 0
    assert all(f"belong in “{title}”" in done.stdout for title in ("Dhow", "Mji Mkongwe", "緑茶"))
    assert done.stdout.count("#1 ") >= 3


_HEAVY = ("bm25s", "linkspot.answers", "linkspot.parsing", "mwparserfromhell", "numpy", "selectolax", "sentencex")
_HELP = f"""
import runpy, sys
sys.argv = ["linkspot", "--help"]
try:
    runpy.run_module("linkspot.cli", run_name="__main__")
except SystemExit:
    print([name for name in {_HEAVY} if name in sys.modules])
"""


def test_help_imports_no_parser_and_no_ranker() -> None:
    done = subprocess.run([sys.executable, "-c", _HELP], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"
