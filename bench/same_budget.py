"""`window` and `article`, trained for about as long as the model that comes with linkspot, on the same tests."""

import json
import time
from dataclasses import replace
from pathlib import Path

from bench.encoders import CACHE, e5, similarity
from bench.head_cases import DATASET
from bench.wikis import DATA
from linkspot.encoders.export import export_folder
from linkspot.engines.engine import EngineSettings, open_engine
from linkspot.experiments.benchmark import BenchmarkSettings, run_benchmark
from linkspot.experiments.budgets import SMALL_INPUTS, SMALL_STAGES
from linkspot.experiments.plan import cut_down, shipped
from linkspot.metrics.slices import OVERALL
from linkspot.progress import SILENT
from linkspot.ranking.ranker import SHIPPED
from linkspot.reporting.markdown import markdown_table
from linkspot.training.recipe import Kept, Recipe, ValidationSettings
from linkspot.training.stages import TrainingExamples
from linkspot.training.train import train
from linkspot.training.trainer import TrainerSettings

_FOLDER = CACHE / "same-budget"
# The recipe, the number of existing links and of insertions: about half an hour on two cores. The shipped model takes
# some 20 minutes for its encoder, and as many for its head. An example takes `window` twice as long as `article`.
_EXAMPLES = {"window": ("xlocei", 1_200, 1_200), "article": ("article-multilingual", 2_200, 2_200)}
_MOST = 30  # queries of a language: `window` reads each of a page's sentences up to eleven times
_CHOSEN = 10
_LAYERS = 12  # of the encoder


def measure() -> str:
    """Train both models, unless an earlier run did, and return how they rank the tests beside the others."""
    trained = {name: _trained(name) for name in _EXAMPLES}
    rankers = {name: str(folder) for name, (folder, _) in trained.items()}
    rankers |= {f"{SHIPPED}, then {name}": f"cascade:{SHIPPED},{_CHOSEN},{folder}" for name, folder in rankers.items()}
    settings = BenchmarkSettings(
        DATA,
        _FOLDER / "benchmark",
        CACHE,
        rankers,
        str(similarity()),
        _MOST,
    )
    engine = open_engine("local", EngineSettings(jobs=1))
    try:
        report = run_benchmark(settings, engine, SILENT)
    finally:
        engine.close()
    figures = report.figures
    languages = ", ".join(f"{name} {len(figures.queries(OVERALL, name))}" for name in report.languages)
    minutes = ", ".join(f"`{name}` {seconds / 60:.0f}" for name, (_, seconds) in trained.items())
    return "\n".join(
        [
            f"Minutes of training on two cores: {minutes}; both start from multilingual-e5-small. Its upper",
            f"{SMALL_STAGES.layers} layers learn, first from existing links, then from insertions. All rank in 8 bits.",
            f"In a cascade, `{SHIPPED}` chooses {_CHOSEN} places, and the other model orders them.",
            f"At most {_MOST} test queries of a language: {languages}.",
            "",
            *markdown_table(report.summary),
            "",
            report.summary.note,
        ]
    )


def _trained(name: str) -> tuple[Path, float]:
    """Return the folder of the exported model, and for how many seconds it was trained."""
    recipe_name, links, insertions = _EXAMPLES[name]
    folder, exported, clock = _FOLDER / name, _FOLDER / f"{name}-int8", _FOLDER / f"{name}.json"
    if not clock.exists():
        start = time.perf_counter()
        train(_recipe(recipe_name, links, insertions), TrainerSettings(folder))
        clock.write_text(json.dumps(time.perf_counter() - start), encoding="utf-8")
    if not exported.exists():
        export_folder(folder, exported)
    return exported, json.loads(clock.read_text(encoding="utf-8"))


def _recipe(name: str, links: int, insertions: int) -> Recipe:
    """Return a recipe with the rates and lengths of small experiments, and as many examples as fit the time."""
    recipe = shipped(name, DATASET)
    counts = {TrainingExamples.EXISTING_LINKS: links, TrainingExamples.INSERTIONS: insertions}
    stages = (cut_down(stage, SMALL_STAGES, _LAYERS) for stage in recipe.stage)
    return replace(
        recipe,
        encoder=str(e5()),
        inputs=SMALL_INPUTS,
        attention_dropout=False,
        stage=tuple(replace(stage, examples=counts[stage.training_examples]) for stage in stages),
        validation=ValidationSettings(examples=1, keep=Kept.LAST),  # validation takes time and changes nothing here
    )
