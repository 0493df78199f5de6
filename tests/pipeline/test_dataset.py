from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.tree_wiki import SPLIT, tree_folders

from linkspot.corpora.corpus import CorpusSource
from linkspot.corpora.removal import TEST, VALIDATION, part_of
from linkspot.engines.engine import Engine, EngineSettings, open_engine
from linkspot.errors import UnusableInput
from linkspot.pipeline.dataset import DatasetSettings, dataset
from linkspot.pipeline.index import index
from linkspot.pipeline.insertions import insertions
from linkspot.pipeline.leaks import are_similar
from linkspot.pipeline.splits import TEST_ALONE, VALIDATION_ALONE, SplitDates
from linkspot.pipeline.table_run import Summary
from linkspot.records import Entity, Example
from linkspot.tables.schemas import article_of

Rows = Callable[[Path], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def local() -> Iterator[Engine]:
    opened = open_engine("local", EngineSettings(jobs=1))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory, local: Engine) -> list[Path]:
    return tree_folders(tmp_path_factory.mktemp("trees"), local)


@pytest.fixture(scope="module")
def made(folders: list[Path], tmp_path_factory: pytest.TempPathFactory, local: Engine) -> Summary:
    settings = DatasetSettings(SPLIT, hold_out=("sw",), links_per_language=10)
    return dataset(folders, tmp_path_factory.mktemp("made") / "dataset", local, settings)


def test_insertions_are_split_by_time(made: Summary, rows: Rows) -> None:
    years = {}
    for split in ("train", "validation", "test"):
        found = rows(made.folder / "insertions" / split)
        years[split] = sorted({row["after_time"].year for row in found if not row["held_out"]})
    assert years == {"train": [2011], "validation": [2012], "test": [2013, 2014]}


def test_languages_that_are_held_out_are_tested_and_nothing_else(made: Summary, rows: Rows) -> None:
    assert {row["language"] for row in rows(made.folder / "insertions" / "train")} == {"en"}
    assert {row["language"] for row in rows(made.folder / "insertions" / "validation")} == {"en"}
    assert {row["language"] for row in rows(made.folder / "existing_links" / "train")} == {"en"}
    held_out = {(row["language"], row["held_out"]) for row in rows(made.folder / "insertions" / "test")}
    assert held_out == {("en", False), ("sw", True)}
    years = {row["after_time"].year for row in rows(made.folder / "insertions" / "test") if row["held_out"]}
    assert years == {2011, 2012, 2013, 2014}


