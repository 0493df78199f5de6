"""A package that brings its own ranker is installed for real, and used through the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

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
