"""The `dual` model on real insertions: how fast its vectors and head are made, and how well it ranks."""

import shutil
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from bench.encoders import CACHE, exported
from bench.outcomes import languages, means, outcomes, slices
from linkspot.encoders.onnx_encoder import OnnxEncoder
from linkspot.encoders.special_tokens import SpecialTokens
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.examples.context_removal import Problem
from linkspot.examples.dataset_reader import InsertionExample, Insertions
from linkspot.model.dual.dual import Dual, DualReader, identity_of
from linkspot.model.dual.store import VectorStore
from linkspot.model.dual.texts import DualSettings
from linkspot.model.inputs import Inputs, TokenBudget
from linkspot.pipeline.dataset import DatasetSettings, dataset
from linkspot.pipeline.splits import SplitDates
from linkspot.progress import SILENT
from linkspot.ranking.ranker import Ranker, open_ranker
from linkspot.records import Article, Entity
from linkspot.training.head import HeadSettings, fit, samples_of

SPLITS = {  # the dates of DATA.md
    "openttd-edits": SplitDates(datetime(2013, 1, 1, tzinfo=UTC), datetime(2015, 1, 1, tzinfo=UTC)),
    "mdn-edits": SplitDates(datetime(2025, 9, 1, tzinfo=UTC), datetime(2025, 12, 1, tzinfo=UTC)),
}
HELD_OUT = ("ko", "ca", "pl", "zh-tw")
PREFIX = "query: "  # the prefix that this encoder was trained with for symmetric comparisons
CHUNK = 128  # tokens: plain similarity is better than with single sentences, or with 256
BUDGET = TokenBudget(sentence=96, lead=126)
EXAMPLES = 10_000

Score = Callable[[Entity, Article], Sequence[float]]


def measure() -> str:
    """Return how long the vectors and the head took, and a table of Hits@1 and MRR on the validation split."""
    folder = real_insertions()
    train, validation = ([*Insertions(folder, split)] for split in ("train", "validation"))
    encoder = OnnxEncoder(exported(int8=True))
    with VectorStore(CACHE / "dual.vectors", encoder.dimensions) as store:
        inputs = Inputs.of_folder(exported(int8=True), SpecialTokens(0, 2, 1), BUDGET)
        reader = DualReader(
            encoder, inputs, DualSettings(CHUNK, PREFIX, PREFIX), identity_of(exported(int8=True)), store
        )
        kept, start = len(store), time.perf_counter()
        samples, tried = (
            samples_of(reader, [Problem(insertion.example) for insertion in split], SILENT)
            for split in (train, validation)
        )
        made, seconds = len(store) - kept, time.perf_counter() - start
        start = time.perf_counter()
        fit((samples * (1 + EXAMPLES // len(samples)))[:EXAMPLES], tried, HeadSettings(), seed=0)
        minutes = (time.perf_counter() - start) / 60
        model = Dual(reader, fit(samples, tried, HeadSettings(), seed=0))
        rows = _table(validation, _ways(reader, model))
    pages = [insertion.example.article for insertion in (*train, *validation)]
    sentences = len({sentence.text for page in pages for _section, sentence in page.sentences})
    speed = (
        f"{sentences:,} different sentences, and their targets, as {made:,} sequences in {seconds / 60:.1f} minutes"
        if made
        else "none: all vectors are from an earlier run"
    )
    return "\n".join(
        [
            f"Vectors with ONNX int8, and features: {speed}.",
            f"A head on {EXAMPLES:,} examples, once the vectors are made: {minutes:.1f} minutes.",
            "",
            f"Hits@1 / MRR on {len(validation):,} validation insertions, which also decide when to stop, after",
            f"learning from {len(train):,}; insertions that need a new section have no right place and are left out.",
            "Present: the words were there; Missing: all others; macro: the mean over languages.",
            "",
            *rows,
        ]
    )


def real_insertions() -> Path:
    """Return the folder of a dataset of the insertions that `python -m bench insertions` found."""
    out = CACHE / "dual-dataset"
    shutil.rmtree(out, ignore_errors=True)
    engine = open_engine("local", EngineSettings(jobs=2))
    try:
        return dataset([CACHE / name for name in SPLITS], out, engine, DatasetSettings(SPLITS, (), HELD_OUT)).folder
    finally:
        engine.close()


def _ways(reader: DualReader, model: Dual) -> dict[str, Score]:
    def similarity(entity: Entity, article: Article) -> list[float]:
        target = reader.target_vectors(entity, article.language)
        scores: list[float] = (reader.page_vectors(article).sentences @ (target.names + target.lead)).tolist()
        return scores

    rankers = {name: _places(open_ranker(name)) for name in ("random", "string-match", "bm25")}
    return rankers | {
        "similarity": similarity,
        "dual": lambda entity, article: model.scores(entity, article).places.tolist(),
    }


def _places(ranker: Ranker) -> Score:
    return lambda entity, article: ranker.score(entity, article).places


def _table(examples: Sequence[InsertionExample], ways: dict[str, Score]) -> list[str]:
    rows = ["| ranker | overall | Present | Missing | macro | macro Missing |", "| --- |" + " ---: |" * 5]
    for name, score in ways.items():
        results = outcomes(examples, partial(_scores, score))
        present, missing = slices(results)
        groups = ([results], [present], [missing], languages(results), languages(missing))
        rows.append(f"| {name} | {' | '.join('{:.3f} / {:.3f}'.format(*means(group)) for group in groups)} |")
    return rows


def _scores(score: Score, insertion: InsertionExample) -> Sequence[float]:
    return score(insertion.example.entity, insertion.example.article)