def test_pages_that_removals_test_or_validate_on_do_not_train(
    folders: list[Path], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    trained = {}
    for name, by_page in (("all", ()), ("parted", ("trees",))):
        made = dataset(folders, tmp_path / name, local, DatasetSettings(SPLIT, by_page=by_page))
        titles = {row["title"] for row in rows(made.folder / "articles" / "train")}
        trained[name] = {title: part_of(title) for title in titles}
    kept = {title: part for title, part in trained["all"].items() if part not in {TEST, VALIDATION}}
    assert 0 < len(kept) < len(trained["all"])
    assert trained["parted"] == kept


def test_an_unknown_index_cannot_be_split_by_its_pages(folders: list[Path], tmp_path: Path, local: Engine) -> None:
    with pytest.raises(UnusableInput, match="'x' is to be split by its pages, but the indexes are called: trees"):
        dataset(folders, tmp_path / "dataset", local, DatasetSettings(SPLIT, by_page=("x",)))


def test_all_insertions_of_a_folder_can_validate(
    folders: list[Path], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    made = dataset(folders, tmp_path / "dataset", local, DatasetSettings({"edits": VALIDATION_ALONE}))
    assert rows(made.folder / "insertions" / "validation")
    assert not rows(made.folder / "insertions" / "train")
    assert not rows(made.folder / "insertions" / "test")


def test_a_row_of_insertions_is_a_ranking_problem(made: Summary, rows: Rows) -> None:
    for row in rows(made.folder / "insertions" / "test"):
        article = article_of(row["source_title"], row["language"], row["sections"])
        entity = Entity(row["target_title"], row["target_lead"], tuple(row["mentions"]))
        (right,) = Example(entity, article, tuple(row["gold"])).gold
        assert row["mention"] in article.sentences[right][1].text


def test_a_link_that_a_test_asks_for_never_trains(made: Summary, rows: Rows) -> None:
    asked = {
        (row["language"], row["source_key"], row["target_key"])
        for split in ("validation", "test")
        for row in rows(made.folder / "insertions" / split)
    }
    trained = {(row["language"], row["source_key"], row["target_key"]) for row in _links(made, rows)}
    assert trained
    assert not asked & trained


BOILERPLATE = "This page is about %s, one of many trees that grow here. See also [[Cedar]] among the other trees of it."


def test_a_text_that_a_test_asks_for_never_trains_though_another_page_has_it(
    tmp_path: Path, write_wiki: Callable[..., Path], local: Engine, rows: Rows
) -> None:
    def history(name: str, year: int, text: str) -> list[tuple[str, str]]:
        lead = f"The {name} is a tree."
        return [
            ("2009-06-01T00:00:00Z", lead),
            (f"{year}-06-01T00:00:00Z", f"{lead}\n\n== More ==\n{text}"),
            ("2016-06-01T00:00:00Z", f"{lead}\n\n== More ==\n{text}\n\n== End ==\nIt is old."),
        ]

    wiki = {
        "Alder": history("alder", 2013, BOILERPLATE % "it"),
        "Birch": history("birch", 2010, BOILERPLATE % "it"),  # the very text, years before
        "Hazel": history("hazel", 2010, BOILERPLATE % "them"),  # nearly the same
        "Maple": history(
            "maple", 2010, "Its wood is harder than that of a [[Cedar]], and its leaves turn red in autumn."
        ),
        "Cedar": [("2009-06-01T00:00:00Z", "The cedar is a tree.")],
    }
    sources = [CorpusSource(write_wiki(tmp_path / "wiki.xml", wiki))]
    index(sources, tmp_path / "index", local, at=datetime(2012, 12, 31, tzinfo=UTC))
    insertions(sources, tmp_path / "edits", local)
    made = dataset([tmp_path / "index", tmp_path / "edits"], tmp_path / "dataset", local, DatasetSettings(SPLIT))
    assert [row["source_title"] for row in rows(made.folder / "insertions" / "test")] == ["Alder"]
    assert {row["source_title"] for row in rows(made.folder / "insertions" / "train")} == {"Maple"}
    assert {row["source_title"] for row in _links(made, rows)} == {"Maple"}
    assert made.rejects == {"a row that would train on what a test asks for": 4}


def test_a_page_that_a_test_asks_of_never_trains_as_it_stood_later(
    tmp_path: Path, write_wiki: Callable[..., Path], local: Engine, rows: Rows
) -> None:
    lead, more = "The alder is a tree.", "It stands by water, where few others of its kind can live for long."
    wiki = {
        "Alder": [
            ("2009-06-01T00:00:00Z", f"{lead} {more} Look for [[Birch]] trees nearby."),
            ("2016-06-01T00:00:00Z", f"{lead} {more} Look for [[Birch]] trees nearby. [[Cedar]] is far from it."),
            ("2018-06-01T00:00:00Z", f"{lead} {more} Look for [[Birch]] trees nearby. [[Cedar]] is far from it!"),
        ],
        "Birch": [("2009-06-01T00:00:00Z", "The birch is a tree, and so is the [[Cedar]].")],
        "Cedar": [("2009-06-01T00:00:00Z", "The cedar is a tree.")],
    }
    sources = [CorpusSource(write_wiki(tmp_path / "wiki.xml", wiki))]
    insertions(sources, tmp_path / "edits", local)
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "Alder.wiki").write_text(f"{lead} {more} See the [[Birch]].", encoding="utf-8")
    (pages / "Birch.wiki").write_text("The birch is a tree, and so is the [[Cedar]].", encoding="utf-8")
    (pages / "Cedar.wiki").write_text("The cedar is a tree.", encoding="utf-8")
    index(sources, tmp_path / "before", local, at=datetime(2012, 12, 31, tzinfo=UTC))
    index(sources, tmp_path / "after", local)
    index([CorpusSource(pages, language="en")], tmp_path / "undated", local)
    folders = [tmp_path / name for name in ("before", "after", "undated", "edits")]
    made = dataset(folders, tmp_path / "dataset", local, DatasetSettings(SPLIT))
    assert [row["source_title"] for row in rows(made.folder / "insertions" / "test")] == ["Alder"]
    links = {(row["corpus"], row["source_title"]) for row in _links(made, rows)}
    assert links == {("before", "Alder"), ("before", "Birch"), ("after", "Birch"), ("undated", "Birch")}


@pytest.mark.parametrize(
    ("one", "other", "language", "alike"),
    [
        ("The dog barks at night.", "the DOG barks, at night", "en", True),
        ("The dog barks at night.", "The cat sleeps at night.", "en", False),
        ("", "", "en", True),
        ("...", "!!!", "en", True),
        ("犬は夜に吠える動物である。", "犬は夜に吠える動物である", "ja", True),
        ("犬は夜に吠える動物である。", "猫は昼に眠る生き物である。", "ja", False),
    ],
)
def test_texts_are_alike_if_they_share_nearly_all_words(one: str, other: str, language: str, *, alike: bool) -> None:
    assert are_similar(one, other, language) is alike


def test_existing_links_are_as_many_as_wanted_and_find_their_articles(made: Summary, rows: Rows) -> None:
    links = _links(made, rows)
    assert len(links) == 10
    articles = {row["key"]: row for row in rows(made.folder / "articles" / "train")}
    for link in links:
        row = articles[link["source_key"]]
        sentence = article_of(row["title"], row["language"], row["sections"]).sentences[link["sentence"]][1].text
        assert link["context"][link["sentence_start"] : link["sentence_end"]] == sentence
        assert link["target_lead"].startswith(f"The {link['target_title'].lower()} is kin")


def test_a_links_own_words_are_no_mention_unless_others_use_them(
    tmp_path: Path, write_wiki: Callable[..., Path], local: Engine, rows: Rows
) -> None:
    day = "2020-01-01T00:00:00Z"
    wiki = {
        "A": [(day, "One [[B|bee]] here.")],
        "B": [(day, "It flies.")],
        "C": [(day, "Two [[B|bees]] there, [[B|bees]] again.")],
    }
    index([CorpusSource(write_wiki(tmp_path / "wiki.xml", wiki))], tmp_path / "index", local)
    summary = dataset([tmp_path / "index"], tmp_path / "dataset", local)
    mentions = {row["mention"]: row["mentions"] for row in rows(summary.folder / "existing_links" / "train")}
    assert mentions == {"bee": ["bees"], "bees": ["bee", "bees"]}


def test_a_seed_draws_the_same_links_again_and_another_seed_others(
    folders: list[Path], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    drawn = {}
    for name, seed in (("one", 1), ("again", 1), ("two", 2)):
        summary = dataset(folders[:1], tmp_path / name, local, DatasetSettings(links_per_language=5, seed=seed))
        drawn[name] = [(row["source_key"], row["target_key"]) for row in _links(summary, rows)]
    assert drawn["one"] == drawn["again"] != drawn["two"]


def test_without_dates_the_last_fifth_validates_and_tests(folders: list[Path], tmp_path: Path, local: Engine) -> None:
    summary = dataset(folders[1:], tmp_path / "dataset", local)
    assert summary.rows == {"insertions/train": 36, "insertions/validation": 0, "insertions/test": 12}


def test_a_corpus_can_be_for_tests_alone(folders: list[Path], tmp_path: Path, local: Engine) -> None:
    summary = dataset(folders[1:], tmp_path / "dataset", local, DatasetSettings({"edits": TEST_ALONE}))
    assert summary.rows == {"insertions/train": 0, "insertions/validation": 0, "insertions/test": 48}


def test_the_card_tells_counts_sources_licences_and_rejects(made: Summary) -> None:
    text = (made.folder / "README.md").read_text(encoding="utf-8")
    header = yaml.safe_load(text.split("---")[1])
    assert [config["config_name"] for config in header["configs"]] == ["insertions", "existing_links", "articles"]
    assert "| edits | sw | 24 | 0 | 0 | 0 | 0 | 24 |" in text
    assert "| edits | linkspot insertions | en.xml, sw.xml | CC0 |" in text


def test_the_card_tells_what_was_left_out(folders: list[Path], tmp_path: Path, local: Engine) -> None:
    dataset(folders, tmp_path / "dataset", local, DatasetSettings(SPLIT, languages=("sw",)))
    text = (tmp_path / "dataset" / "README.md").read_text(encoding="utf-8")
    assert "| this dataset | an insertion in a language that is not asked for | 24 |" in text


def test_hugging_face_reads_it(made: Summary, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    loaded = datasets.load_dataset(
        "parquet",
        data_files={"test": str(made.folder / "insertions" / "test" / "*.parquet")},
        cache_dir=str(tmp_path / "cache"),
    )
    assert loaded["test"].num_rows == made.rows["insertions/test"]
    by_card = datasets.load_dataset(str(made.folder), "existing_links", cache_dir=str(tmp_path / "cache"))
    assert by_card["train"].num_rows == 10


def test_dates_for_an_unknown_corpus_are_reported_in_one_line(
    folders: list[Path], tmp_path: Path, local: Engine
) -> None:
    with pytest.raises(UnusableInput, match="dates are given for 'edit', but the insertions are called: edits"):
        dataset(folders, tmp_path / "dataset", local, DatasetSettings({"edit": SPLIT["edits"]}))


def _links(summary: Summary, rows: Rows) -> list[dict[str, Any]]:
    return rows(summary.folder / "existing_links" / "train")


@pytest.mark.shared_data
@pytest.mark.slow
def test_nothing_of_real_tests_trains(shared_data: Path, tmp_path: Path, local: Engine, rows: Rows) -> None:
    wikis = [shared_data / "openttd" / f"openttd-{tag}-pages-meta-history.xml.xz" for tag in ("de", "it", "ca")]
    sources = [CorpusSource(wiki) for wiki in wikis]
    index(sources, tmp_path / "now", local)
    index(sources, tmp_path / "then", local, at=datetime(2011, 5, 31, tzinfo=UTC))
    insertions(sources, tmp_path / "edits", local)
    dates = SplitDates(datetime(2011, 6, 1, tzinfo=UTC), datetime(2012, 6, 1, tzinfo=UTC))
    folders = [tmp_path / name for name in ("now", "then", "edits")]
    made = dataset(folders, tmp_path / "dataset", local, DatasetSettings({"edits": dates}, hold_out=("ca",)))
    asked = [row for split in ("validation", "test") for row in rows(made.folder / "insertions" / split)]
    learned = [*rows(made.folder / "insertions" / "train"), *_links(made, rows)]
    assert len(asked) > 20
    assert len(learned) > 500
    assert "ca" not in {row["language"] for row in learned}
    links = {(row["language"], row["source_key"], row["target_key"]) for row in asked}
    assert not links & {(row["language"], row["source_key"], row["target_key"]) for row in learned}
    pages = {(row["language"], row["source_title"]) for row in asked}
    assert not pages & {(row["language"], row["source_title"]) for row in _links(made, rows) if row["corpus"] == "now"}
    texts = defaultdict[tuple[str, str], list[set[str]]](list)
    for row in asked:
        texts[row["language"], row["target_key"]].append(_words(row))
    alike = [
        len(_words(row) & other) / len(_words(row) | other)
        for row in learned
        for other in texts[row["language"], row["target_key"]]
    ]
    assert alike
    assert max(alike) < 0.9


def _words(row: dict[str, Any]) -> set[str]:
    return set(row["context"].casefold().split())


@pytest.mark.parametrize(("hold_out", "precedents"), [((), ["sw"]), (("sw",), [])])
def test_what_pages_in_held_out_languages_say_never_trains(
    tmp_path: Path,
    write_wiki: Callable[..., Path],
    local: Engine,
    rows: Rows,
    hold_out: tuple[str, ...],
    precedents: list[str],
) -> None:
    plain = "The alder is a tree. It grows beside the cedar. Its wood is red."
    linked = plain.replace("cedar", "[[cedar]]")
    cedar = [("2009-06-01T00:00:00Z", "The cedar is a tree.")]
    in_english = {"Alder": [("2010-06-01T00:00:00Z", plain), ("2011-06-01T00:00:00Z", linked)], "Cedar": cedar}
    in_swahili = {"Alder": [("2010-06-01T00:00:00Z", linked)], "Cedar": cedar}
    sources = [
        CorpusSource(write_wiki(tmp_path / f"{tag}.xml", wiki, tag))
        for tag, wiki in (("en", in_english), ("sw", in_swahili))
    ]
    ids = tmp_path / "ids.tsv"
    ids.write_text("".join(f"Alder\tQ1\t{tag}\nCedar\tQ2\t{tag}\n" for tag in ("en", "sw")), encoding="utf-8")
    insertions(sources, tmp_path / "edits", local, entities=ids)
    made = dataset([tmp_path / "edits"], tmp_path / "dataset", local, DatasetSettings(SPLIT, hold_out=hold_out))
    (row,) = rows(made.folder / "insertions" / "train")
    assert [one["language"] for one in row["precedents"]] == precedents
