import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.progress_notes import ProgressNotes
from tests.small_spark import SMALL_SPARK

from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import Engine, EngineSettings, open_engine
from linkspot.errors import UnusableInput
from linkspot.pipeline.index import index
from linkspot.pipeline.stats import stats
from linkspot.pipeline.stats_counts import CandidateCounts, Command, LanguageCounts, ScenarioCounts, Statistics
from linkspot.records import Scenario
from linkspot.tables.folder import TableFolder
from linkspot.tables.schemas import SECTIONS

TIME = "2024-05-01T10:00:00Z"
ENGLISH = {
    "Signal": "A signal keeps [[train]]s apart. It has [[Lamp|lamps]].\n\n== Kinds ==\nSome [[lamp]]s are red.",
    "Train": "A train runs.",
    "Lamp": "A lamp helps a [[train]]. It is lit. It glows. It is [[Nowhere|hot]].",
}
GERMAN = {"Signal": "Ein Signal steht.", "Stub": "{{stub}}"}

# Of French, four links were added: twice to version 1 of P, which has 2 + 1 candidates, once to version 2 of P,
# which has 4, and once to Q while it was empty. Of German, one link.
INSERTIONS: list[tuple[str, str, str, Scenario, list[int]]] = [
    ("fr", "P", "1", Scenario.TEXT_PRESENT, [2, 1]),
    ("fr", "P", "1", Scenario.TEXT_PRESENT, [2, 1]),
    ("fr", "P", "2", Scenario.TEXT_PRESENT, [4]),
    ("fr", "Q", "3", Scenario.MISSING_SECTION, []),
    ("de", "P", "4", Scenario.MISSING_MENTION, [1, 0, 5]),
]
INSERTION = pa.schema(
    {
        "language": pa.string(),
        "source_key": pa.string(),
        "before_revision": pa.string(),
        "scenario": pa.string(),
        "sections": SECTIONS,
    }
)


def _write_insertions(path: Path, insertions: Sequence[tuple[Any, ...]], rejects: dict[str, int]) -> Path:
    rows = [
        {
            "language": language,
            "source_key": page,
            "before_revision": revision,
            "scenario": scenario,
            "sections": [
                {
                    "title": "",
                    "level": 2,
                    "text": "x" * length,
                    "sentences": [{"start": number, "end": number + 1} for number in range(length)],
                    "links": [],
                }
                for length in lengths
            ],
        }
        for language, page, revision, scenario, lengths in insertions
    ]
    folder = TableFolder.begin(path, {"command": "insertions"})
    folder.table("insertions").mkdir()
    pq.write_table(pa.Table.from_pylist(rows, INSERTION), folder.table("insertions") / "0.parquet")
    folder.record({"finished": True, "rows": {"insertions": len(rows)}, "rejects": rejects})
    return path


@pytest.fixture(scope="module")
def engine() -> Any:
    opened = open_engine("local", EngineSettings(jobs=1))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory, write_wiki: Callable[..., Path], engine: Engine) -> Path:
    folder = tmp_path_factory.mktemp("index")
    sources = []
    for language, pages in (("en", ENGLISH), ("de", GERMAN)):
        histories = {title: [(TIME, text)] for title, text in pages.items()}
        sources.append(CorpusSource(write_wiki(folder / f"{language}.xml", histories, language)))
    ids = folder / "ids.tsv"
    ids.write_text("Signal\tQ194340\ten\nSignal\tQ194340\tde\n", encoding="utf-8")
    return index(sources, folder / "tables", engine, entities=ids).folder


@pytest.fixture(scope="module")
def inserted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("insertions") / "added"
    return _write_insertions(path, INSERTIONS, {"the link did not stay": 7, "a page without a lead": 2})


@pytest.fixture(scope="module")
def both(indexed: Path, inserted: Path, engine: Engine) -> Statistics:
    return stats([indexed, inserted], engine)


