"""What a model loses with a smaller encoder: the recipe `fast` compared with the model that comes with linkspot.

Both are tested on the real wikis and, in many languages, on the Declaration of Human Rights. The smaller encoder also
learned from the texts of the declaration, except those in held-out languages.
"""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from bench.declarations import in_languages, pages
from bench.encoders import CACHE, e5
from bench.head_cases import DATASET
from linkspot.encoders.export import export_folder
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.evaluation.evaluate import evaluate
from linkspot.evaluation.figures import Figures, Metric
from linkspot.evaluation.queries import DatasetQueries
from linkspot.evaluation.stored import Evaluation
from linkspot.experiments.benchmark_corpora import HELD_OUT
from linkspot.experiments.plan import shipped
from linkspot.metrics.slices import MAIN_SLICES
from linkspot.model.shipped import shipped_model
from linkspot.ranking.ranker import SHIPPED
from linkspot.training.train import train
from linkspot.training.trainer import TrainerSettings

_FOLDER = CACHE / "smaller"
_FAST = "fast"
_TESTS = CACHE / "benchmark" / "dataset"  # as `python -m bench benchmark` makes it
_LANGUAGES_TESTED = ("en", "en-us", "fr", "ja", "ko", "zh-cn", "zh-tw")
_MOST = 150  # queries of a language


def measure() -> str:
    """Return the figures of both models on the tests and in many languages; results of earlier runs are used again."""
    folder = _trained()
    return "\n".join(
        ["On the tests, macro:", "", *_on_tests(folder), "", *in_languages({SHIPPED: shipped_model(), _FAST: folder})]
    )


def _trained() -> Path:
    """Return the folder of the smaller model, trained and exported."""
    folder, exported = _FOLDER / _FAST, _FOLDER / f"{_FAST}-int8"
    if not folder.exists():
        texts = _FOLDER / "texts.txt"
        command = [sys.executable, "scripts/declarations", str(pages()), ",".join(HELD_OUT)]
        texts.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
        recipe = replace(shipped(_FAST, DATASET), encoder=str(e5()), texts=str(texts))
        train(recipe, TrainerSettings(folder))
    if not exported.exists():
        export_folder(folder, exported, embedding_bits=4)
    return exported


def _on_tests(folder: Path) -> list[str]:
    """Return a table of the figures of both models, with precedents and without."""
    rankers = {SHIPPED: SHIPPED, _FAST: str(folder)}
    rankers |= {f"{name}, the page alone": f"without-precedents:{ranker}" for name, ranker in rankers.items()}
    queries = DatasetQueries(_TESTS, "test", _LANGUAGES_TESTED, _MOST, 0)
    engine = open_engine("local", EngineSettings(jobs=2))
    try:
        for name, ranker in rankers.items():
            evaluate(queries, {name: ranker}, _FOLDER / "rankings", engine)
    finally:
        engine.close()
    figures = Figures.of(Evaluation.open(_FOLDER / "rankings"))
    overall, present, missing = MAIN_SLICES
    columns = {"all": (overall, "macro"), "Present": (present, "macro"), "Missing": (missing, "macro")}
    columns |= {"`en`": (overall, "en"), "`en`, Missing": (missing, "en")}
    lines = [f"| | {' | '.join(columns)} |", "| --- |" + " ---: |" * len(columns)]
    for name in sorted(rankers, key=lambda name: ("alone" in name, name != SHIPPED)):
        cells = []
        for part, language in columns.values():
            results = [figures.figure(name, metric, part, language) for metric in (Metric.HITS_AT_1, Metric.MRR)]
            cells.append(" / ".join(f"{result.value:.3f}" for result in results if result))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines
