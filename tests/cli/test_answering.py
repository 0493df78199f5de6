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
    done = _run("suggest", page, "--title", "Wolf", "--lang", "en", "--ranker", "bm25")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Where does “Wolf” belong in “Dog”?" in done.stdout
    assert "link these words" in done.stdout
    assert "the [wolf]." in done.stdout
    assert "[[wolf]]" in done.stdout
    assert "\x1b" not in done.stdout


def test_the_answer_has_colour_where_colour_is_wanted(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    done = _run("suggest", page, "--title", "Wolf", "--lang", "en", "--ranker", "bm25")
    assert "\x1b[1m" in done.stdout


def test_suggest_answers_in_json(page: Path) -> None:
    flags = ("--lang", "en", "--ranker", "bm25", "--format", "json", "--top", "1")
    done = _run("suggest", page, "--title", "Wolf", *flags)
    answer = json.loads(done.stdout)
    assert [place["edit"]["link"] for place in answer["places"]] == ["[[wolf]]"]


def test_suggest_answers_in_one_html_file(page: Path) -> None:
    done = _run("suggest", page, "--title", "Wolf", "--lang", "en", "--ranker", "bm25", "--format", "html")
    assert done.stdout.startswith("<!doctype html>")
    assert "<mark>wolf</mark>" in done.stdout


def test_the_model_that_comes_with_linkspot_answers_in_every_format(page: Path) -> None:
    question = ("suggest", page, "--title", "Wolf", "--lang", "en", "--anyway", "--top", "3", "--format")
    text, page_of_answer = _run(*question, "text"), _run(*question, "html")
    assert (text.returncode, text.stderr) == (0, "")
    assert "ranker linkspot" in text.stdout
    assert "#3 " in text.stdout
    assert "%" in text.stdout
    assert "ranker linkspot" in page_of_answer.stdout
    assert page_of_answer.stdout.count("class=badge") == 3
    answer = json.loads(_run(*question, "json").stdout)
    assert answer["ranker"] == "linkspot"
    assert 0 < answer["nowhere_probability"] < 1
    assert all(0 < place["probability"] < 1 for place in answer["places"])


def test_a_link_that_belongs_nowhere_can_be_placed_anyway(page: Path) -> None:
    question = ("suggest", page, "--title", "Zoroaster", "--lang", "en", "--ranker", "bm25")
    assert "#1 " not in _run(*question).stdout
    anyway = _run(*question, "--anyway", "--top", "2").stdout
    assert "#2 " in anyway
    assert "Nowhere: nothing in this page fits “Zoroaster”." in anyway


def test_the_target_can_be_a_file_and_the_address_leads_there(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "dog.html").write_text("<html lang=en><p>The dog descends from the wolf.", encoding="utf-8")
    (tmp_path / "wolf.html").write_text("<h1>Wolf</h1><p>It howls.", encoding="utf-8")
    files = (tmp_path / "a" / "dog.html", "--target", tmp_path / "wolf.html")
    done = _run("suggest", *files, "--ranker", "bm25", "--format", "json")
    answer = json.loads(done.stdout)
    assert answer["target"]["lead"] == "It howls."
    assert answer["places"][0]["edit"]["link"] == '<a href="../wolf.html" title="Wolf">wolf</a>'


def test_a_target_with_a_slug_is_linked_by_it(tmp_path: Path) -> None:
    page, target = tmp_path / "page.md", tmp_path / "cors.md"
    page.write_text("See [that](/en-US/docs/Web/API). It needs CORS.", encoding="utf-8")
    target.write_text("---\ntitle: CORS\nslug: Glossary/CORS\n---\n\nIt is a system.", encoding="utf-8")
    done = _run("suggest", page, "--target", target, "--lang", "en", "--ranker", "bm25", "--format", "json")
    assert json.loads(done.stdout)["places"][0]["edit"]["link"] == "[CORS](/en-US/docs/Glossary/CORS)"


def test_a_page_comes_from_standard_input() -> None:
    arguments = ("suggest", "-", "--markup", "markdown", "--lang", "en", "--title", "Wolf", "--ranker", "bm25")
    done = _run(*arguments, "--format", "json", standard_input=b"A wolf howls.")
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
    short = tmp_path / "Rex.wiki"
    short.write_text("Rex barks.", encoding="utf-8")
    assert "does not say its language; name it, for instance: --lang sw" in _refusal("suggest", short, *wolf)
    assert "is not a language tag" in _refusal("suggest", page, *wolf, "--lang", "??")
    assert "is empty" in _refusal("suggest", empty, *wolf)
    assert "is not text" in _refusal("suggest", binary, *wolf)
    assert "does not end in .html" in _refusal("suggest", text, *wolf)
    assert "cannot be read" in _refusal("suggest", tmp_path / "none.md", *wolf)
    assert "the target has no text" in _refusal("suggest", page, "--lang", "en", "--title", " ")
    assert "no ranker is called 'x'" in _refusal("suggest", page, *wolf, "--lang", "en", "--ranker", "x")
    assert "needs its --markup" in _refusal("suggest", "-", *wolf)
    assert "standard input is empty" in _refusal("suggest", "-", *wolf, "--markup", "html")


def test_an_unknown_markup_is_refused_with_those_that_are_known(page: Path) -> None:
    done = _run("suggest", page, "--markup", "rtf", "--title", "Cat")
    assert done.returncode == 1
    assert done.stderr == "linkspot: no markup is called 'rtf'; there are: html, wikitext, markdown\n"


def test_wrong_usage_ends_with_2(page: Path) -> None:
    for arguments in (["suggest"], ["suggest", page, "--top", "0"], ["nonsense"]):
        done = _run(*arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


def test_a_page_without_prose_is_answered(tmp_path: Path) -> None:
    file = tmp_path / "t.html"
    file.write_text("<html lang=en><table><tr><td>wolf</table>", encoding="utf-8")
    done = _run("suggest", file, "--title", "Wolf")
    assert done.returncode == 0
    assert "Nowhere: this page has no prose to link from." in done.stdout


def test_every_command_explains_itself() -> None:
    assert all(command in _run("--help").stdout for command in ("suggest", "rankers", "demo"))
    for command in ("suggest", "rankers", "demo"):
        done = _run(command, "--help")
        assert done.returncode == 0
        assert "Usage:" in done.stdout


def test_rankers_lists_the_table() -> None:
    listed = _run("rankers").stdout
    assert all(name in listed for name in ("random", "string-match", "bm25"))
    first, _, others = listed.partition("random")
    assert first.startswith("linkspot ")
    assert "(default)" in first
    assert "(default)" not in others


def test_the_demo_answers_in_three_languages() -> None:
    done = _run("demo")
    assert done.returncode == 0
    assert all(f"belong in “{title}”" in done.stdout for title in ("Dhow", "Mji Mkongwe", "緑茶"))
    assert done.stdout.count("ranker") == done.stdout.count("linkspot") == 3
    assert "[karafuu]" in done.stdout  # the words are there
    assert "From November to March it blows" in done.stdout.replace("\n    ", "")  # and here they are not


# What only other commands need; and of those that `suggest` needs, what `--help` does not.
_FOREIGN = (
    "bm25s",
    "duckdb",
    "httpx2",
    "ibis",
    "lxml",
    "matplotlib",
    "onnx",
    "pandas",
    "pyarrow",
    "torch",
    "transformers",
)
_PARSERS = ("linkspot.parsing.html", "linkspot.parsing.markdown", "linkspot.parsing.wikitext")  # not the table of names
_HEAVY = ("linkspot.answers", *_PARSERS, "mwparserfromhell", "numpy", "onnxruntime", "selectolax", "sentencex")
_AFTERWARDS = """
import runpy, sys
try:
    runpy.run_module("linkspot.cli", run_name="__main__")
except SystemExit:
    {program}
"""


def _afterwards(program: str, *arguments: str | Path) -> str:
    """Run a command, and return what a line of Python prints in the same process when it is over."""
    command = [sys.executable, "-c", _AFTERWARDS.format(program=program), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()[-1]


def test_help_imports_no_parser_and_no_ranker() -> None:
    assert _afterwards(f"print([name for name in {_HEAVY + _FOREIGN} if name in sys.modules])", "--help") == "[]"


def test_an_answer_imports_nothing_that_only_other_commands_need(page: Path) -> None:
    program = f"print([name for name in {_FOREIGN} if name in sys.modules])"
    assert _afterwards(program, "suggest", page, "--title", "Wolf", "--lang", "en") == "[]"


@pytest.mark.skipif(sys.platform != "linux", reason="the most memory of a process is told by Linux's /proc")
def test_an_answer_fits_into_half_a_gigabyte(page: Path) -> None:
    program = "print(*[line.strip() for line in open('/proc/self/status') if line.startswith('VmHWM')])"
    _, kilobytes, _ = _afterwards(program, "suggest", page, "--title", "Wolf", "--lang", "en").split()
    assert 100_000 < int(kilobytes) < 488_000  # of 1,024 bytes


def test_a_translation_of_the_page_is_read_for_where_it_has_the_link(page: Path, tmp_path: Path) -> None:
    german = tmp_path / "Hund.md"
    german.write_text("---\nlang: de\n---\n\nDer Hund stammt vom [Wolf](Wolf.md) ab.", encoding="utf-8")
    done = _run("suggest", page, "--title", "Wolf", "--lang", "en", "--translation", german)
    assert (done.returncode, done.stderr) == (0, "")
    assert "In de, this page links it in Hund: “Der Hund stammt vom Wolf ab.”" in done.stdout


def test_a_translation_may_be_named_with_its_language(page: Path, tmp_path: Path) -> None:
    german = tmp_path / "Hund.wiki"
    german.write_text("Der Hund stammt vom [[Wolf]] ab.", encoding="utf-8")
    done = _run("suggest", page, "--title", "Wolf", "--lang", "en", "--ranker", "bm25", "--translation", f"de={german}")
    assert "In de, this page links it in Hund: “Der Hund stammt vom Wolf ab.”" in done.stdout


def test_a_translation_that_is_missing_or_comes_from_standard_input_is_refused(page: Path, tmp_path: Path) -> None:
    flags = ("--title", "Wolf", "--lang", "en", "--translation")
    assert "no such file or directory" in _refusal("suggest", page, *flags, tmp_path / "none.wiki")
    assert "a translation cannot come from standard input" in _refusal("suggest", page, *flags, "-")