def test_languages_are_counted_as_by_hand(both: Statistics) -> None:
    assert both.languages == (
        LanguageCounts("de", 1, 1, links=0, orphans=1, insertions=1, pages_with_insertions=1),
        LanguageCounts("en", 3, 3, links=4, orphans=1),
        LanguageCounts("fr", insertions=4, pages_with_insertions=2),
    )
    assert [of.links_per_article for of in both.languages] == [0.0, 4 / 3, None]
    assert [of.orphan_share for of in both.languages] == [1.0, 1 / 3, None]


def test_an_entity_of_two_languages_counts_once_in_the_total(both: Statistics) -> None:
    # "Signal" is the same entity in both wikis, as its id says.
    assert both.total == LanguageCounts(
        "total", 4, entities=3, links=4, orphans=2, insertions=5, pages_with_insertions=3
    )


def test_scenarios_are_counted_with_those_that_never_occur(both: Statistics) -> None:
    assert [of.language for of in both.scenarios] == ["de", "en", "fr"]
    assert [list(of.counts.values()) for of in both.scenarios] == [[0, 1, 0, 0, 0], [0, 0, 0, 0, 0], [3, 0, 0, 0, 1]]
    assert list(both.scenarios[2].counts) == list(Scenario)
    assert both.scenarios[2].shares[Scenario.TEXT_PRESENT] == 0.75
    assert both.scenarios[1].shares == {}


def test_micro_weighs_insertions_and_macro_weighs_languages_that_have_some(both: Statistics) -> None:
    assert list(both.micro.shares.values()) == [3 / 5, 1 / 5, 0, 0, 1 / 5]
    assert list(both.macro.values()) == [0.75 / 2, 1 / 2, 0, 0, 0.25 / 2]


def test_candidates_are_sentences_of_articles_and_of_versions_before_insertions(both: Statistics) -> None:
    assert both.candidates == (
        CandidateCounts(Command.INDEX, "de", {1: 1}),
        CandidateCounts(Command.INDEX, "en", {3: 1, 1: 1, 4: 1}),
        CandidateCounts(Command.INSERTIONS, "de", {6: 1}),
        CandidateCounts(Command.INSERTIONS, "fr", {3: 1, 4: 1, 0: 1}),  # version 1 of P counts once
    )
    assert both.all_candidates_of(Command.INDEX).pages_by_candidates == {1: 2, 3: 1, 4: 1}


def test_the_ccdf_begins_with_all_pages_and_ends_with_the_longest() -> None:
    of = CandidateCounts(Command.INDEX, "en", {10: 1, 0: 1, 2: 2})
    assert of.ccdf() == [(0, 1.0), (2, 0.75), (10, 0.25)]


def test_quantiles_are_numbers_that_occur() -> None:
    of = CandidateCounts(Command.INDEX, "en", dict.fromkeys(range(1, 101), 1))
    assert [of.quantile(percent) for percent in (50, 90, 99, 100)] == [50, 90, 99, 100]
    assert CandidateCounts(Command.INDEX, "en", {1: 1, 9: 1}).quantile(50) == 1
    assert CandidateCounts(Command.INDEX, "en", {1: 1, 9: 2}).quantile(50) == 9


def test_rejects_are_added_up_by_command_and_reason(
    both: Statistics, tmp_path: Path, inserted: Path, engine: Engine
) -> None:
    assert [(reject.command, reject.reason, reject.count) for reject in both.rejects] == [
        ("index", "a link to a page that the corpus lacks", 1),
        ("index", "a page without a lead", 1),
        ("insertions", "the link did not stay", 7),
        ("insertions", "a page without a lead", 2),
    ]
    second = _write_insertions(tmp_path / "second", INSERTIONS[:1], {"a page without a lead": 10})
    added = stats([inserted, second], engine).rejects
    assert [(reject.reason, reject.count) for reject in added] == [
        ("a page without a lead", 12),
        ("the link did not stay", 7),
    ]


def test_pages_of_the_same_name_in_two_folders_are_two_pages(tmp_path: Path, inserted: Path, engine: Engine) -> None:
    second = _write_insertions(tmp_path / "second", INSERTIONS[:1], {})
    found = stats([inserted, second], engine)
    assert found.languages[1] == LanguageCounts("fr", insertions=5, pages_with_insertions=3)
    assert found.candidates_of(Command.INSERTIONS)[1].pages_by_candidates == {3: 2, 4: 1, 0: 1}


