"""A package that brings its own ranker, markup and kind of corpus is installed for real, and used in the shell."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.conftest import PROJECT

EXAMPLE = PROJECT / "tests" / "example_plugin"
PAGE = "Rain falls. Trains stop at every signal until the line ahead of them is clear. Cars drive by."


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip installed the example package."""
    folder = tmp_path_factory.mktemp("installed")
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", str(folder))
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(EXAMPLE)], check=True)
    return folder


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(f"# Rail\n\n{PAGE}\n", encoding="utf-8")
    return path


def linkspot(installed: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run linkspot where the example package is installed beside it."""
    folders = (installed, PROJECT / "src")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders)), "COLUMNS": "200"}
    command = [sys.executable, "-m", "linkspot.cli", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def best_sentence(installed: Path, page: Path, ranker: str) -> str:
    options = ("--title", "Signal", "--lang", "en", "--ranker", ranker, "--format", "json")
    answered = linkspot(installed, "suggest", page, *options)
    assert answered.returncode == 0, answered.stderr
    answer = json.loads(answered.stdout)
    assert answer["ranker"] == ranker
    text: str = answer["places"][0]["sentence"]["text"]
    return text


def test_a_ranker_of_another_package_is_listed_with_what_brings_it(installed: Path) -> None:
    listed = linkspot(installed, "rankers").stdout
    (line,) = (line for line in listed.splitlines() if line.startswith("longest "))
    assert "prefers the longest sentence (linkspot-example 1.2.3)" in line
    assert "longest" not in linkspot(PROJECT / "src", "rankers").stdout  # where it is not installed


def test_a_ranker_of_another_package_answers(installed: Path, page: Path) -> None:
    assert best_sentence(installed, page, "longest").startswith("Trains stop")


def test_it_gets_what_stands_behind_its_name(installed: Path, page: Path) -> None:
    assert best_sentence(installed, page, "longest:13") == "Cars drive by."


@pytest.mark.parametrize("ranker", ["cascade:bm25,2,longest", "without-precedents:longest"])
def test_it_works_inside_other_rankers(installed: Path, page: Path, ranker: str) -> None:
    assert best_sentence(installed, page, ranker).startswith("Trains stop")


def test_a_plug_in_that_cannot_be_imported_is_named_with_what_to_do(installed: Path, page: Path) -> None:
    answered = linkspot(installed, "suggest", page, "--title", "Signal", "--lang", "en", "--ranker", "broken")
    assert answered.returncode == 1
    assert "linkspot-example registers broken as linkspot_example.missing:Ranker" in answered.stderr
    assert "Traceback" not in answered.stderr


def test_stored_rankings_know_the_version_of_the_package(installed: Path) -> None:
    program = "from linkspot.ranking.fingerprint import fingerprint; print(fingerprint('cascade:bm25,2,longest:13'))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(installed), str(PROJECT / "src")))}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("cascade:bm25,2,longest:13 (linkspot-example 1.2.3) (linkspot ")


def test_listing_rankers_imports_no_library_that_runs_models_and_nothing_of_plug_ins(installed: Path) -> None:
    program = """
import sys
from linkspot.cli import main
sys.argv = ["linkspot", "rankers"]
try:
    main()
finally:
    heavy = {"torch", "transformers", "onnxruntime", "numpy", "pyarrow", "linkspot_example"}
    print(sorted(heavy & sys.modules.keys()), file=sys.stderr)
"""
    folders = os.pathsep.join((str(installed), str(PROJECT / "src")))
    environment = {**os.environ, "PYTHONPATH": folders}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1] == "[]"
    assert "longest" in ran.stdout


def test_a_page_in_a_markup_of_another_package_is_edited_as_it_writes_links(installed: Path, tmp_path: Path) -> None:
    page = tmp_path / "Train.note"
    page.write_text("Rain falls.\nA train stops at every signal of the <<line -> Railway>>.\n", encoding="utf-8")
    options = ("--title", "Signal", "--lang", "en", "--ranker", "bm25", "--format", "json")
    answered = linkspot(installed, "suggest", page, *options)
    assert answered.returncode == 0, answered.stderr
    answer = json.loads(answered.stdout)
    assert (answer["page"]["title"], answer["page"]["markup"]) == ("Train", "note")
    best = answer["places"][0]
    assert best["action"] == "link_words"
    text, source = page.read_text(encoding="utf-8"), best["edit"]["source"]
    edited = text[: source["start"]] + best["edit"]["link"] + text[source["end"] :]
    assert edited == text.replace("signal", "<<signal -> Signal>>")


def test_links_with_the_ending_of_another_package_lead_to_pages_and_new_links_get_it(
    installed: Path, tmp_path: Path
) -> None:
    page = tmp_path / "Line.md"
    page.write_text("A [train](Train.sheet) stops at every signal.\n", encoding="utf-8")
    options = ("--lang", "en", "--ranker", "bm25", "--format", "json")
    answered = linkspot(installed, "suggest", page, "--title", "Signal", *options)
    assert answered.returncode == 0, answered.stderr
    assert json.loads(answered.stdout)["places"][0]["edit"]["link"] == "[signal](Signal.sheet)"
    linked = json.loads(linkspot(installed, "suggest", page, "--title", "Train", *options).stdout)
    assert [link["mention"] for link in linked["existing_links"]] == ["train"]


def test_a_title_that_looks_like_a_file_is_read_even_if_a_package_is_broken(installed: Path, tmp_path: Path) -> None:
    broken = tmp_path / "torn-1.0.dist-info"
    broken.mkdir()
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: torn\nVersion: 1.0\n", encoding="utf-8")
    (broken / "entry_points.txt").write_text("[linkspot.markups]\ntorn = torn.missing:TORN\n", encoding="utf-8")
    program = """
from linkspot.links.titles import TitleRules
rules = TitleRules("en")
print([str(rules.normalise(name)) for name in ("Node.js", "rail/Train.sheet#Stops", "Train.note", "a/b.html")])
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (installed, tmp_path, PROJECT / "src")))}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout == "['Node.js', 'Train#Stops', 'Train.note', 'B']\n"


