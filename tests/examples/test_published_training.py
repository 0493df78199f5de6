from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.published_sample import write_links, write_tests, write_training

from linkspot.errors import UnusableInput
from linkspot.evaluation.published import PublishedTests
from linkspot.examples.context_removal import ContextRemoval, Removal
from linkspot.examples.published_removal import normalised, removed_from_right, removed_from_wrong
from linkspot.examples.published_training import PublishedLink, PublishedTraining
from linkspot.records import Scenario

SPAN, SENTENCE = ContextRemoval(0, 0, 0, 1), ContextRemoval(0, 0, 1, 0)
MENTION, NOTHING = ContextRemoval(0, 1, 0, 0), ContextRemoval(1, 0, 0, 0)


def loaded(folder: Path, *languages: str) -> list[PublishedLink]:
    training = PublishedTraining(folder, languages)
    training.load(range(len(training)))
    links = [training[number] for number in range(len(training))]
    return [link for link in links if link]


@pytest.fixture(scope="module")
def stage_1(trees: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stage1")
    write_links(trees, folder)
    return folder


def test_files_of_added_links_hold_the_queries_of_the_tests_they_were_made_from(trees: Path, tmp_path: Path) -> None:
    write_tests(trees, tmp_path)
    write_training(tmp_path / "en.parquet", tmp_path / "stage", negatives=2)
    links = loaded(tmp_path / "stage", "en")
    tests = {(query.source_title, query.entity): query for query in PublishedTests(tmp_path).queries("en")}
    assert links
    for link in links:
        test = tests[link.query.source_title, link.query.entity]
        assert link.query.windows[link.query.gold] == test.windows[test.gold]
        assert (link.query.scenario, link.query.language, link.removable) == (test.scenario, "en", {})


def test_files_of_existing_links_say_what_can_be_removed(stage_1: Path) -> None:
    links = loaded(stage_1)
    assert {link.query.language for link in links} >= {"en", "sw"}
    for link in links:
        text = link.query.windows[link.query.gold].text
        mention, sentence = link.removable[Removal.MENTION], link.removable[Removal.SENTENCE]
        assert mention.cut(text).strip()
        assert sentence.start <= mention.start < mention.end <= sentence.end
        assert link.query.scenario is Scenario.TEXT_PRESENT
    assert {link.query.language for link in loaded(stage_1, "sw")} == {"sw"}


def test_a_removal_takes_what_the_row_names_and_leaves_no_seam(stage_1: Path) -> None:
    for link in loaded(stage_1):
        text = link.query.windows[link.query.gold].text
        whole = removed_from_right(link, Random(0), NOTHING)
        assert whole == normalised(text)
        for settings, removal in ((MENTION, Removal.MENTION), (SENTENCE, Removal.SENTENCE)):
            rest, cut = removed_from_right(link, Random(0), settings), link.removable[removal]
            assert "  " not in rest
            left = (text[: cut.start] + " " + text[cut.end :]).split()
            # A removal that leaves nothing becomes a milder one; here it is the sentence of a window that has no other.
            assert rest.split() == left or (not left and removal is Removal.SENTENCE)


def test_a_wrong_window_loses_as_much_as_a_right_one_at_any_place() -> None:
    text = "One is here. Two are there. Three come. Four go."
    draws = [Random(seed) for seed in range(40)]
    sentences = {removed_from_wrong(text, "en", 1, draw, SENTENCE) for draw in draws}
    assert len(sentences) == 4
    assert "One is here. Three come. Four go." in sentences
    assert {len(removed_from_wrong(text, "en", 2, draw, MENTION).split()) for draw in draws} == {8}
    assert all(removed_from_wrong(text, "en", 1, draw, SPAN).count(".") in {1, 2} for draw in draws)
    assert removed_from_wrong("One sentence.", "en", 9, Random(0), SPAN) == "One sentence."
    assert "前。後。" in {removed_from_wrong("前。中。後。", "ja", 1, draw, SENTENCE) for draw in draws}


def test_what_is_not_a_training_file_is_told_in_one_line(stage_1: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"no train/\*\.parquet; expected a stage's folder"):
        PublishedTraining(tmp_path)
    (tmp_path / "train").mkdir()
    table = pq.read_table(stage_1 / "train" / "train.parquet")
    pq.write_table(table.drop("lang"), tmp_path / "train" / "a.parquet")
    with pytest.raises(UnusableInput, match=r"no column 'lang' that says its language; name one language"):
        PublishedTraining(tmp_path)
    pq.write_table(table.select(["source_title"]), tmp_path / "train" / "a.parquet")
    with pytest.raises(UnusableInput, match="has no column 'source_lead' but source_title"):
        PublishedTraining(tmp_path)
    without = table.drop([name for name in table.column_names if "_neg_" in name])
    pq.write_table(without, tmp_path / "train" / "a.parquet")
    with pytest.raises(UnusableInput, match="has no column 'link_context_neg_0'; expected a training file"):
        PublishedTraining(tmp_path).load([0])


def test_categoricals_and_further_columns_are_read_and_broken_rows_counted(stage_1: Path, tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    table = pq.read_table(stage_1 / "train" / "train.parquet").slice(0, 2)
    expected = loaded(stage_1)[0]
    coded = table.append_column("depth", pa.array([1, 2]))
    for name in ("lang", "source_section", "link_context_neg_0"):
        coded = coded.set_column(coded.schema.get_field_index(name), name, coded[name].dictionary_encode())
    coded = coded.set_column(
        coded.schema.get_field_index("link_context"), "link_context", pa.array([table["link_context"][0].as_py(), " "])
    )
    pq.write_table(coded, tmp_path / "train" / "a.parquet")
    (tmp_path / "mentions.parquet").write_bytes((stage_1 / "mentions.parquet").read_bytes())
    training = PublishedTraining(tmp_path)
    training.load([0, 1])
    assert training[0] == expected
    assert training[1] is None
    assert training.rejects == {"a window without a text or a section": 1}
