from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns

import pyarrow.parquet as pq
import pytest
from tests.tree_wiki import write_export

from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import Engine, EngineSettings, open_engine
from linkspot.errors import UnusableInput
from linkspot.examples.dataset_reader import LINKED_AGAIN, NO_ARTICLE, ExistingLinks, Insertions
from linkspot.pipeline.dataset import dataset
from linkspot.pipeline.index import index
from linkspot.records import Scenario
from linkspot.tables.mapped_table import MappedTable

DAY = "2020-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def local() -> Iterator[Engine]:
    engine = open_engine("local", EngineSettings(jobs=1))
    yield engine
    engine.close()


@pytest.fixture
def mills(tmp_path: Path, local: Engine) -> Path:
    """A wiki in which pages link to mills once, twice, and by the name of a redirect."""
    wiki = {
        "Mill": [(DAY, "A mill grinds grain.")],
        "Windmill": [(DAY, "#REDIRECT [[Mill]]")],
        "Once": [(DAY, "Here is a [[mill]]. The other mill is not linked.")],
        "Twice": [(DAY, "One [[mill]] here. One more [[Mill|of them]] there.")],
        "Redirected": [(DAY, "It has a [[windmill]] on a hill.")],
        "Both": [(DAY, "It has a [[windmill]] here. It has a [[mill]] there.")],
    }
    index([CorpusSource(write_export(tmp_path / "mills.xml", wiki))], tmp_path / "mills", local)
    return dataset([tmp_path / "mills"], tmp_path / "dataset", local).folder


def test_an_insertion_is_an_example_with_what_evaluation_needs(trees: Path) -> None:
    insertions = Insertions(trees, "test")
    assert len(insertions) == len({(item.corpus, item.event) for item in insertions}) > 10
    for item in insertions:
        (right,) = item.example.gold
        assert item.example.entity.title.lower() in item.example.article.sentences[right][1].text
        assert (item.scenario, item.corpus) == (Scenario.TEXT_PRESENT, "edits")
        assert item.language == item.example.article.language


def test_languages_can_be_chosen_and_are_drawn_alike_by_a_seed(trees: Path) -> None:
    assert {item.language for item in Insertions(trees, "test", ["sw"])} == {"sw"}
    drawn = {seed: [item.event for item in Insertions(trees, "test", per_language=3, seed=seed)] for seed in (1, 2)}
    assert Counter(event.partition("/")[0] for event in drawn[1]) == {"en": 3, "sw": 3}
    assert drawn[1] == [item.event for item in Insertions(trees, "test", per_language=3, seed=1)] != drawn[2]
    assert len(ExistingLinks(trees, ["en"], per_language=4)) == 4


@pytest.mark.parametrize("name", ["insertions/test", "existing_links/train"])
def test_draws_and_their_order_do_not_depend_on_the_order_of_a_table(trees: Path, tmp_path: Path, name: str) -> None:
    other = copytree(trees, tmp_path / "other", ignore=ignore_patterns(".arrow"))
    (file,) = (other / name).glob("*.parquet")
    table = pq.read_table(file)
    pq.write_table(table.take(list(reversed(range(table.num_rows)))), file)
    for most in (0, 3):
        before, after = (
            (list(Insertions(folder, "test", per_language=most)), list(ExistingLinks(folder, per_language=most)))
            for folder in (trees, other)
        )
        assert before == after


def test_what_is_drawn_stays_when_another_row_goes(trees: Path, tmp_path: Path) -> None:
    drawn = [item.event for item in Insertions(trees, "test", per_language=3)]
    other = copytree(trees, tmp_path / "other", ignore=ignore_patterns(".arrow"))
    (file,) = (other / "insertions" / "test").glob("*.parquet")
    table = pq.read_table(file)
    passed_over = [event for event in map(_event, table.to_pylist()) if event not in drawn]
    pq.write_table(table.filter([_event(row) != passed_over[0] for row in table.to_pylist()]), file)
    assert [item.event for item in Insertions(other, "test", per_language=3)] == drawn


def test_an_existing_link_stands_in_its_sentence_and_is_taken_off(trees: Path) -> None:
    links = ExistingLinks(trees)
    assert len(links) > 5
    for number, linked in enumerate(links):
        assert linked.words == linked.entity.title.lower()
        assert linked.words in linked.article.sentences[linked.sentence][1].text
        before = sum(len(section.links) for section in links.article(number).sections)
        assert sum(len(section.links) for section in linked.article.sections) == before - 1


def test_a_page_that_links_the_target_again_is_left_out_and_counted(mills: Path) -> None:
    links = ExistingLinks(mills)
    assert sorted(linked.article.title for linked in links) == ["Once", "Redirected"]
    assert links.left_out == {LINKED_AGAIN: 4}
    assert not any(section.links for linked in links for section in linked.article.sections)


def test_a_link_without_its_article_is_left_out_and_counted(mills: Path) -> None:
    (file,) = (mills / "articles" / "train").glob("*.parquet")
    table = pq.read_table(file)
    pq.write_table(table.filter([title != "Once" for title in table["title"].to_pylist()]), file)
    assert ExistingLinks(mills).left_out == {LINKED_AGAIN: 4, NO_ARTICLE: 1}


def test_a_dataset_without_a_table_is_reported_in_one_line(mills: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"has no table insertions/train \(it holds what 'linkspot dataset' made\)"):
        Insertions(mills, "train")
    with pytest.raises(UnusableInput, match=r"has no table existing_links/train \(it holds no tables of linkspot\)"):
        ExistingLinks(tmp_path / "nothing")


def test_a_dataset_without_a_column_is_reported_in_one_line(mills: Path) -> None:
    (file,) = (mills / "existing_links" / "train").glob("*.parquet")
    pq.write_table(pq.read_table(file).drop_columns(["mentions"]), file)
    with pytest.raises(UnusableInput, match="existing_links/train has no column 'mentions'; make the dataset again"):
        ExistingLinks(mills)


def test_a_table_that_is_no_parquet_is_reported_in_one_line(mills: Path) -> None:
    (file,) = (mills / "articles" / "train").glob("*.parquet")
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(UnusableInput, match="cannot be read as Parquet"):
        ExistingLinks(mills)


def test_a_folder_that_cannot_be_written_to_is_read_all_the_same(mills: Path) -> None:
    (mills / ".arrow").write_text("no folder")
    assert len(ExistingLinks(mills)) == 2


def test_a_table_that_has_changed_is_copied_again(mills: Path) -> None:
    assert len(MappedTable(mills, "articles/train", ["title"])) == 4
    (file,) = (mills / "articles" / "train").glob("*.parquet")
    pq.write_table(pq.read_table(file).slice(0, 1), file)
    assert len(MappedTable(mills, "articles/train", ["title"])) == 1


def test_rows_are_found_by_number_over_several_files(mills: Path) -> None:
    (file,) = (mills / "articles" / "train").glob("*.parquet")
    table = pq.read_table(file)
    for number in range(table.num_rows):
        pq.write_table(table.slice(number, 1), file.with_name(f"part_{number}.parquet"))
    file.unlink()
    mapped = MappedTable(mills, "articles/train", ["title"])
    assert [mapped.row(number)["title"] for number in range(len(mapped))] == table["title"].to_pylist()
    with pytest.raises(IndexError):
        mapped.row(len(mapped))


def test_an_empty_split_has_no_examples(trees: Path) -> None:
    assert list(Insertions(trees, "train", ["xx"])) == []


def _event(row: dict[str, str]) -> str:
    return "/".join(row[name] for name in ("language", "source_key", "after_revision", "target_key"))
