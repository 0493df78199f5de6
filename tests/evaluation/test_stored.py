import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.stored_evaluation import Query, Ranked, write_evaluation

from linkspot.errors import UnusableInput
from linkspot.evaluation.stored import RANKING, Evaluation
from linkspot.metrics.rankings import Lists
from linkspot.records import Scenario

QUERIES = [
    Query("sw", Scenario.TEXT_PRESENT, 3, (1,), 4),
    Query("en", Scenario.MISSING_SECTION, 2, ()),
    Query("sw", Scenario.MISSING_SPAN, 0, ()),
    Query("en", Scenario.MISSING_SENTENCE, 4, (0, 3), 0),
]
SCORES = [[0.5, 0.25, -1.0], [0.0, -0.5], [], [1.0, 2.0, 3.0, 4.0]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rankers = {"mine": Ranked(SCORES, are_logits=True), "bm25": Ranked([[0.0] * len(one) for one in SCORES], -1.0)}
    return write_evaluation(tmp_path / "results", QUERIES, rankers, shard=3)


def _put(folder: Path, label: str, rows: list[dict[str, object]], schema: pa.Schema = RANKING) -> None:
    """Write another table of rankings over the one that is there."""
    path = folder / "rankings" / label
    for found in path.rglob("*.parquet"):
        found.unlink()
    (path / "0000").mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema), path / "0000" / "000000.parquet")


def _rows(scores: list[list[float]], nowhere: float = 0.0) -> list[dict[str, object]]:
    return [{"query": number, "scores": one, "nowhere": nowhere} for number, one in enumerate(scores)]


def test_queries_come_back_as_columns(folder: Path) -> None:
    found = Evaluation.open(folder)
    assert len(found) == 4
    assert found.languages == ("en", "sw")
    assert found.language.tolist() == [1, 0, 1, 0]
    assert found.mentions.tolist() == [4, 2, 2, 0]
    assert found.candidates.tolist() == [3, 2, 0, 4]
    assert (found.gold.values.tolist(), found.gold.lengths.tolist()) == ([1, 0, 3], [1, 0, 0, 2])
    assert found.is_of([Scenario.MISSING_SPAN, Scenario.TEXT_PRESENT]).tolist() == [True, False, True, False]


def test_scores_of_several_files_come_back_query_by_query(folder: Path) -> None:
    ranking = Evaluation.open(folder).rankings["mine"]
    assert np.split(ranking.scores.values, ranking.scores.starts[1:-1])[3].tolist() == [1.0, 2.0, 3.0, 4.0]
    assert ranking.scores.lengths.tolist() == [3, 2, 0, 4]


def test_rankings_in_any_order_are_those_of_their_queries(folder: Path) -> None:
    _put(folder, "mine", _rows(SCORES)[::-1])
    ranking = Evaluation.open(folder).rankings["mine"]
    assert ranking.scores.values.tolist() == [score for one in SCORES for score in one]


def test_a_ranker_says_nowhere_if_no_score_exceeds_its_own(folder: Path) -> None:
    assert Evaluation.open(folder).rankings["bm25"].says_nowhere.tolist() == [False, False, True, False]
    _put(folder, "bm25", _rows(SCORES))
    assert Evaluation.open(folder).rankings["bm25"].says_nowhere.tolist() == [False, True, True, False]


def test_a_ranker_with_odds_says_nowhere_if_that_is_likelier_than_all_places_together(folder: Path) -> None:
    assert Evaluation.open(folder).rankings["mine"].says_nowhere.tolist() == [False, False, True, False]
    _put(folder, "mine", _rows([[-1.0, -1.0, -1.0], [-1.0, -1.0], [], [-1.4] * 4]))
    assert Evaluation.open(folder).rankings["mine"].says_nowhere.tolist() == [False, True, True, True]


def test_rankers_come_in_the_order_in_which_they_joined_with_what_is_known_of_them(folder: Path) -> None:
    found = Evaluation.open(folder)
    assert [(label, ranking.are_logits) for label, ranking in found.rankings.items()] == [
        ("mine", True),
        ("bm25", False),
    ]


