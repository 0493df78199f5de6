"""The documents show code; here it is run, and its output compared."""

import pkgutil
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from docs.code_blocks import (
    SHELL,
    WrongDocument,
    agree,
    blocks,
    check,
    check_command,
    check_imports,
    commands,
    run_shell,
)
from docs.site_pages import relinked

import linkspot

PROJECT = Path(__file__).parent.parent
TUTORIALS = sorted((PROJECT / "docs" / "tutorials").glob("*.md"))
OTHERS = sorted(
    {PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *(PROJECT / "docs").rglob("*.md")} - set(TUTORIALS)
)
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
ENTRY_POINTS = {"linkspot.rankers", "linkspot.corpora", "linkspot.markups", "linkspot.json"}


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_runs_from_its_first_line_to_its_last(path: Path, tmp_path: Path) -> None:
    check(path, tmp_path, runs_shell=True)


@pytest.fixture(scope="session")
def small_wiki(trees: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables, the dataset and the evaluation that the guides speak of, made of a few pages."""
    folder = tmp_path_factory.mktemp("guides")
    for name, made in {"nlwiki": "trees", "nlwiki-edits": "edits", "nlwiki-dataset": "dataset"}.items():
        shutil.copytree(trees.parent / made, folder / name)
    run_shell("linkspot evaluate nlwiki-dataset --split validation --ranker bm25 --ranker random --out results", folder)
    return folder


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_python_in_a_guide_runs_and_its_commands_exist(path: Path, small_wiki: Path) -> None:
    check(path, small_wiki, runs_shell=False)


def test_a_block_that_is_not_run_says_why() -> None:
    [block] = blocks("<!-- not run: it needs a dump -->\n```sh\nlinkspot index dump.xml --out tables\n```\n")
    assert block.why_not_run == "it needs a dump"


def test_most_code_of_the_tutorials_is_run() -> None:
    shown = [block for path in TUTORIALS for block in blocks(path.read_text(encoding="utf-8"))]
    assert sum(1 for block in shown if block.why_not_run) < len(shown) / 3


def test_an_output_belongs_to_the_code_right_before_it() -> None:
    first, second = blocks("```python\nprint(1)\n```\n\n```text\n1\n```\n\nWords.\n\n```python\nx = 1\n```\n")
    assert (first.output, second.output) == ("1\n", None)


def test_code_that_prints_something_else_than_shown_is_found(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text("```python\nprint(2)\n```\n\n```text\n1\n```\n", encoding="utf-8")
    with pytest.raises(WrongDocument, match=r"page\.md, line 1: the document shows\n1"):
        check(document, tmp_path, runs_shell=True)


def test_percentages_may_differ_by_a_few_points_and_nothing_else_may() -> None:
    assert agree("#1  Voyages  12%\n", "#1  Voyages  14%")
    assert not agree("#1  Voyages  12%\n", "#1  Voyages  19%")
    assert not agree("at 12\n", "at 13\n")


def test_figures_of_the_model_may_differ_a_little_and_those_of_other_rankers_may_not() -> None:
    table = "ranker    MRR\nbm25      .567 ±.156\nlinkspot  .630 ±.130\n"
    assert agree(table, table.replace(".630 ±.130", ".634 ±.120"))
    assert agree(table, table.replace(".630 ±.130", ".634 ±.290"))  # margins of so few queries say little
    assert not agree(table, table.replace(".630", ".750"))
    assert not agree(table, table.replace(".567", ".568"))
    assert not agree(table, table.replace(".630 ±.130", ".630"))
    assert not agree(table, table + "linkspot  .630 ±.130\n")


def test_commands_are_found_behind_pipes_and_over_several_lines() -> None:
    code = (
        "curl -s x | linkspot suggest - --title A > a.html   # words\nlinkspot index a \\\n    --out b\ncat linkspot\n"
    )
    assert list(commands(code)) == [["suggest", "-", "--title", "A"], ["index", "a", "--out", "b"]]


@pytest.mark.parametrize("arguments", [["sugest", "page.md"], ["suggest", "page.md", "--no-such-option"], []])
def test_a_command_or_option_that_linkspot_lacks_is_found(arguments: list[str]) -> None:
    with pytest.raises(Exception, match=r"no command|[Nn]o such option"):
        check_command(arguments)


def test_imports_are_checked_where_code_is_not_run() -> None:
    check_imports("from linkspot import suggest\nsuggest(nothing)")
    with pytest.raises(ImportError):
        check_imports("from linkspot.answers import no_such_name")


def test_every_shell_block_is_marked_as_sh() -> None:
    for path in [*TUTORIALS, *OTHERS]:
        text = path.read_text(encoding="utf-8")
        shell = sum(block.code.count("linkspot ") for block in blocks(text) if block.language == SHELL)
        assert shell or "```\nlinkspot" not in text, path.name


def test_links_lead_to_the_pages_of_the_site() -> None:
    text = (
        "[a](../bench/RESULTS.md#x) [b](training.md) [c](https://example.org) [d](../LICENSE)\n```sh\n[e](../x)\n```\n"
    )
    assert relinked(text, "docs/evaluation.md", "evaluation.md") == (
        "[a](results.md#x) [b](training.md) [c](https://example.org) d\n```sh\n[e](../x)\n```\n"
    )
    assert relinked("[a](docs/json.md)", "CHANGELOG.md", "changelog.md") == "[a](json.md)"


def test_every_public_name_has_its_place_in_the_documents() -> None:
    reference = (PROJECT / "docs" / "python.md").read_text(encoding="utf-8")
    assert [name for name in linkspot.__all__ if f"::: linkspot.{name}\n" not in reference] == []


def test_files_and_modules_that_the_documents_name_exist() -> None:
    for path in {*TUTORIALS, *OTHERS} - {PROJECT / "CHANGELOG.md"}:
        prose = FENCED.sub("", path.read_text(encoding="utf-8"))
        files = re.findall(r"`((?:src|tests|scripts|bench|docs)/[\w./-]+)`", prose)
        assert [file for file in files if not (PROJECT / file).exists()] == [], path.name
        modules = {module for module in re.findall(r"`(linkspot(?:\.\w+)+)", prose) if module not in ENTRY_POINTS}
        for module in modules:
            pkgutil.resolve_name(module)


def test_the_pictures_show_what_linkspot_answers_now(tmp_path: Path) -> None:
    from docs.make_pictures import DOCS, answers, draw_terminal, tutorial_answer

    draw_terminal(answers(), tmp_path / "answer.svg")
    (tmp_path / "web-answer.html").write_text(tutorial_answer().to_html(), encoding="utf-8")
    for name in ("answer.svg", "web-answer.html"):
        shown, drawn = (
            " ".join(re.sub(r"<style>.*?</style>|<[^>]*>", " ", (folder / name).read_text("utf-8"), flags=re.S).split())
            for folder in (DOCS, tmp_path)
        )
        assert agree(shown, drawn), f"{name} is old; draw it again with: python -m docs.make_pictures"


def test_the_bars_show_every_ranker_of_the_benchmark() -> None:
    from docs.make_pictures import benchmark

    figures = benchmark()
    assert {"Random", "String Match", "BM25", "Similarity", "linkspot"} <= set(figures)
    assert all(len(values) == 3 for values in figures.values())


def test_contributing_shows_every_room_and_the_layers_as_they_are() -> None:
    guide = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    assert "```\n" + "\n".join(layers) + "\n```" in guide
    rooms = {part.strip() for layer in layers for part in layer.split("|")}
    table = "\n".join(line.partition(" | ")[0] for line in guide.splitlines() if line.startswith("| `"))
    assert [room for room in rooms if f"`{room}/`" not in table and f"`{room}.py`" not in table] == []
