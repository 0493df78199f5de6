"""What an evaluation adds to the time of the ranker that it evaluates."""

import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.dual_head import real_insertions
from bench.encoders import exported
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.evaluation.evaluate import evaluate
from linkspot.evaluation.figures import Figures
from linkspot.evaluation.queries import DatasetQueries
from linkspot.evaluation.stored import Evaluation
from linkspot.ranking.ranker import open_ranker

_ENOUGH = 10.0  # seconds of rounds for each ranker; the shortest round counts


def measure() -> str:
    """Return a table of each ranker's own time, and of the time that `linkspot evaluate` takes with it."""
    queries = DatasetQueries(real_insertions(), "validation")
    rankers = {"bm25": "bm25", "embedding": f"embedding:{exported(int8=True)}"}
    rows = [f"| {label} | {_relative(label, name, queries)} |" for label, name in rankers.items()]
    return "\n".join(
        [
            f"`linkspot evaluate` on {queries.count:,} real insertions with everything it does (reading, ranking,",
            "storing, metrics), compared with reading each page and calling the ranker; the best of several rounds.",
            "",
            "| ranker | reading and ranking | the whole evaluation | relative |",
            "| --- | ---: | ---: | ---: |",
            *rows,
        ]
    )


def _relative(label: str, name: str, queries: DatasetQueries) -> str:
    alone: list[float] = []
    whole: list[float] = []
    while sum(alone) < _ENOUGH:
        alone.append(_alone(name, queries))
        whole.append(_evaluated(label, name, queries))
    return f"{min(alone):.2f} s | {min(whole):.2f} s | {min(whole) / min(alone):.2f} ×"


def _alone(name: str, queries: DatasetQueries) -> float:
    ranker = open_ranker(name)
    start = time.perf_counter()
    for query in queries.read(Counter()):
        query.scores(ranker)
    return time.perf_counter() - start


def _evaluated(label: str, name: str, queries: DatasetQueries) -> float:
    engine = open_engine("local", EngineSettings(jobs=1))
    with TemporaryDirectory() as folder:
        start = time.perf_counter()
        evaluate(queries, {label: name}, Path(folder) / "out", engine)
        Figures.of(Evaluation.open(Path(folder) / "out"))
        seconds = time.perf_counter() - start
    engine.close()
    return seconds
