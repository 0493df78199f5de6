"""`linkspot experiment`: trains the variants of an experiment, ranks its queries with all of them, and reports."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from linkspot.encoders.torch_encoder import quiet
from linkspot.engines.engine import Engine
from linkspot.errors import BrokenRun
from linkspot.evaluation.evaluate import evaluate
from linkspot.evaluation.queries import DatasetQueries
from linkspot.evaluation.stored import QUERIES, RANKING, RANKINGS
from linkspot.experiments.budgets import BUDGETS, budget_of
from linkspot.experiments.catalogue import experiment_of
from linkspot.experiments.drawn_dataset import draw, open_dataset
from linkspot.experiments.encoders import EncoderFolder
from linkspot.experiments.languages import FEWEST
from linkspot.experiments.plan import FOR_ALL, ExperimentPlan, Planner, VariantPlan
from linkspot.experiments.split_counts import SplitCounts
from linkspot.files import unfinished
from linkspot.model.config import CONFIG
from linkspot.progress import Progress
from linkspot.tables.folder import TableFolder
from linkspot.training.recipe import Recipe
from linkspot.training.train import train
from linkspot.training.trainer import WORK, TrainerSettings

DATASET, ENCODERS, MODELS, RANKED, BY_LANGUAGE, TRAINED, TIMES = (
    "dataset",
    "encoders",
    "models",
    "rankings",
    "rankings-by-language",
    "trained",
    "seconds_of_ranking",
)
_ALL = 1_000_000_000  # more rows than any dataset has


@dataclass(frozen=True, slots=True)
class ExperimentSettings:
    """What is asked for; what is left out is as the budget has it.

    `limit` is how many queries of each language are ranked (0: all), `part` the languages that a part has, `rankers`
    are further ones to set beside, by their labels.
    """

    name: str
    dataset: Path
    out: Path
    budget: str = "small"
    seed: int = 0
    limit: int | None = None
    encoders: tuple[str, ...] = ()
    part: tuple[str, ...] = ()
    rankers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DoneExperiment:
    """An experiment that is done: its plan, the folder with all it made, and the dataset it learned from."""

    plan: ExperimentPlan
    folder: TableFolder
    dataset: TableFolder
    counts: SplitCounts
    further: tuple[str, ...]  # labels of rankers that were set beside

    @property
    def rankings(self) -> Path:
        """The evaluation's folder."""
        return self.folder.path / RANKED

    @property
    def trained(self) -> dict[str, dict[str, Any]]:
        """What is recorded of every training, by the folder of its model."""
        found: dict[str, dict[str, Any]] = self.folder.manifest().get(TRAINED, {})
        return found


def run_experiment(settings: ExperimentSettings, engine: Engine, progress: Progress) -> DoneExperiment:
    """Train and rank what is not trained and ranked yet."""
    experiment, budget = experiment_of(settings.name), budget_of(settings.budget)
    whole = open_dataset(settings.dataset)
    _planner(settings, whole).plan()  # what the dataset lacks is told before anything is written
    manifest = whole.manifest()
    told = {
        "command": "experiment",
        "experiment": experiment.name,
        "dataset": {"plan": manifest["plan"], "rows": manifest["rows"]},
        **{name: getattr(settings, name) for name in ("budget", "seed", "limit", "encoders", "part")},
    }
    folder = TableFolder.begin(settings.out, told)
    with folder.alone():
        dataset, limits = whole, BUDGETS[budget].data
        if limits:
            if settings.limit is not None:
                # Fewer tests than a language needs to be tested are ranked, but not drawn.
                limits = replace(limits, test=max(settings.limit, FEWEST) if settings.limit else _ALL)
            dataset = draw(whole, folder.path / DATASET, limits, settings.seed, engine, progress)
        planner = _planner(settings, dataset)
        plan = planner.plan()
        progress.part("encoders")
        planner.folder.make(one.encoder for one in plan.variants if one.encoder)
        work = _Work(plan, folder, dataset, engine, progress)
        work.run(settings.rankers)
        folder.record({"finished": True})
    return DoneExperiment(plan, folder, dataset, planner.counts, tuple(settings.rankers))


def _planner(settings: ExperimentSettings, dataset: TableFolder) -> Planner:
    return Planner(
        experiment_of(settings.name),
        budget_of(settings.budget),
        dataset.path,
        SplitCounts.of(dataset),
        EncoderFolder(settings.out / ENCODERS),
        settings.seed,
        settings.limit,
        settings.encoders,
        settings.part,
    )


