import re
import tracemalloc

from tests.conftest import PROJECT

from linkspot.parsing.namespaces import _names_in, split_namespace
from linkspot.remembering import remembered
from linkspot.text.words import bare, primary


def test_short_texts_are_asked_for_once_and_long_ones_again_and_again() -> None:
    asked = []

    @remembered(entries=2, longest=5)
    def doubled(text: str, other: str = "") -> str:
        asked.append(text)
        return 2 * (text + other)

    assert [doubled("ab"), doubled("ab"), doubled("ab", "c"), doubled("ab", "c")] == ["abab"] * 2 + ["abcabc"] * 2
    assert asked == ["ab", "ab"]
    assert doubled("abc", "def") == doubled("abc", "def") == "abcdefabcdef"
    assert asked[2:] == ["abc", "abc"]


def test_the_oldest_make_room() -> None:
    asked = []

    @remembered(entries=2, longest=5)
    def noted(text: str) -> None:
        asked.append(text)

    for text in "abcab":
        noted(text)
    assert asked == list("abcab")


def test_made_up_languages_and_long_texts_cost_no_memory() -> None:
    split_namespace("File:X", "en")
    tracemalloc.start()
    for number in range(100):
        tag = f"en-x{number}-{'a' * 8}"
        split_namespace("Datei:X", tag)
        primary(tag)
        bare("é" * 10_000 + f"字{number}", tag)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 500_000
    assert _names_in.cache_info().currsize < 400


# Their keys are few or of fixed size: processes, settings, dialects, languages, numbers of rows, entities of a dataset;
# or texts of a dataset, while it is made.
COUNTED = {
    "evaluation/evaluate.py",
    "evaluation/queries.py",
    "evaluation/strangers.py",
    "examples/dataset_reader.py",
    "examples/linked_example.py",
    "links/index.py",
    "parsing/markdown/page.py",
    "parsing/wikitext/link_trails.py",
    "pipeline/leaks.py",
    "ranking/neural.py",
    "remembering.py",
    "text/inflections.py",
}


def test_no_other_cache_counts_entries_instead_of_bytes() -> None:
    source = PROJECT / "src" / "linkspot"
    found = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if re.search(r"\blru_cache\b", path.read_text(encoding="utf-8").split('"""', 2)[2])
    }
    assert found == COUNTED
