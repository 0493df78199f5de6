"""`linkspot suggest --write` and `--diff`: one link more in the file, and every other byte as it was."""

import codecs
import stat
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from linkspot.cli.program import app
from linkspot.errors import LinkspotError

PAGE = "The dog descends from the wolf.\n\n== Diet ==\nDogs eat meat. They chew bones."


def _suggest(*arguments: str | Path, title: str = "Wolf", standard_input: bytes = b"") -> Result:
    words = ["suggest", *map(str, arguments), "--title", title, "--lang", "en", "--ranker", "bm25"]
    return CliRunner().invoke(app, words, input=standard_input)


def _refusal(*arguments: str | Path, title: str = "Wolf") -> str:
    """Return the one line of an error after which nothing is printed."""
    done = _suggest(*arguments, title=title)
    assert isinstance(done.exception, LinkspotError), done.output
    assert (done.stdout, str(done.exception).count("\n")) == ("", 0)
    return str(done.exception)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)  # pytest-xdist sets it, and then lines are wrapped
    file = Path("Dog.wiki")
    file.write_text(PAGE, encoding="utf-8")
    return file


def test_write_makes_the_edit_and_says_so_in_one_line(page: Path) -> None:
    done = _suggest(page, "--write")
    assert (done.exit_code, done.stdout) == (0, "wrote Dog.wiki: [[wolf]] in line 1\n")
    assert page.read_text(encoding="utf-8") == PAGE.replace("wolf", "[[wolf]]")
    assert [path.name for path in Path().iterdir()] == ["Dog.wiki"]  # no temporary file is left


HTML = '<html lang="en"><meta charset="{charset}">\r\n<p>A café wolf.</p>\r\n<p>Naïve.'
FILES = {
    "utf-8": HTML.format(charset="utf-8").encode(),
    "windows line ends and no final newline": HTML.format(charset="utf-8").encode(),
    "a byte order mark": codecs.BOM_UTF8 + HTML.format(charset="utf-8").encode(),
    "utf-16": codecs.BOM_UTF16_LE + HTML.format(charset="utf-16").encode("utf-16-le"),
    "big-endian utf-16": codecs.BOM_UTF16_BE + HTML.format(charset="utf-16").encode("utf-16-be"),
    "latin-1": HTML.format(charset="iso-8859-1").encode("latin-1"),
}


@pytest.mark.parametrize("name", FILES)
def test_every_other_byte_stays(name: str, tmp_path: Path) -> None:
    file, data = tmp_path / "a.html", FILES[name]
    file.write_bytes(data)
    assert _suggest(file, "--write").exit_code == 0
    encoding = {"utf-16": "utf-16-le", "big-endian utf-16": "utf-16-be", "latin-1": "latin-1"}.get(name, "utf-8")
    link = '<a href="./Wolf" title="Wolf">wolf</a>'
    assert file.read_bytes() == data.replace("wolf".encode(encoding), link.encode(encoding))


def test_a_link_that_the_encoding_of_the_file_lacks_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(FILES["latin-1"])
    arguments = (file, "--mention", "wolf", "--write")
    assert "is written in ISO-8859-1, which has no '狼'; convert it to UTF-8" in _refusal(*arguments, title="狼")
    assert file.read_bytes() == FILES["latin-1"]


def test_the_mode_of_the_file_stays(page: Path) -> None:
    page.chmod(0o640)
    _suggest(page, "--write")
    assert stat.S_IMODE(page.stat().st_mode) == 0o640


def test_what_cannot_be_written_is_refused(page: Path) -> None:
    link = Path("link.wiki")
    link.symlink_to(page)
    assert "it is a symbolic link; name the file that it leads to; nothing was" in _refusal(link, "--write")
    page.chmod(0o444)
    assert "Dog.wiki cannot be written: it is write-protected; nothing was changed" in _refusal(page, "--write")
    assert page.read_text(encoding="utf-8") == PAGE
    assert "--write needs a file to write to" in _refusal("-", "--markup", "wikitext", "--write")


def test_options_that_exclude_each_other_are_refused(page: Path) -> None:
    assert "choose one of them" in _refusal(page, "--write", "--diff")
    assert "add --write or --diff" in _refusal(page, "--place", "2")
    assert "add --write or --diff" in _refusal(page, "--text", "A [[wolf]].")
    assert "leave out --format" in _refusal(page, "--diff", "--format", "json")


