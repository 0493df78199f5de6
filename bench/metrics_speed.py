"""The metrics of a million stored rankings, compared with ranx on the same rankings, on one thread, in one run."""

import time
import warnings
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from linkspot.metrics.metrics import hits_at, ndcg, reciprocal_rank, right_ranks

QUERIES, CANDIDATES = 1_000_000, 40
METRICS = ("hit_rate@1", "mrr", "hit_rate@3", "hit_rate@5", "ndcg")  # as ranx calls them
_FEWER = 20_000  # queries for the slow way
_ROUNDS = 3

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def measure() -> str:
    """Return a table of how long five metrics of every query take; the best of some rounds counts."""
    random = np.random.default_rng(0)
    scores = random.random((QUERIES, CANDIDATES))
    gold = random.integers(0, CANDIDATES, size=(QUERIES, 1))
    theirs(scores[:100], gold[:100])  # compiles
    _through_dicts(*_dicts(scores[:100], gold[:100]))
    dicts = _dicts(scores[:_FEWER], gold[:_FEWER])
    seconds = {
        "linkspot": _best(lambda: ours(scores, gold)),
        "ranx, on arrays that numpy sorted for it": _best(lambda: theirs(scores, gold)),
        "ranx, its `Run` and `Qrels` from dicts": _best(lambda: _through_dicts(*dicts)) * QUERIES / _FEWER,
    }
    if not all(np.allclose(a, b) for a, b in zip(ours(scores, gold), theirs(scores, gold), strict=True)):
        raise AssertionError("linkspot and ranx disagree on rankings without ties")
    rows = [f"| {name} | {took:.1f} s | {took / seconds['linkspot']:.1f} × |" for name, took in seconds.items()]
    return "\n".join(
        [
            f"Hits@1, MRR, Hits@3, Hits@5 and NDCG of each of {QUERIES:,} queries, from the scores of {CANDIDATES}",
            f"candidates and one right one; one thread, best of {_ROUNDS} rounds. Dicts are made beforehand, for",
            f"{_FEWER:,} queries, and the time is extrapolated. The values of linkspot and ranx are equal.",
            "",
            "| | time | relative |",
            "| --- | ---: | ---: |",
            *rows,
        ]
    )


def ours(scores: Floats, gold: Ints) -> list[Floats]:
    """Return our five metrics of queries with n candidates and g right ones each: (Q, n), (Q, g) → five of (Q,)."""
    score_starts, gold_starts = (np.arange(len(part) + 1) * part.shape[1] for part in (scores, gold))
    ranks = right_ranks(scores.ravel(), score_starts, gold.ravel(), gold_starts)
    return [hits_at(ranks, 1), reciprocal_rank(ranks), hits_at(ranks, 3), hits_at(ranks, 5), ndcg(ranks)]


def theirs(scores: Floats, gold: Ints) -> list[Floats]:
    """Return ranx's five metrics of the same queries, given as the arrays that it computes with."""
    import ranx

    order = np.argsort(-scores, axis=1)
    run = np.stack([order, np.take_along_axis(scores, order, axis=1)], axis=2)  # (Q, n, 2) candidates and scores
    qrels = np.stack([gold, np.ones_like(gold)], axis=2).astype(np.float64)
    values = ranx.evaluate(qrels, run, list(METRICS), return_mean=False, threads=1)
    return [values[name] for name in METRICS]


Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]


def _dicts(scores: Floats, gold: Ints) -> tuple[Run, Qrels]:
    names = [f"q{number:07}" for number in range(len(scores))]
    run = {
        name: {f"d{n}": score for n, score in enumerate(row)} for name, row in zip(names, scores.tolist(), strict=True)
    }
    qrels = {name: {f"d{n}": 1 for n in row} for name, row in zip(names, gold.tolist(), strict=True)}
    return run, qrels


def _through_dicts(run: Run, qrels: Qrels) -> None:
    import ranx

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numba, about its own casts
        ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), list(METRICS), return_mean=False, threads=1)


def _best(run: Callable[[], object]) -> float:
    times = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)
