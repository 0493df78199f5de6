"""Evaluating: every query is ranked once, and what is stored is what the ranker said."""

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import counting_ranker
from tests.counting_ranker import CountingRanker
from tests.tiny_encoders import tiny_model

from linkspot.engines.engine import Engine, EngineSettings, open_engine
from linkspot.errors import UnusableInput
from linkspot.evaluation import evaluate as evaluation
from linkspot.evaluation.evaluate import evaluate
from linkspot.evaluation.figures import Figures, Metric
from linkspot.evaluation.queries import DatasetQueries
from linkspot.evaluation.stored import Evaluation
from linkspot.examples.dataset_reader import Insertions
from linkspot.metrics.slices import OVERALL
from linkspot.model.config import ModelKind
from linkspot.ranking.ranker import RANKERS, RankerEntry, RankerOptions, open_ranker
from linkspot.tables.folder import TableFolder


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    engine = open_engine("local", EngineSettings(jobs=1))
    yield engine
    engine.close()


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> CountingRanker:
    ranker = CountingRanker()
    monkeypatch.setattr(counting_ranker, "current", ranker)
    monkeypatch.setitem(RANKERS, "counting", RankerEntry("counts", "tests.counting_ranker:open_counting"))
    evaluation._opened.cache_clear()
    return ranker


def test_what_is_stored_is_what_rankers_say(trees: Path, engine: Engine, tmp_path: Path) -> None:
    evaluate(DatasetQueries(trees, "validation"), {"bm25": "bm25", "words": "string-match"}, tmp_path / "out", engine)
    stored = Evaluation.open(tmp_path / "out")
    insertions = list(Insertions(trees, "validation"))
    assert len(stored) == len(insertions) > 5
    assert list(stored.rankings) == ["bm25", "words"]
    for label, name in (("bm25", "bm25"), ("words", "string-match")):
        scores = stored.rankings[label].scores
        expected = [open_ranker(name).score(one.example.entity, one.example.article).places for one in insertions]
        assert scores.values.tolist() == [score for of_query in expected for score in of_query]
        assert scores.lengths.tolist() == [len(one.example.article.sentences) for one in insertions]
    assert stored.gold.values.tolist() == [number for one in insertions for number in one.example.gold]
    figure = Figures.of(stored).figure("words", Metric.HITS_AT_1, OVERALL)
    assert figure is not None
    assert figure.value == 1.0  # the words are there, once


def test_a_second_run_ranks_nothing_again_and_others_may_join(
    trees: Path, engine: Engine, tmp_path: Path, counting: CountingRanker
) -> None:
    queries = DatasetQueries(trees, "validation")
    for rankers in ({"one": "counting"}, {"one": "counting"}, {"one": "counting", "other": "bm25"}):
        evaluate(queries, rankers, tmp_path / "out", engine)
    assert counting.asked.total() == queries.count
    assert list(Evaluation.open(tmp_path / "out").rankings) == ["one", "other"]


def test_a_stopped_run_goes_on_with_the_queries_that_are_left(
    trees: Path, engine: Engine, tmp_path: Path, counting: CountingRanker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "_SHARD_OF_QUICK", 2)
    queries = DatasetQueries(trees, "validation")
    counting.worst = math.nan
    monkeypatch.setattr(counting, "asked", Counter({("", "", -1): 20}))  # as if it had done well 20 times
    with pytest.raises(UnusableInput, match=r"^counting gives a score that is not a number to a place of '\w+' for"):
        evaluate(queries, {"one": "counting"}, tmp_path / "out", engine)
    with pytest.raises(UnusableInput, match="is not finished"):
        Evaluation.open(tmp_path / "out")
    counting.worst = 0.0
    counting.asked.clear()
    evaluate(queries, {"one": "counting"}, tmp_path / "out", engine)
    assert counting.asked.total() == queries.count - 4


@pytest.mark.parametrize("ranker", ["bm25", "linkspot"])
def test_two_processes_store_the_same(trees: Path, engine: Engine, tmp_path: Path, ranker: str) -> None:
    queries = DatasetQueries(trees, "train")
    two = open_engine("local", EngineSettings(jobs=2))
    evaluate(queries, {ranker: ranker}, tmp_path / "one", engine)
    evaluate(queries, {ranker: ranker}, tmp_path / "two", two)
    two.close()
    one, other = (Evaluation.open(tmp_path / name).rankings[ranker].scores for name in ("one", "two"))
    assert one.values.tolist() == other.values.tolist()


def test_other_queries_do_not_mix_with_those_that_are_there(trees: Path, engine: Engine, tmp_path: Path) -> None:
    evaluate(DatasetQueries(trees, "validation"), {"bm25": "bm25"}, tmp_path / "out", engine)
    with pytest.raises(UnusableInput, match=r"made in another way \(languages differ\)"):
        evaluate(DatasetQueries(trees, "validation", ("sw",)), {"bm25": "bm25"}, tmp_path / "out", engine)


def test_a_model_that_changed_is_not_taken_for_the_one_it_was(trees: Path, engine: Engine, tmp_path: Path) -> None:
    queries = DatasetQueries(trees, "validation", ("sw",), per_language=2)
    model = str(tiny_model(tmp_path / "model", ModelKind.DUAL))
    evaluate(queries, {"mine": model}, tmp_path / "out", engine)
    assert TableFolder(tmp_path / "out").manifest()["rankers"]["mine"]["logits"] is True
    tiny_model(tmp_path / "model2", ModelKind.WINDOW)
    with pytest.raises(UnusableInput, match="holds rankings of another 'mine', or from before it changed"):
        evaluate(queries, {"mine": str(tmp_path / "model2")}, tmp_path / "out", engine)


def test_languages_and_a_limit_draw_queries(trees: Path, engine: Engine, tmp_path: Path) -> None:
    queries = DatasetQueries(trees, "train", ("sw",), per_language=3, seed=4)
    evaluate(queries, {"random": "random"}, tmp_path / "out", engine)
    stored = Evaluation.open(tmp_path / "out")
    assert (stored.languages, len(stored)) == (("sw",), 3)
    again, *others = (DatasetQueries(trees, "train", ("sw",), 3, seed) for seed in (4, 5, 6, 7, 8))
    drawn, same, *different = (
        [query.facts["event"] for query in some.read(Counter())] for some in (queries, again, *others)
    )
    assert drawn == same
    assert any(events != drawn for events in different)  # of so few, two seeds may draw alike


@pytest.mark.parametrize(
    ("wanted", "complaint"),
    [
        ({"split": "tset"}, "'tset' is not a split of a dataset; there are: train, validation, test"),
        ({"languages": ("xx",)}, "has no validation insertions in xx; there are some in en, sw"),
        ({"folder": Path("nowhere")}, "nowhere holds no tables of linkspot"),
    ],
)
def test_queries_that_are_not_there_are_told_in_one_line(
    trees: Path, engine: Engine, tmp_path: Path, wanted: dict[str, object], complaint: str
) -> None:
    with pytest.raises(UnusableInput, match=complaint):
        evaluate(
            DatasetQueries(**{"folder": trees, "split": "validation", **wanted}),  # type: ignore[arg-type]
            {"bm25": "bm25"},
            tmp_path / "out",
            engine,
        )


def test_a_label_is_the_name_of_a_folder(trees: Path, engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"^'a/b' cannot name a ranker's table"):
        evaluate(DatasetQueries(trees, "validation"), {"a/b": "bm25"}, tmp_path / "out", engine)


def test_a_key_is_never_shown_or_stored() -> None:
    assert "secret" not in repr(RankerOptions(key="secret"))