def test_a_markup_of_another_package_can_be_named_and_is_listed(installed: Path, tmp_path: Path) -> None:
    page = tmp_path / "Train.txt"
    page.write_text("A train stops at every signal.\n", encoding="utf-8")
    options = ("--title", "Signal", "--lang", "en", "--ranker", "bm25", "--format", "json")
    answered = linkspot(installed, "suggest", page, "--markup", "note", *options)
    assert "<<signal -> Signal>>" in answered.stdout
    refused = linkspot(installed, "suggest", page, "--markup", "rtf", *options)
    assert refused.stderr == "linkspot: no markup is called 'rtf'; there are: html, wikitext, markdown, note, sheet\n"


def test_a_corpus_of_another_package_is_recognised_and_indexed(installed: Path, tmp_path: Path) -> None:
    notes = {
        "Train": "A train is a vehicle. It stops at a <<red light -> Signal>>.",
        "Signal": "A signal stops a <<train -> Train>> in front of a <<red light -> Signal>>.",
        "Rain": "",
    }
    corpus, index = tmp_path / "rail.notebook", tmp_path / "index"
    corpus.write_text(json.dumps(notes), encoding="utf-8")
    indexed = linkspot(installed, "index", corpus, "--lang", "en", "--out", index)
    assert indexed.returncode == 0, indexed.stderr
    assert "an empty note" in indexed.stdout + indexed.stderr

    page = tmp_path / "Engine.note"
    page.write_text("An engine stops at a red light.\n", encoding="utf-8")
    options = ("--title", "Signal", "--index", index, "--lang", "en", "--ranker", "bm25", "--format", "json")
    answered = linkspot(installed, "suggest", page, *options)
    assert answered.returncode == 0, answered.stderr
    assert "<<red light -> Signal>>" in answered.stdout  # words that a note of the corpus links


def test_a_folder_of_pages_in_a_markup_of_another_package_is_indexed(installed: Path, tmp_path: Path) -> None:
    folder, index = tmp_path / "notes", tmp_path / "index"
    folder.mkdir()
    (folder / "Train.note").write_text("It stops at a <<red light -> Signal>>.", encoding="utf-8")
    (folder / "Signal.note").write_text("A signal stops a <<train -> Train>>.", encoding="utf-8")
    indexed = linkspot(installed, "index", folder, "--lang", "en", "--out", index)
    assert indexed.returncode == 0, indexed.stderr
    mentions = pq.read_table(index / "mentions").to_pylist()
    assert sorted(row["mention"] for row in mentions) == ["red light", "train"]


def test_a_corpus_can_be_named_by_the_kind_that_another_package_brings(installed: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "rail.json"
    corpus.write_text(json.dumps({"Train": "It stops at a <<red light -> Signal>>."}), encoding="utf-8")
    options = ("--lang", "en", "--out", tmp_path / "index")
    assert linkspot(installed, "index", corpus, "--kind", "notebook", *options).returncode == 0
    refused = linkspot(installed, "index", corpus, "--kind", "diary", *options)
    assert refused.stderr.startswith(
        "linkspot: no kind of corpus is called 'diary'; there are: notebook, mediawiki-xml"
    )