def test_what_was_not_counted_is_not_said_to_be_nothing(indexed: Path, inserted: Path, engine: Engine) -> None:
    only_index, only_insertions = stats([indexed], engine), stats([inserted], engine)
    assert only_index.scenarios == ()
    assert only_index.macro == {}
    assert only_index.holds(Command.INDEX)
    assert not only_index.holds(Command.INSERTIONS)
    assert not only_insertions.holds(Command.INDEX)
    assert only_insertions.candidates_of(Command.INDEX) == ()


def test_a_folder_without_a_single_insertion_is_counted_as_such(tmp_path: Path, indexed: Path, engine: Engine) -> None:
    empty = _write_insertions(tmp_path / "empty", [], {})
    assert stats([empty], engine).total == LanguageCounts("total")
    assert stats([empty], engine).languages == ()
    assert [of.total for of in stats([indexed, empty], engine).scenarios] == [0, 0]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of pandas, on how pyspark and ibis call it
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # pyspark's own, of every result
def test_spark_counts_the_same(both: Statistics, indexed: Path, inserted: Path, needs: Callable[..., None]) -> None:
    needs("java")
    spark = open_engine("spark", EngineSettings(jobs=2, spark=SMALL_SPARK))
    try:
        assert stats([indexed, inserted], spark) == both
    finally:
        spark.close()


def test_folders_that_cannot_be_counted_get_one_clear_line(tmp_path: Path, inserted: Path, engine: Engine) -> None:
    wanted = "expected a folder that 'linkspot index' or 'insertions' made"
    with pytest.raises(UnusableInput, match=f"nowhere holds no tables of linkspot; {wanted}"):
        stats([inserted, tmp_path / "nowhere"], engine)
    (tmp_path / "file").write_text("x")
    with pytest.raises(UnusableInput, match="file holds no tables of linkspot"):
        stats([tmp_path / "file"], engine)
    TableFolder.begin(tmp_path / "set", {"command": "dataset"}).record({"finished": True})
    with pytest.raises(UnusableInput, match=f"set holds what 'linkspot dataset' made; {wanted}"):
        stats([tmp_path / "set"], engine)
    TableFolder.begin(tmp_path / "begun", {"command": "index"})
    with pytest.raises(UnusableInput, match="begun is not finished; run the same 'linkspot index' again"):
        stats([tmp_path / "begun"], engine)


def test_a_folder_given_twice_is_refused(inserted: Path, engine: Engine) -> None:
    with pytest.raises(UnusableInput, match="added is given twice; give every folder once"):
        stats([inserted, inserted.parent / "." / "added"], engine)


def test_a_folder_that_lost_a_table_or_a_column_is_reported_in_one_line(tmp_path: Path, engine: Engine) -> None:
    folder = _write_insertions(tmp_path / "added", INSERTIONS, {})
    table = pq.read_table(folder / "insertions" / "0.parquet")
    pq.write_table(table.drop(["sections"]), folder / "insertions" / "0.parquet")
    with pytest.raises(UnusableInput, match="added lacks its table of insertions, or some of its columns; make it"):
        stats([folder], engine)
    (folder / "insertions" / "0.parquet").unlink()
    (folder / "insertions").rmdir()
    with pytest.raises(UnusableInput, match="added lacks its table of insertions"):
        stats([folder], engine)


def test_counting_tells_how_far_it_is(indexed: Path, engine: Engine) -> None:
    notes = ProgressNotes()
    stats([indexed], engine, notes)
    shares = notes.stages["counting"].shares
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_manifest_of_nonsense_is_reported_in_one_line(tmp_path: Path, engine: Engine) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(["x"]))
    with pytest.raises(UnusableInput, match="is not a manifest that linkspot wrote"):
        stats([tmp_path], engine)


def test_a_scenario_count_knows_its_total() -> None:
    of = ScenarioCounts("en", dict.fromkeys(Scenario, 2))
    assert of.total == 10
    assert set(of.shares.values()) == {0.2}
