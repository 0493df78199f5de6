"""The report of an experiment: its tables and plots, and all that a reader has to know to judge them."""

import json
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from linkspot.evaluation.comparison_plots import language_plot
from linkspot.evaluation.comparison_tables import Pairs, language_table, left_out
from linkspot.evaluation.figures import MAIN_METRICS, Figures, Metric
from linkspot.evaluation.stored import Evaluation
from linkspot.experiments.budgets import BUDGETS, BudgetName
from linkspot.experiments.experiment import Plot
from linkspot.experiments.paper_figures import SOURCE
from linkspot.experiments.plan import VariantPlan
from linkspot.experiments.plots import size_curves, slice_bars
from linkspot.experiments.result_tables import (
    Contest,
    count_table,
    difference_table,
    fact_table,
    summary_table,
    variant_table,
)
from linkspot.experiments.run import MODELS, TIMES, DoneExperiment
from linkspot.metrics.slices import OVERALL
from linkspot.model.config import ModelKind
from linkspot.reporting.cells import Cells, count
from linkspot.reporting.provenance import provenance
from linkspot.reporting.report_table import ReportTable
from linkspot.reporting.web_report import WebReport
from linkspot.tables.folder import TableFolder
from linkspot.training.recipe import Kept, Recipe
from linkspot.training.trainer import LOG

FOLDER = "report"
_NOT_KNOWN = "The paper asks this, too, but linkspot knows none of its figures on it."


