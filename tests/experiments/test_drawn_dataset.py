from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tree_wiki import SPLIT, tree_folders

from linkspot.engines.engine import Engine, EngineSettings, open_engine
from linkspot.errors import UnusableInput
from linkspot.examples.dataset_reader import ExistingLinks
from linkspot.experiments.budgets import DataLimits
from linkspot.experiments.drawn_dataset import draw, open_dataset
from linkspot.experiments.split_counts import SplitCounts
from linkspot.pipeline.dataset import DatasetSettings, dataset
from linkspot.tables.folder import TableFolder

Rows = Callable[[Path], list[dict[str, Any]]]
LIMITS = DataLimits(sentences=40, train=4, validation=2, test=5, links=6)


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> TableFolder:
    folder, engine = tmp_path_factory.mktemp("trees"), open_engine("local", EngineSettings(1))
    try:
        made = dataset(tree_folders(folder, engine), folder / "dataset", engine, DatasetSettings(SPLIT, (), ("sw",)))
        return open_dataset(made.folder)
    finally:
        engine.close()


def test_languages_are_counted_where_there_is_a_right_place(trees: TableFolder) -> None:
    counts = SplitCounts.of(trees)
    assert counts.train == {"en": 6}
    assert counts.validation == {"en": 6}
    assert counts.test == {"en": 12, "sw": 24}
    assert set(counts.links) == {"en"}
    assert (counts.learned, counts.held_out) == (("en",), ("sw",))


def test_a_small_dataset_has_so_many_rows_of_each_language(
    trees: TableFolder, tmp_path: Path, local: Engine, rows: Rows
) -> None:
    drawn = draw(trees, tmp_path / "drawn", LIMITS, 0, local)
    tests = rows(drawn.table("insertions/test"))
    assert Counter(row["language"] for row in tests) == {"en": 5, "sw": 5}
    assert len(rows(drawn.table("insertions/train"))) == 4
    assert len(rows(drawn.table("insertions/validation"))) == 2
    links, articles = rows(drawn.table("existing_links/train")), rows(drawn.table("articles/train"))
    assert len(links) == 6
    assert {row["key"] for row in articles} == {row["source_key"] for row in links}
    assert len(ExistingLinks(drawn.path)) > 0
    every = {(row["source_key"], row["after_revision"]) for row in rows(trees.table("insertions/test"))}
    assert {(row["source_key"], row["after_revision"]) for row in tests} < every


def test_a_seed_draws_the_same_rows_again_and_another_seed_others(
    trees: TableFolder, tmp_path: Path, local: Engine, rows: Rows
) -> None:
    drawn = [
        rows(draw(trees, tmp_path / name, LIMITS, seed, local).table("insertions/test"))
        for name, seed in (("one", 1), ("again", 1), ("two", 2))
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_pages_that_are_too_long_are_not_drawn(trees: TableFolder, tmp_path: Path, local: Engine) -> None:
    pages = DataLimits(sentences=9, train=4, validation=2, test=5, links=6)
    assert SplitCounts.of(draw(trees, tmp_path / "nine", pages, 0, local)).test == {"en": 5, "sw": 5}
    pages = DataLimits(sentences=8, train=4, validation=2, test=5, links=6)
    counts = SplitCounts.of(draw(trees, tmp_path / "eight", pages, 0, local))
    assert not counts.test
    assert not counts.links


def test_the_card_of_a_small_dataset_carries_sources_and_licences_on(
    trees: TableFolder, tmp_path: Path, local: Engine
) -> None:
    drawn = draw(trees, tmp_path / "drawn", LIMITS, 0, local)
    card = (drawn.path / "README.md").read_text(encoding="utf-8")
    assert card.startswith("Drawn from the dataset below with the seed 0: pages of at most 40 sentences")
    assert "CC0" in card
    assert drawn.manifest()["sources"] == trees.manifest()["sources"] != []


def test_a_dataset_without_tests_is_told(tmp_path: Path, local: Engine) -> None:
    index, _edits = tree_folders(tmp_path, local)
    dataset([index], tmp_path / "dataset", local)
    with pytest.raises(UnusableInput, match="has no insertions to test on"):
        open_dataset(tmp_path / "dataset")
