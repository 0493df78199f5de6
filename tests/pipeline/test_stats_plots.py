import shutil
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from PIL import Image

from linkspot.errors import MissingExtra
from linkspot.pipeline.stats_counts import CandidateCounts, Command, LanguageCounts, ScenarioCounts, Statistics
from linkspot.pipeline.stats_plots import draw
from linkspot.records import Scenario

SVG = "{http://www.w3.org/2000/svg}"
LANGUAGES = "en es fr ru de it pl ca zh-tw zh-cn ko pt-br sr el ja nl cs sv fi hu tr uk vi bn".split()
BOTH = ((Path("wiki"), Command.INDEX), (Path("added"), Command.INSERTIONS))


def _scenarios(language: str, *counts: int) -> ScenarioCounts:
    return ScenarioCounts(language, dict(zip(Scenario, counts, strict=True)))


@pytest.fixture(scope="module")
def small() -> Statistics:
    """German has few insertions, English many, Swahili none and no articles with more than one candidate."""
    return Statistics(
        BOTH,
        (LanguageCounts("de", 20, 20, 50, 1, 4, 2), LanguageCounts("en", 4000, 4000, 90000, 7, 2000, 900)),
        LanguageCounts("total", 4020, 4020, 90050, 8, 2004, 902),
        (_scenarios("de", 1, 1, 1, 1, 0), _scenarios("en", 1500, 300, 189, 11, 0), _scenarios("sw", 0, 0, 0, 0, 0)),
        (
            CandidateCounts(Command.INDEX, "de", {1: 10, 30: 10}),
            CandidateCounts(Command.INDEX, "en", {5: 3000, 12: 800, 1400: 200}),
            CandidateCounts(Command.INDEX, "sw", {0: 3}),
            CandidateCounts(Command.INSERTIONS, "en", {0: 10, 7: 890}),
        ),
        (),
    )


@pytest.fixture(scope="module")
def large() -> Statistics:
    """Has 24 languages, of very different sizes."""
    sizes = [30_000 // (number + 1) ** 2 + 5 for number in range(len(LANGUAGES))]
    counts = zip(LANGUAGES, sizes, strict=True)
    return Statistics(
        BOTH,
        tuple(LanguageCounts(language, size, size, 3 * size, size // 9, size, size) for language, size in counts),
        LanguageCounts("total"),
        tuple(_scenarios(language, size, 1, size, 1, 9) for language, size in zip(LANGUAGES, sizes, strict=True)),
        tuple(
            CandidateCounts(Command.INSERTIONS, language, dict.fromkeys(range(1, 40 - len(language)), size))
            for language, size in zip(LANGUAGES, sizes, strict=True)
        ),
        (),
    )


@pytest.fixture(scope="module")
def small_plots(tmp_path_factory: pytest.TempPathFactory, small: Statistics) -> Path:
    folder = tmp_path_factory.mktemp("small")
    assert draw(small, folder) == ("languages", "scenarios", "candidates")
    return folder


@pytest.fixture(scope="module")
def large_plots(tmp_path_factory: pytest.TempPathFactory, large: Statistics) -> Path:
    folder = tmp_path_factory.mktemp("large")
    draw(large, folder)
    return folder


def _texts(path: Path) -> list[ElementTree.Element]:
    return [element for element in ElementTree.parse(path).iter(f"{SVG}text") if element.text]


def _words(path: Path) -> list[str]:
    return [element.text or "" for element in _texts(path)]


def test_every_plot_is_there_as_png_and_svg(small_plots: Path) -> None:
    assert sorted(path.name for path in small_plots.iterdir()) == [
        f"{name}.{ending}" for name in ("candidates", "languages", "scenarios") for ending in ("png", "svg")
    ]
    for path in small_plots.glob("*.png"):
        with Image.open(path) as image:
            image.load()
            assert len(image.getcolors(1 << 20) or []) > 10  # it is not blank


def test_pictures_have_the_size_that_their_languages_need(small_plots: Path, large_plots: Path) -> None:
    def size(path: Path) -> tuple[int, int]:
        with Image.open(path) as image:
            return image.size

    assert size(small_plots / "scenarios.png") == (1350, 423)  # 9 inches by 1.7 and four bars of 0.28, 150 dots each
    assert size(large_plots / "scenarios.png") == (1350, 1347)
    assert size(small_plots / "candidates.png") == (1920, 750)  # articles beside pages before insertions
    assert size(large_plots / "candidates.png") == (960, 750)
    assert size(large_plots / "languages.png")[1] == 1203


def test_bars_of_scenarios_show_counts_totals_and_both_means(small_plots: Path) -> None:
    words = _words(small_plots / "scenarios.svg")
    rows = [word for word in words if word in {"micro", "macro", "de", "en", "sw"}]
    assert rows == ["micro", "macro", "en", "de"]  # Swahili has nothing to show
    assert {"1,500", "300", "189", "2,000"} <= set(words)  # of English
    assert {"1,501", "301", "190", "2,004"} <= set(words)  # of all
    assert {"50%", "20%", "17%", "13%"} <= set(words)  # the mean of 75 % and 25 %, and so on
    assert "11" not in words  # there is no room for it in its bar
    assert words.count("1") == 4
    labels = [word for word in words if word in {scenario.replace("_", " ") for scenario in Scenario}]
    assert labels == [scenario.replace("_", " ") for scenario in Scenario]
    assert "share of insertions; their number in the bars and on the right" in words


def test_lines_of_candidates_name_languages_and_medians(small_plots: Path) -> None:
    words = _words(small_plots / "candidates.svg")
    assert {"de, median 1", "en, median 5", "all languages, median 5"} <= set(words)
    assert "en, median 7" in words  # before insertions
    assert {"articles", "pages just before an insertion", "n candidates (sentences)"} <= set(words)
    assert {"1", "10", "100", "1,000", "100%", "10%", "1%"} <= set(words)


def test_every_language_has_its_line_and_those_with_most_pages_their_colour(large_plots: Path) -> None:
    tree = ElementTree.parse(large_plots / "candidates.svg")
    lines = [str(element.get("id")) for element in tree.iter(f"{SVG}g") if str(element.get("id")).startswith("line-")]
    assert sorted(lines) == sorted(f"line-{language}" for language in [*LANGUAGES, "total"])
    words = _words(large_plots / "candidates.svg")
    assert [word.split(",")[0] for word in words if "median" in word] == ["all languages", *LANGUAGES[:6]]
    assert "18 other languages" in words


def test_names_of_many_languages_do_not_run_into_each_other(large_plots: Path) -> None:
    for name in ("scenarios", "languages"):
        labels = {element.text: element for element in _texts(large_plots / f"{name}.svg") if element.text in LANGUAGES}
        assert len(labels) == len(LANGUAGES)
        heights = sorted(float(str(element.get("y"))) for element in labels.values())
        gaps = [below - above for above, below in pairwise(heights)]
        assert min(gaps) > 13  # letters of 10 points with their accents


def test_bars_of_languages_show_their_numbers(small_plots: Path) -> None:
    words = _words(small_plots / "languages.svg")
    assert [word for word in words if word in {"de", "en"}] == ["en", "de"]
    assert {"4,000", "90,000", "22.5", "2,000", "20", "50", "2.5", "4"} <= set(words)
    assert [word for word in words if word[:1].islower()][-1] == "added links"
    assert {"articles", "existing links", "links per article", "added links"} <= set(words)


def test_only_what_was_counted_is_drawn_and_older_plots_go(tmp_path: Path, small_plots: Path) -> None:
    shutil.copytree(small_plots, tmp_path, dirs_exist_ok=True)
    languages = (LanguageCounts("en", 4, 4, 9, 1),)
    candidates = (CandidateCounts(Command.INDEX, "en", {3: 4}),)
    indexed = Statistics(BOTH[:1], languages, languages[0], (), candidates, ())
    assert draw(indexed, tmp_path) == ("languages", "candidates")
    assert not (tmp_path / "scenarios.svg").exists()
    assert not (tmp_path / "scenarios.png").exists()
    assert "added links" not in _words(tmp_path / "languages.svg")
    words = _words(tmp_path / "candidates.svg")
    assert "en, median 3" in words
    assert not any("all languages" in word for word in words)  # one language is all languages


def test_nothing_is_drawn_of_nothing(tmp_path: Path) -> None:
    assert draw(Statistics(BOTH, (), LanguageCounts("total"), (), (), ()), tmp_path) == ()
    assert list(tmp_path.iterdir()) == []


def test_pages_without_candidates_alone_have_no_line_to_draw(tmp_path: Path) -> None:
    counted = (LanguageCounts("en", 2, 2),)
    candidates = (CandidateCounts(Command.INDEX, "en", {0: 2}),)
    assert draw(Statistics(BOTH[:1], counted, counted[0], (), candidates, ()), tmp_path) == ("languages",)


def test_the_same_statistics_give_the_same_files_whatever_a_user_has_set(
    tmp_path: Path, small: Statistics, small_plots: Path
) -> None:
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "pink", "svg.hashsalt": None}):
        before = dict(matplotlib.rcParams)
        draw(small, tmp_path)
        assert dict(matplotlib.rcParams) == before
    for path in small_plots.iterdir():
        assert path.read_bytes() == (tmp_path / path.name).read_bytes(), path.name
    assert "dc:date" not in (tmp_path / "scenarios.svg").read_text()


def test_no_figure_stays_open(small_plots: Path) -> None:
    from matplotlib import pyplot

    assert small_plots.exists()
    assert pyplot.get_fignums() == []


def test_without_matplotlib_the_command_that_installs_it_is_told(
    tmp_path: Path, small: Statistics, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"drawing plots .* needs matplotlib.*pip install 'linkspot\[plots\]'"):
        draw(small, tmp_path)
