"""The table of trainings: which models an experiment trained, from what, how, and how long that took."""

import json
from pathlib import Path

from linkspot.experiments.budgets import BUDGETS
from linkspot.experiments.plan import VariantPlan
from linkspot.experiments.result_tables import fact_table
from linkspot.experiments.run import MODELS, DoneExperiment
from linkspot.model.config import ModelKind
from linkspot.reporting.cells import Cells, count
from linkspot.reporting.report_table import ReportTable
from linkspot.training.recipe import Kept, Recipe
from linkspot.training.trainer import LOG

_COLUMNS = (
    "variant",
    "recipe",
    "encoder",
    "languages",
    "learned from",
    "how",
    "minutes",
    "Hits@1 / MRR on validation",
)


def trained_table(done: DoneExperiment) -> ReportTable:
    """Return a row for each model that the experiment trained."""
    rows = [
        _training(done, plan, language, recipe)
        for plan in done.plan.variants
        for language, recipe in plan.recipes.items()
    ]
    limits = BUDGETS[done.plan.budget].validation
    kept = "last state" if limits and limits.keep is Kept.LAST else "state with the best MRR on validation"
    note = f"Learned from: the examples of each stage, times epochs. The {kept} was kept."
    return fact_table("trained", "What was trained", _COLUMNS, rows, note)


def _training(done: DoneExperiment, plan: VariantPlan, language: str, recipe: Recipe) -> Cells:
    name = plan.folder(language)
    facts = done.trained.get(name, {})
    stopped = " (stopped once; the time of the last run)" if facts.get("was_stopped") else ""
    validation = facts.get("validation")
    return (
        f"{plan.label} ({language})" if language else plan.label,
        plan.variant.recipe,
        plan.encoder.label if plan.encoder else "",
        ", ".join(recipe.languages),
        _learned(done.folder.path / MODELS / name / LOG) or f"the head: all insertions{_fit(recipe)}",
        _how(recipe),
        f"{facts['seconds'] / 60:.1f}{stopped}" if facts else "not known",
        f"{validation['hits_at_1']:.3f} / {validation['mrr']:.3f} ({validation['queries']:,})"
        if validation
        else "none",
    )


def _learned(log: Path) -> str:
    """Say how many examples each stage learned from, according to its log."""
    if not log.is_file():
        return ""
    examples: dict[str, int] = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        report = json.loads(line)
        if report["kind"] == "step":
            examples[report["stage"]] = examples.get(report["stage"], 0) + report["examples"]
    return ", ".join(f"{stage}: {number:,}" for stage, number in examples.items())


def _fit(recipe: Recipe) -> str:
    return f", at most {count(recipe.per_language)} of each language" if recipe.per_language else ""


def _how(recipe: Recipe) -> str:
    """Describe the first stage in the words of recipes."""
    if not recipe.stage:
        return f"{recipe.model}, the encoder frozen"
    stage = recipe.stage[0]
    negatives = "" if recipe.model is ModelKind.ARTICLE else f", {stage.negatives} negatives"
    frozen = f", lowest {stage.frozen_layers} layers frozen" if stage.frozen_layers else ""
    rates = f"rates {stage.encoder_rate:g} and {stage.head_rate:g}"
    return (
        f"{recipe.model}, {stage.loss}{negatives}, {recipe.inputs.longest} tokens, batch {stage.batch}, {rates}{frozen}"
    )
