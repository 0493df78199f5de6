"""`linkspot experiment`: trains the variants of an experiment and ranks its queries with each of them."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from linkspot.encoders.torch_encoder import quiet
from linkspot.engines.engine import Engine
from linkspot.evaluation.evaluate import evaluate
from linkspot.evaluation.queries import DatasetQueries
from linkspot.evaluation.stored import RANKINGS
from linkspot.experiments.budgets import BUDGETS, budget_of
from linkspot.experiments.catalogue import experiment_of
from linkspot.experiments.drawn_dataset import draw, open_dataset
from linkspot.experiments.encoders import EncoderFolder
from linkspot.experiments.gathered_rankings import gather
from linkspot.experiments.languages import FEWEST
from linkspot.experiments.plan import FOR_ALL, ExperimentPlan, Planner, VariantPlan
from linkspot.experiments.split_counts import SplitCounts
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
    """What a user asks for; the budget decides what is left out.

    `limit` is how many queries of each language are ranked (0: all). `part` names the languages of variants that learn
    from a part of them, `language` that of an experiment in one language; `sizes` are the numbers of examples that
    `data-size` compares. `rankers` are further rankers to compare with, by their labels.
    """

    name: str
    dataset: Path
    out: Path
    budget: str = "small"
    seed: int = 0
    limit: int | None = None
    encoders: tuple[str, ...] = ()
    part: tuple[str, ...] = ()
    language: str = ""
    sizes: tuple[int, ...] = ()
    rankers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DoneExperiment:
    """A finished experiment: its plan, the folder of its results, and the dataset that it learned from."""

    plan: ExperimentPlan
    folder: TableFolder
    dataset: TableFolder
    counts: SplitCounts
    further: tuple[str, ...]  # labels of the further rankers
    source: str  # the name of the dataset that a user gave

    @property
    def rankings(self) -> Path:
        """The folder of the rankings."""
        return self.folder.path / RANKED

    @property
    def trained(self) -> dict[str, dict[str, Any]]:
        """What is recorded about every training, by the folder of its model."""
        trainings: dict[str, dict[str, Any]] = self.folder.manifest().get(TRAINED, {})
        return trainings


def run_experiment(settings: ExperimentSettings, engine: Engine, progress: Progress) -> DoneExperiment:
    """Train the variants and rank with them; what an earlier run has done is not done again."""
    experiment, budget = experiment_of(settings.name), budget_of(settings.budget)
    full_dataset = open_dataset(settings.dataset)
    _planner(settings, full_dataset).plan()  # an unsuitable dataset is refused before anything is written
    manifest = full_dataset.manifest()
    identity = {
        "command": "experiment",
        "experiment": experiment.name,
        "dataset": {"plan": manifest["plan"], "rows": manifest["rows"]},
        **{name: getattr(settings, name) for name in ("budget", "seed", "limit", "encoders", "part")},
        # Only where they are given, so that folders of earlier versions continue.
        **{name: value for name in ("language", "sizes") if (value := getattr(settings, name))},
    }
    with TableFolder.held(settings.out, identity) as folder:
        dataset, limits = full_dataset, BUDGETS[budget].data
        if limits:
            if settings.limit is not None:
                # A language needs FEWEST tests to be tested at all, even if fewer of them are ranked.
                limits = replace(limits, test=max(settings.limit, FEWEST) if settings.limit else _ALL)
            dataset = draw(full_dataset, folder.path / DATASET, limits, settings.seed, engine, progress)
        planner = _planner(settings, dataset)
        plan = planner.plan()
        progress.part("encoders")
        planner.folder.make(variant.encoder for variant in plan.variants if variant.encoder)
        work = _Work(plan, folder, dataset, engine, progress)
        work.run(settings.rankers)
        folder.record({"finished": True})
    return DoneExperiment(plan, folder, dataset, planner.counts, tuple(settings.rankers), settings.dataset.name)


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
        settings.language,
        settings.sizes,
    )


@dataclass(frozen=True)
class _Work:
    """Works through a plan variant by variant: trains its models, then ranks with them."""

    plan: ExperimentPlan
    folder: TableFolder
    dataset: TableFolder
    engine: Engine
    progress: Progress

    def run(self, further: Mapping[str, str]) -> None:
        """Train and rank all variants, and rank with further rankers."""
        count = len(self.plan.variants) + len(further)
        for number, variant in enumerate(self.plan.variants, start=1):
            self.progress.part(f"{number} of {count}: {variant.label}")
            for language, recipe in variant.recipes.items():
                self._train(variant.folder(language), recipe)
            self._rank(variant)
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

    def _rank(self, variant: VariantPlan) -> None:
        label, tested = variant.label, self.plan.choice.tested
        if not variant.recipes:
            self._evaluate(RANKED, {label: variant.ranker}, tested)
        elif FOR_ALL in variant.recipes:
            self._evaluate(RANKED, {label: str(self._model(variant.folder(FOR_ALL)))}, tested)
        else:
            for language in variant.recipes:
                model = str(self._model(variant.folder(language)))
                self._evaluate(f"{BY_LANGUAGE}/{language}", {label: model}, (language,))
            gather(label, self.folder.path / RANKED, self.folder.path / BY_LANGUAGE, tuple(variant.recipes))

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