@pytest.mark.parametrize(("title", "reason"), [("Zoroaster", "Nowhere: "), ("Meat", "Already linked: ")])
def test_an_answer_without_a_place_writes_nothing_and_is_no_error(page: Path, title: str, reason: str) -> None:
    text = PAGE.replace("meat", "[[meat]]")
    page.write_text(text, encoding="utf-8")
    done = _suggest(page, "--write", title=title)
    assert done.exit_code == 0
    assert done.stdout.startswith(f"nothing to edit. {reason}")
    assert page.read_text(encoding="utf-8") == text
    diff = _suggest(page, "--diff", title=title)
    assert (diff.exit_code, diff.stdout) == (0, "")
    assert diff.stderr.startswith(f"linkspot: nothing to edit. {reason}")


def test_a_place_and_a_text_can_be_chosen(page: Path) -> None:
    flags = ("--anyway", "--mention", "cow", "--place", "2")
    assert "Only you can write it" in _refusal(page, *flags, "--write", title="Cattle")
    done = _suggest(page, *flags, "--write", "--text", "Some eat [[cattle]].", title="Cattle")
    assert done.stdout == "wrote Dog.wiki: [[cattle]] in line 4\n"
    assert page.read_text(encoding="utf-8") == PAGE.replace("meat.", "meat. Some eat [[cattle]].")


@pytest.mark.parametrize("command", [["git", "apply"], ["patch", "-p1"]], ids=" ".join)
@pytest.mark.parametrize("name", [name for name in FILES if "16" not in name])
@pytest.mark.usefixtures("page")
def test_a_diff_of_a_file_is_taken_by_git_and_patch(name: str, command: list[str]) -> None:
    file = Path("docs/Straße nach 緑茶.html")
    file.parent.mkdir()
    for path in (file, Path("copy.html")):
        path.write_bytes(FILES[name])
    done = _suggest(file, "--diff")
    assert (done.exit_code, done.stderr) == (0, "")
    subprocess.run(command, input=done.stdout_bytes, check=True, capture_output=True)
    assert _suggest("copy.html", "--write").exit_code == 0
    assert file.read_bytes() == Path("copy.html").read_bytes() != FILES[name]


@pytest.mark.usefixtures("page")
def test_a_diff_names_a_file_elsewhere_by_its_name_and_one_below_by_its_path(tmp_path: Path) -> None:
    other = tmp_path.parent / f"{tmp_path.name}.wiki"
    other.write_text(PAGE, encoding="utf-8")
    assert f"--- a/{other.name}\n" in _suggest(other, "--diff").stdout
    assert "--- a/Dog.wiki\n" in _suggest(tmp_path / "Dog.wiki", "--diff").stdout


def test_a_diff_of_standard_input_and_of_utf16(tmp_path: Path) -> None:
    done = _suggest("-", "--markup", "markdown", "--diff", standard_input=b"A wolf howls.")
    assert done.stdout.startswith("--- a/page.md\n+++ b/page.md\n@@ -1,1 +1,1 @@\n-A wolf howls.\n\\ No newline")
    file = tmp_path / "a.html"
    file.write_bytes(FILES["utf-16"])
    assert "diffs are for other encodings; use --write" in _refusal(file, "--diff")


def test_lines_are_wrapped_only_for_a_terminal_or_where_columns_are_given(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.write_text("The dog, " + "which is old and tame, " * 20 + "descends from the wolf.", encoding="utf-8")
    assert max(map(len, _suggest(page).stdout.splitlines())) > 400
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, _suggest(page).stdout.splitlines())) <= 60


def test_an_answer_shows_the_sentence_before_and_after_and_where_it_is(page: Path) -> None:
    page.write_text("\n\nThe dog [[live]]s.\nIt is of the '''wolf''' " + "and more " * 30 + "so.", encoding="utf-8")
    shown = _suggest(page).stdout
    assert "line 4, column 14, at 34–44\n" in shown
    assert "      - It is of the '''wolf''' and more and more" in shown
    assert "      + It is of the [[Wolf|'''wolf''']] and more and more" in shown
    assert " … and more and more so.\n" in shown.partition("      + ")[2]
