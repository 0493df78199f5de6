"""The report of an experiment: its tables and plots, and what a reader has to know to judge them."""

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
from linkspot.experiments.paper_tables import (
    difference_of_data,
    is_by_scenario,
    paper_table,
    with_paper,
    with_papers_counts,
)
from linkspot.experiments.plots import size_curves, slice_bars
from linkspot.experiments.result_tables import (
    Contest,
    count_table,
    difference_table,
    scenario_table,
    summary_table,
    with_intervals,
)
from linkspot.experiments.run import TIMES, DoneExperiment
from linkspot.experiments.trained_table import trained_table
from linkspot.metrics.slices import OVERALL
from linkspot.reporting.provenance import provenance
from linkspot.reporting.report_table import ReportTable
from linkspot.reporting.web_report import WebReport
from linkspot.tables.folder import TableFolder

FOLDER = "report"
_OURS = "The question is linkspot's own; the paper does not ask it."


@dataclass(frozen=True)
class ExperimentReport:
    """The results of an experiment; `command` is the command that the user typed."""

    done: DoneExperiment
    command: str

    @cached_property
    def figures(self) -> Figures:
        """The figures of all stored rankings."""
        return Figures.of(Evaluation.open(self.done.rankings), self.done.plan.seed)

    @cached_property
    def summary(self) -> ReportTable:
        """The main table, for a terminal."""
        return summary_table(self._contest, self._pairs)

    def tables(self) -> tuple[ReportTable, ...]:
        """Return all tables of the report."""
        return (
            *self._variants(),
            difference_table(self._contest, self._pairs),
            *([language_table(self.figures, MAIN_METRICS)] if self._has_languages else ()),
            trained_table(self.done),
            self._data(),
        )

    def _variants(self) -> tuple[ReportTable, ...]:
        """Return our figures, the paper's beside them, and the paper's table as it was printed."""
        plan, paper = self.done.plan, self.done.plan.experiment.paper
        main = with_intervals(self.summary)
        if paper is None:
            return (main,)
        methods = {variant.label: variant.variant.paper for variant in plan.variants}
        methods |= {name: name for name in self.done.further}
        if is_by_scenario(paper):
            return main, with_paper(scenario_table(self._contest), paper, methods), paper_table(paper)
        return with_paper(main, paper, methods), paper_table(paper)

    def write(self) -> Path:
        """Write the report into the experiment's folder and return the path of its page."""
        plan = self.done.plan
        experiment = plan.experiment
        report = WebReport(
            experiment.title,
            f"linkspot experiment {experiment.name} · budget {plan.budget}",
            (
                experiment.question,
                f"The paper's answer: {experiment.paper_answer}" if experiment.paper_answer else _OURS,
                *([difference_of_data(experiment.paper, self._tested_on)] if experiment.paper else ()),
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
        return Contest(self.figures, self.done.plan.reference, self.done.plan.steps)

    @cached_property
    def _pairs(self) -> Pairs:
        return self._contest.pairs()

    def _plots(self) -> dict[str, Any]:
        """Return each plot twice: by Hits@1, and by MRR."""
        plan = self.done.plan
        lines: dict[str, list[tuple[int, str]]] = {}
        for variant in (planned.variant for planned in plan.variants):
            if variant.curve:
                lines.setdefault(variant.curve, []).append((variant.examples, variant.label))
        anchors = [planned.label for planned in plan.variants if not planned.recipes]
        plots: dict[str, Any] = {}
        for metric, ending in ((Metric.HITS_AT_1, ""), (Metric.MRR, "-mrr")):
            plots[f"main{ending}"] = partial(slice_bars, self.figures, metric)
            if plan.experiment.plot is Plot.CURVE:
                plots[f"main{ending}"] = partial(size_curves, self.figures, lines, metric, anchors)
            if self._has_languages:
                plots[f"languages{ending}"] = partial(language_plot, self.figures, metric)
        return plots

    @property
    def _tested_on(self) -> str:
        """Say what our figures are measured on."""
        plan, tested = self.done.plan, self.done.plan.choice.tested
        limits = BUDGETS[plan.budget].data
        pages = f" on pages of at most {limits.sentences} sentences" if limits else ""
        return (
            f"{len(self.figures.evaluation):,} queries{pages} in {len(tested)} "
            f"language{'' if len(tested) == 1 else 's'} ({', '.join(tested)}) of {self.done.source}"
        )

    def _warnings(self) -> tuple[str, ...]:
        plan, evaluation = self.done.plan, self.figures.evaluation
        warnings = []
        if plan.budget is BudgetName.SMALL:
            limits, reader = BUDGETS[plan.budget].data, BUDGETS[plan.budget].reader
            pages = f" on pages of at most {limits.sentences} sentences" if limits else ""
            if reader and not plan.experiment.is_about_models:
                warnings.append(
                    f"All variants are {reader} models, which read whole pages and learn faster than the paper's "
                    "models, which read windows. The question is not about kinds of models."
                )
            warnings.append(
                f"A small run: {len(evaluation):,} queries{pages}, models that learned from few examples, with most of "
                "their encoder frozen. It orders the variants only roughly; look at the intervals and p-values. These "
                "methods can reach higher figures."
            )
        if plan.choice.left_out:
            warnings.append(f"Languages that are not tested: {'; '.join(plan.choice.left_out)}.")
        return (*warnings, *filter(None, [left_out(evaluation)]))

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
                f" Drawn with the seed {plan.seed} from {_rows_of(self.done.dataset)}: pages of at most "
                f"{limits.sentences} sentences."
            )
        return with_papers_counts(count_table("data", "The data", columns, note))

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
    """Say which rows a small dataset was drawn from."""
    rows = drawn.manifest()["plan"]["drawn_from"]["rows"]
    return ", ".join(f"{number:,} {name}" for name, number in rows.items())