def test_rankers_that_are_not_through_are_named(folder: Path) -> None:
    (folder / "rankings" / "mine").rename(folder / "rankings" / ".mine.shards")
    found = Evaluation.open(folder)
    assert (list(found.rankings), found.unfinished) == (["bm25"], ("mine",))


def test_a_manifest_that_knows_nothing_of_logits_means_none(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "rankers": {"bm25": {"mark": "x"}}}))
    found = Evaluation.open(folder)
    assert [(label, ranking.are_logits) for label, ranking in found.rankings.items()] == [
        ("bm25", False),
        ("mine", False),
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (_rows(SCORES[:3]), "holds rankings of other queries; delete it and evaluate mine again"),
        (_rows([*SCORES[:3], [1.0]]), "holds rankings of other queries"),
        ([{**row, "query": number + 1} for number, row in enumerate(_rows(SCORES))], "rankings of other queries"),
        (_rows([*SCORES[:3], [1.0, 2.0, float("nan"), 3.0]]), "holds scores that are not numbers"),
        (_rows(SCORES, float("nan")), "holds scores that are not numbers"),
        (_rows(SCORES, -float("inf")), "holds infinite scores, which cannot be logits"),
        (_rows([*SCORES[:3], [1.0, 2.0, float("inf"), 3.0]]), "holds infinite scores, which cannot be logits"),
        ([{"query": 0}] * 4, "lacks some of query, scores, nowhere"),
    ],
)
def test_rankings_that_cannot_be_used_are_refused(folder: Path, rows: list[dict[str, object]], message: str) -> None:
    _put(folder, "mine", rows)
    with pytest.raises(UnusableInput, match=message):
        Evaluation.open(folder)


def test_scores_without_bounds_are_fine_where_they_are_no_logits(folder: Path) -> None:
    scores = [[-np.inf] * len(one) for one in SCORES]
    _put(folder, "bm25", _rows(scores, -np.inf))
    assert Evaluation.open(folder).rankings["bm25"].says_nowhere.all()


def test_files_that_are_no_tables_are_refused(folder: Path) -> None:
    next((folder / "rankings" / "mine").rglob("*.parquet")).write_text("not Parquet")
    with pytest.raises(UnusableInput, match="mine cannot be read as Parquet; delete it and evaluate again"):
        Evaluation.open(folder)


def test_folders_that_are_no_whole_evaluation_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="holds no tables of linkspot; expected a folder that 'linkspot evaluate'"):
        Evaluation.open(tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "finished": False}))
    with pytest.raises(UnusableInput, match="is not finished; run the same 'linkspot evaluate' again"):
        Evaluation.open(folder)


def test_queries_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    beyond = [Query("en", Scenario.TEXT_PRESENT, 2, (2,))]
    with pytest.raises(UnusableInput, match="names right places that are not in the page"):
        Evaluation.open(write_evaluation(tmp_path / "beyond", beyond, {"a": Ranked([[0.0, 0.0]])}))
    with pytest.raises(UnusableInput, match="holds no queries"):
        Evaluation.open(write_evaluation(tmp_path / "none", [], {}))
    strange = write_evaluation(tmp_path / "strange", QUERIES, {"a": Ranked(SCORES)})
    path = strange / "queries" / "queries.parquet"
    table = pq.read_table(path)
    place = table.schema.get_field_index("scenario")
    pq.write_table(table.set_column(place, "scenario", pa.array(["lost"] * 4)), path)
    with pytest.raises(UnusableInput, match="a scenario 'lost'; expected one of text_present, missing_mention"):
        Evaluation.open(strange)


def test_lists_are_joined_one_by_one_also_empty_ones() -> None:
    lists = Lists(np.array([3.0, 1.0, 2.0, 5.0]), np.array([0, 0, 2, 2, 3, 4, 4]))
    assert lists.reduce(np.maximum, -1).tolist() == [-1, 3, -1, 2, 5, -1]
    assert lists.reduce(np.add, 0).tolist() == [0, 4, 0, 2, 5, 0]
    assert Lists(np.empty(0), np.array([0, 0])).reduce(np.add, 7).tolist() == [7]
