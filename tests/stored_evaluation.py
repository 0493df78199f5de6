"""Evaluations as `linkspot evaluate` leaves them, written by hand for tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from linkspot.evaluation.stored import QUERIES, QUERY, RANKING, RANKINGS
from linkspot.records import Scenario
from linkspot.tables.folder import TableFolder


@dataclass(frozen=True)
class Query:
    """A query: its right places among so many candidates, and what is known of it."""

    language: str
    scenario: Scenario
    candidates: int
    gold: tuple[int, ...]
    mentions: int = 2


@dataclass(frozen=True)
class Ranked:
    """The scores that a ranker gave to each query's candidates."""

    scores: Sequence[Sequence[float]]
    nowhere: float = 0.0
    are_logits: bool = False


def write_evaluation(folder: Path, queries: Sequence[Query], rankers: Mapping[str, Ranked], shard: int = 20) -> Path:
    """Write the tables and the manifest of an evaluation."""
    facts = {label: {"mark": f"mark of {label}", "logits": ranked.are_logits} for label, ranked in rankers.items()}
    tables = TableFolder.begin(folder, {"command": "evaluate"})
    _write(folder / QUERIES / "queries.parquet", [_facts(number, one) for number, one in enumerate(queries)], QUERY)
    for label, ranked in rankers.items():
        rows = [
            {"query": number, "scores": list(scores), "nowhere": ranked.nowhere}
            for number, scores in enumerate(ranked.scores)
        ]
        for start in range(0, len(rows), shard):
            path = folder / RANKINGS / label / "0000" / f"{start // shard:06}.parquet"
            _write(path, rows[start : start + shard], RANKING)
    tables.record({"rankers": facts, "finished": True})
    return folder


def _facts(number: int, query: Query) -> dict[str, object]:
    return {
        "query": number,
        "event": f"event {number}",
        "corpus": "wiki",
        "language": query.language,
        "scenario": query.scenario.value,
        "source_title": f"Page {number}",
        "target_title": f"Target {number}",
        "mentions": query.mentions,
        "candidates": query.candidates,
        "sections": [query.candidates],
        "gold": list(query.gold),
    }


def _write(path: Path, rows: list[dict[str, object]], schema: pa.Schema) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema), path)


def some_evaluation(folder: Path, queries: int = 300, are_logits: bool = True) -> Path:
    """Write an evaluation of three rankers in three languages: `good` beats `fair` clearly, `twin` is `fair` again."""
    random = np.random.default_rng(3)
    scenarios = random.choice(list(Scenario), queries, p=[0.4, 0.15, 0.15, 0.15, 0.15])
    languages = random.choice(["en", "ja", "sw"], queries, p=[0.6, 0.3, 0.1])
    asked, good, fair = [], [], []
    for language, scenario in zip(languages.tolist(), map(Scenario, scenarios.tolist()), strict=True):
        candidates = int(random.integers(2, 60))
        right = int(random.integers(candidates - 1))
        gold = () if scenario is Scenario.MISSING_SECTION else (right, right + 1)
        asked.append(Query(language, scenario, candidates, gold, int(random.integers(11))))
        scores = random.normal(size=candidates) - 1 - np.log(candidates)  # odds are of all places together
        for place in gold:
            scores[place] += 0.6 if language == "ja" else 1.2
        fair.append(scores.tolist())
        good.append([score + 1.5 * (place in gold) for place, score in enumerate(scores.tolist())])
    rankers = {
        "good": Ranked(good, are_logits=are_logits),
        "fair": Ranked(fair, are_logits=are_logits),
        "twin": Ranked(fair, nowhere=-9.0),
    }
    return write_evaluation(folder, asked, rankers)