@dataclass(frozen=True)
class _Work:
    """Works through a plan, variant by variant, each trained and then ranked with."""

    plan: ExperimentPlan
    folder: TableFolder
    dataset: TableFolder
    engine: Engine
    progress: Progress

    def run(self, further: Mapping[str, str]) -> None:
        """Train and rank all variants, and rank with further rankers."""
        count = len(self.plan.variants) + len(further)
        for number, one in enumerate(self.plan.variants, start=1):
            self.progress.part(f"{number} of {count}: {one.label}")
            for language, recipe in one.recipes.items():
                self._train(one.folder(language), recipe)
            self._rank(one)
        for number, (label, ranker) in enumerate(further.items(), start=len(self.plan.variants) + 1):
            self.progress.part(f"{number} of {count}: {label}")
            self._evaluate(RANKED, {label: ranker}, self.plan.choice.tested)

    def _train(self, name: str, recipe: Recipe) -> None:
        out = self._model(name)
        if (out / CONFIG).exists():
            return
        was_stopped = (out / WORK).exists()
        began = time.monotonic()
        with quiet():
            figures = train(recipe, TrainerSettings(out, resume=True), self.progress)
        facts = {
            "seconds": round(time.monotonic() - began, 1),
            "was_stopped": was_stopped,
            "validation": {"hits_at_1": figures.hits_at_1, "mrr": figures.mrr, "queries": figures.queries}
            if figures
            else None,
        }
        self.folder.record({TRAINED: {**self.folder.manifest().get(TRAINED, {}), name: facts}})

    def _rank(self, one: VariantPlan) -> None:
        tested = self.plan.choice.tested
        if not one.recipes:
            self._evaluate(RANKED, {one.label: one.ranker}, tested)
        elif FOR_ALL in one.recipes:
            self._evaluate(RANKED, {one.label: str(self._model(one.folder(FOR_ALL)))}, tested)
        else:
            for language in one.recipes:
                model = str(self._model(one.folder(language)))
                self._evaluate(f"{BY_LANGUAGE}/{language}", {one.label: model}, (language,))
            gather(one.label, self.folder.path / RANKED, self.folder.path / BY_LANGUAGE, tuple(one.recipes))

    def _evaluate(self, name: str, rankers: Mapping[str, str], languages: tuple[str, ...]) -> None:
        queries = DatasetQueries(self.dataset.path, "test", languages, self.plan.per_language, self.plan.seed)
        out, began = self.folder.path / name, time.monotonic()
        new = [label for label in rankers if not TableFolder(out).has(f"{RANKINGS}/{label}")]
        evaluate(queries, rankers, out, self.engine, self.progress)
        known = self.folder.manifest().get(TIMES, {})
        times = {label: round(known.get(label, 0.0) + time.monotonic() - began, 1) for label in new}
        self.folder.record({TIMES: {**known, **times}})

    def _model(self, name: str) -> Path:
        return self.folder.path / MODELS / name


def gather(label: str, rankings: Path, parts: Path, languages: tuple[str, ...]) -> None:
    """Put rankings that models of single languages made together, as if one ranker had made them."""
    folder = TableFolder(rankings)
    if folder.has(f"{RANKINGS}/{label}"):
        return
    found: dict[tuple[str, str], dict[str, Any]] = {}
    kinds = []
    for language in languages:
        kinds.append(TableFolder(parts / language).manifest()["rankers"][label]["logits"])
        queries, ranked = _rows(parts / language / QUERIES), _rows(parts / language / RANKINGS / label)
        found.update({_event(query): row for query, row in zip(queries, ranked, strict=True)})
    queries = _rows(folder.table(QUERIES))
    missing = [query["event"] for query in queries if _event(query) not in found]
    if missing:
        raise BrokenRun(f"{rankings} asks for {missing[0]}, which no model of {label} ranked; delete it and run again")
    known = folder.manifest().get("rankers", {})
    facts = {"mark": f"a model for each of {', '.join(languages)}", "logits": all(kinds)}
    folder.record({"rankers": {**known, label: facts}})
    rows = [{**found[_event(query)], "query": query["query"]} for query in queries]
    with unfinished(folder.table(f"{RANKINGS}/{label}")) as path:
        path.mkdir()
        pq.write_table(pa.Table.from_pylist(rows, RANKING), path / "gathered.parquet", compression="zstd")


def _event(query: Mapping[str, Any]) -> tuple[str, str]:
    return query["corpus"], query["event"]


def _rows(table: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = ds.dataset(table, format="parquet").to_table().sort_by("query").to_pylist()
    return rows