@dataclass(frozen=True)
class ExperimentReport:
    """What an experiment found; `command` is what the user typed."""

    done: DoneExperiment
    command: str

    @cached_property
    def figures(self) -> Figures:
        """The figures of all stored rankings."""
        return Figures.of(Evaluation.open(self.done.rankings), self.done.plan.seed)

    @cached_property
    def summary(self) -> ReportTable:
        """The table that sums it up, for a terminal."""
        return summary_table(self._contest, self._pairs)

    def tables(self) -> tuple[ReportTable, ...]:
        """Return all tables of the report."""
        plan = self.done.plan
        methods = {one.label: one.variant.paper for one in plan.variants} | {name: name for name in self.done.further}
        return (
            variant_table(self.summary, plan.experiment.paper, methods),
            difference_table(self._contest, self._pairs),
            *([language_table(self.figures, MAIN_METRICS)] if self._has_languages else ()),
            self._trained(),
            self._data(),
        )

    def write(self) -> Path:
        """Write the report into the experiment's folder and return its page."""
        plan = self.done.plan
        experiment = plan.experiment
        report = WebReport(
            experiment.title,
            f"linkspot experiment {experiment.name} · budget {plan.budget}",
            (
                experiment.asks,
                f"The paper found: {experiment.found}" if experiment.found else _NOT_KNOWN,
                f"The paper: {SOURCE}",
            ),
            self._warnings(),
            self.tables(),
            self.command,
            self._facts(),
            self._plots(),
        )
        return report.write(self.done.folder.path / FOLDER)

    @property
    def _has_languages(self) -> bool:
        return len(self.figures.languages(OVERALL)) > 1

    @cached_property
    def _contest(self) -> Contest:
        return Contest(self.figures, self.done.plan.reference)

    @cached_property
    def _pairs(self) -> Pairs:
        return self._contest.pairs()

    def _plots(self) -> dict[str, Any]:
        plan, metric = self.done.plan, Metric.HITS_AT_1
        plots: dict[str, Any] = {"main": partial(slice_bars, self.figures, metric)}
        if plan.experiment.plot is Plot.CURVE:
            lines: dict[str, list[tuple[int, str]]] = {}
            for one in plan.variants:
                if one.variant.curve:
                    lines.setdefault(one.variant.curve, []).append((one.variant.examples, one.label))
            anchors = [one.label for one in plan.variants if not one.recipes]
            plots["main"] = partial(size_curves, self.figures, lines, metric, anchors)
        if self._has_languages:
            plots["languages"] = partial(language_plot, self.figures, metric)
        return plots

    def _warnings(self) -> tuple[str, ...]:
        plan, evaluation = self.done.plan, self.figures.evaluation
        found = []
        if plan.budget is BudgetName.SMALL:
            limits, reader = BUDGETS[plan.budget].data, BUDGETS[plan.budget].reader
            pages = f" on pages of at most {limits.sentences} sentences" if limits else ""
            if reader and not plan.experiment.is_about_models:
                found.append(
                    f"All variants are {reader} models, which read pages and learn faster than the paper's, which read "
                    "windows: the question is not about kinds of models."
                )
            found.append(
                f"A small run: {len(evaluation):,} queries{pages}, models that learned from few examples with most of "
                "their encoder held fast. It ranks variants only roughly; look at the intervals and p-values, and do "
                "not take its figures for what these methods can reach."
            )
        if plan.choice.left_out:
            found.append(f"Languages that are not tested: {'; '.join(plan.choice.left_out)}.")
        return (*found, *filter(None, [left_out(evaluation)]))

    def _trained(self) -> ReportTable:
        columns = (
            "variant",
            "recipe",
            "encoder",
            "languages",
            "learned from",
            "how",
            "minutes",
            "Hits@1 / MRR on validation",
        )
        rows = [
            self._training(one, language, recipe)
            for one in self.done.plan.variants
            for language, recipe in one.recipes.items()
        ]
        limits = BUDGETS[self.done.plan.budget].validation
        kept = "last state" if limits and limits.keep is Kept.LAST else "state with the best MRR on validation"
        note = f"Learned from: what each stage drew, times epochs. The {kept} was kept."
        return fact_table("trained", "What was trained", columns, rows, note)

    def _training(self, one: VariantPlan, language: str, recipe: Recipe) -> Cells:
        name = one.folder(language)
        facts = self.done.trained.get(name, {})
        stopped = " (stopped once, the last go alone)" if facts.get("was_stopped") else ""
        reached = facts.get("validation")
        return (
            f"{one.label} ({language})" if language else one.label,
            one.variant.recipe,
            one.encoder.label if one.encoder else "",
            ", ".join(recipe.languages),
            _learned(self.done.folder.path / MODELS / name / LOG) or f"the head: all insertions{_fit(recipe)}",
            _how(recipe),
            f"{facts['seconds'] / 60:.1f}{stopped}" if facts else "not known",
            f"{reached['hits_at_1']:.3f} / {reached['mrr']:.3f} ({reached['queries']:,})" if reached else "none",
        )

    def _data(self) -> ReportTable:
        counts, plan = self.done.counts, self.done.plan
        ranked = {language: len(self.figures.queries(OVERALL, language)) for language in plan.choice.tested}
        columns = {
            "existing links (train)": counts.links,
            "insertions: train": counts.train,
            "validation": counts.validation,
            "test": counts.test,
            "ranked here": ranked,
        }
        note = "Insertions with a right place."
        limits = BUDGETS[plan.budget].data
        if limits:
            note += (
                f" Drawn with the seed {plan.seed} of {_rows_of(self.done.dataset)}: pages of at most "
                f"{limits.sentences} sentences."
            )
        return count_table("data", "The data", columns, note)

    def _facts(self) -> dict[str, str]:
        plan = self.done.plan
        seconds = sum(facts["seconds"] for facts in self.done.trained.values())
        ranked = self.done.folder.manifest().get(TIMES, {})
        limit = f"at most {plan.per_language:,} of each language" if plan.per_language else "all"
        return {
            **provenance(),
            "seed": str(plan.seed),
            "test queries": f"{limit}: {len(self.figures.evaluation):,} in {', '.join(plan.choice.tested)}",
            **({"the part": ", ".join(plan.choice.part)} if plan.choice.part else {}),
            "training took": f"{seconds / 60:,.1f} minutes in all",
            "ranking took": ", ".join(f"{label} {seconds / 60:.1f}" for label, seconds in ranked.items()) + " minutes",
        }


def _rows_of(drawn: TableFolder) -> str:
    """Say what a dataset was drawn of."""
    rows = drawn.manifest()["plan"]["drawn_from"]["rows"]
    return ", ".join(f"{number:,} {name}" for name, number in rows.items())


def _learned(log: Path) -> str:
    """Say what each stage learned from, as its log has it."""
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
    """Say what a stage does, in the words of recipes."""
    if not recipe.stage:
        return f"{recipe.model}, the encoder held fast"
    stage = recipe.stage[0]
    negatives = "" if recipe.model is ModelKind.ARTICLE else f", {stage.negatives} negatives"
    frozen = f", lowest {stage.frozen_layers} layers held fast" if stage.frozen_layers else ""
    rates = f"rates {stage.encoder_rate:g} and {stage.head_rate:g}"
    return (
        f"{recipe.model}, {stage.loss}{negatives}, {recipe.inputs.longest} tokens, batch {stage.batch}, {rates}{frozen}"
    )
