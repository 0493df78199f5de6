import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from tests.stored_evaluation import Query, Ranked, some_evaluation, write_evaluation

from linkspot.evaluation.compare import ComparisonOptions, compare
from linkspot.records import Scenario

SVG = "{http://www.w3.org/2000/svg}"
OPTIONS = ComparisonOptions(draws=99)


@pytest.fixture(scope="module")
def plots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plots")
    compare(some_evaluation(folder / "results"), folder / "out", OPTIONS)
    return folder / "out"


def _words(path: Path) -> list[str]:
    return [element.text for element in ElementTree.parse(path).iter(f"{SVG}text") if element.text]


def test_plots_are_not_blank(plots: Path) -> None:
    for path in plots.glob("*.png"):
        with Image.open(path) as image:
            image.load()
            assert len(image.getcolors(1 << 20) or []) > 10


def test_nothing_that_is_written_is_cut_off(plots: Path) -> None:
    for path in plots.glob("*.svg"):
        root = ElementTree.parse(path).getroot()
        _left, _top, width, height = map(float, str(root.get("viewBox")).split())
        for element in root.iter(f"{SVG}text"):
            moved = re.search(r"translate\(([\d.-]+) ([\d.-]+)\)", element.get("transform") or "")
            x, y = moved.groups() if moved else (str(element.get("x")), str(element.get("y")))
            assert 0 < float(x) < width, element.text
            assert 6 < float(y) < height - 1, element.text


def test_languages_have_bars_in_every_scenario_those_with_most_queries_on_top(plots: Path) -> None:
    words = _words(plots / "languages.svg")
    rows = [word.split()[0] for word in words if word.split()[0] in {"macro", "en", "ja", "sw"}]
    assert rows == ["macro", "en", "ja", "sw"]
    names = {"text present", "missing mention", "missing sentence", "missing span"}
    assert [word for word in words if word in names] == [
        "text present",
        "missing mention",
        "missing sentence",
        "missing span",
    ]
    assert [word for word in words if word in {"good", "fair", "twin"}] == ["good", "fair", "twin"]
    assert "Hits@1 by language and scenario" in words


def test_a_language_without_queries_of_a_scenario_is_told_from_one_that_scores_nothing(tmp_path: Path) -> None:
    queries = [
        Query("en", Scenario.TEXT_PRESENT, 2, (0,)),
        Query("en", Scenario.MISSING_SPAN, 2, (0,)),
        Query("sw", Scenario.TEXT_PRESENT, 2, (0,)),
    ]
    folder = write_evaluation(tmp_path / "results", queries, {"wrong": Ranked([[0.0, 1.0]] * 3)})
    compare(folder, tmp_path, OPTIONS)
    words = _words(tmp_path / "languages.svg")
    assert words.count("no queries") == 1
    assert "missing mention" not in words  # nobody has any of these


@pytest.mark.parametrize(
    ("name", "of", "stretch"),
    [("page_length", "candidates of the page", "21–50"), ("mentions", "known mentions of the target", "6–10")],
)
def test_lines_of_every_ranker_and_of_chance_go_over_stretches(plots: Path, name: str, of: str, stretch: str) -> None:
    words = _words(plots / f"{name}.svg")
    assert f"{of}; below, the number of queries" in words
    assert stretch in words
    assert {"Hits@1", "MRR"} <= set(words)
    assert [word for word in words if word in {"good", "fair", "twin", "chance"}] == ["good", "fair", "twin", "chance"]


def test_reliability_is_drawn_for_logits_alone_with_the_error(plots: Path) -> None:
    words = _words(plots / "calibration.svg")
    errors = [word for word in words if "ECE" in word]
    assert [word.split(",")[0] for word in errors] == ["good", "fair"] * 2
    assert all(word.rpartition("ECE .")[2].isdigit() for word in errors)
    assert {"probability that the best place is right", "probability that no place is right"} <= set(words)


def test_more_rankers_than_colours_can_be_told_apart(tmp_path: Path) -> None:
    queries = [Query("en", Scenario.TEXT_PRESENT, 2, (0,))] * 3
    rankers = {f"ranker-{number}": Ranked([[1.0, 0.0]] * 3, are_logits=True) for number in range(8)}
    compare(write_evaluation(tmp_path / "results", queries, rankers), tmp_path, OPTIONS)
    assert "stroke-dasharray" in (tmp_path / "page_length.svg").read_text()
    assert "<pattern" in (tmp_path / "languages.svg").read_text()
    assert [word for word in _words(tmp_path / "languages.svg") if word.startswith("ranker-")] == list(rankers)
