"""The plan of an experiment: which models are trained by which recipes, and what every variant is ranked on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path

from linkspot.errors import UnusableInput
from linkspot.experiments.budgets import BUDGETS, Budget, BudgetName, StageLimits
from linkspot.experiments.encoders import EncoderFolder, StartingEncoder
from linkspot.experiments.experiment import Compared, Experiment, Learns, Plot, Tested, Variant
from linkspot.experiments.languages import Chooser, LanguageChoice
from linkspot.experiments.paper_figures import published_languages
from linkspot.experiments.split_counts import SplitCounts
from linkspot.experiments.variants import ANCHORS, EACH_SIZE, of_encoders, of_sizes
from linkspot.model.config import ModelKind
from linkspot.training.recipe import Recipe, read_recipe
from linkspot.training.stages import Stage, TrainingExamples

FOR_ALL = ""  # the language of a model that ranks in all of them
_WORDS = {TrainingExamples.EXISTING_LINKS: "existing links", TrainingExamples.INSERTIONS: "insertions"}
_REMEDIES = {
    TrainingExamples.EXISTING_LINKS: "make it from an index, too: linkspot dataset INDEX EDITS …",
    TrainingExamples.INSERTIONS: "make it from earlier edits, too, or with other dates: "
    "linkspot dataset … --split NAME=DAY,DAY",
}


@dataclass(frozen=True, slots=True)
class VariantPlan:
    """How a variant is made: recipes by the language that their models rank in, or a ranker that is not trained."""

    variant: Variant
    recipes: Mapping[str, Recipe]
    ranker: str = ""
    encoder: StartingEncoder | None = None

    @property
    def label(self) -> str:
        """The variant's label."""
        return self.variant.label

    @property
    def stage_kinds(self) -> list[ModelKind]:
        """The kind of model that each stage trains; a variant with models for single languages counts once."""
        recipe = next(iter(self.recipes.values()), None)
        return [recipe.model] * len(recipe.stage) if recipe else []

    def with_examples(self, examples: int) -> "VariantPlan":
        """Return the plan with so many examples for each stage, shared among the models for single languages."""
        each = max(1, examples // max(1, len(self.recipes)))
        recipes = {
            language: replace(recipe, stage=tuple(replace(stage, examples=each) for stage in recipe.stage))
            for language, recipe in self.recipes.items()
        }
        return replace(self, recipes=recipes)

    def folder(self, language: str) -> str:
        """Return the name of a model's folder."""
        name = "-".join("".join(letter if letter.isalnum() else " " for letter in self.label).split())
        return f"{name}-{language}" if language else name


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """What an experiment does: its variants, and the queries that all of them rank."""

    experiment: Experiment
    budget: BudgetName
    seed: int
    choice: LanguageChoice
    per_language: int  # queries; 0 means all
    variants: tuple[VariantPlan, ...]

    def __post_init__(self) -> None:
        for plan in self.variants:
            for recipe in plan.recipes.values():
                seen = sorted(set(recipe.languages) & set(self.choice.tested))
                if seen and (self.experiment.tested is Tested.HELD_OUT or plan.variant.learns is Learns.PART):
                    raise ValueError(f"{plan.label} is tested in languages that it learns from: {', '.join(seen)}")

    @property
    def reference(self) -> str:
        """The label of the variant that the others are compared with."""
        named = self.experiment.reference
        return named if named in self.labels else [plan.label for plan in self.variants if plan.recipes][-1]

    @property
    def steps(self) -> tuple[str, ...]:
        """The labels of variants that are each compared with the one before; none if all are with the reference."""
        is_stepwise = self.experiment.compared is Compared.PREVIOUS
        return tuple(plan.label for plan in self.variants if plan.recipes) if is_stepwise else ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all variants."""
        return tuple(plan.label for plan in self.variants)


@dataclass(frozen=True)
class Planner:
    """Makes the plan of an experiment.

    `encoders` are the encoders that a user names. `part` names the languages that a variant with a part learns from,
    `language` the language of an experiment in one language, `sizes` the numbers of examples to compare. `limit` is how
    many queries of each language are ranked. By default, experiment and budget decide all of these.
    """

    experiment: Experiment
    budget: BudgetName
    dataset: Path
    counts: SplitCounts
    folder: EncoderFolder
    seed: int = 0
    limit: int | None = None
    encoders: tuple[str, ...] = ()
    part: tuple[str, ...] = ()
    language: str = ""
    sizes: tuple[int, ...] = ()

    def plan(self) -> ExperimentPlan:
        """Return the plan; an error says what the dataset lacks for it."""
        variants = self._variants()
        each = any(variant.learns is Learns.EACH for variant in variants)
        papers = published_languages("xLocEI 11"), published_languages("xLocEI 20")
        chooser = Chooser(
            self.counts, self.dataset.name, each, self._limits.languages, self.part, self.language, papers
        )
        choice = chooser.choose(self.experiment.tested, self.experiment.language)
        planned = self._shared([self._planned(variant, chooser, choice) for variant in variants])
        tests = self._limits.tests_per_language(len(choice.tested)) if self.limit is None else self.limit
        return ExperimentPlan(self.experiment, self.budget, self.seed, choice, tests, planned)

    @property
    def _limits(self) -> Budget:
        return BUDGETS[self.budget]

    def _variants(self) -> Sequence[Variant]:
        experiment, names = self.experiment, self.encoders
        if self.language and experiment.tested is not Tested.ONE:
            raise UnusableInput(f"{experiment.name} is not about one language; leave out --language {self.language}")
        if self.sizes and experiment.plot is not Plot.CURVE:
            raise UnusableInput(f"{experiment.name} compares no numbers of examples; --sizes is for data-size")
        if self.sizes:
            return (*ANCHORS, *of_sizes(dict.fromkeys(EACH_SIZE, self.sizes)))
        if names and experiment.takes_encoders != (len(names) > 1):
            expected = "two encoders or more, to compare them" if experiment.takes_encoders else "one encoder for all"
            raise UnusableInput(f"{experiment.name} takes {expected}; --encoder names {', '.join(names)}")
        if names and experiment.takes_encoders:
            return of_encoders(*((Path(name).name, name, 0, "") for name in names))
        return experiment.small if self.budget is BudgetName.SMALL and experiment.small else experiment.variants

    def _planned(self, variant: Variant, chooser: Chooser, choice: LanguageChoice) -> VariantPlan:
        if variant.ranker:
            encoder = self._encoder(variant, variant.encoder) if variant.encoder else None
            location = self.folder.location(encoder) if encoder else ""
            return VariantPlan(variant, {}, variant.ranker.format(encoder=location), encoder)
        recipe = self._with_reader(shipped(variant.recipe, self.dataset))
        encoder = self._encoder(variant, recipe.encoder)
        models: dict[str, tuple[str, ...]] = {FOR_ALL: chooser.learned(variant.learns, choice)}
        if variant.learns is Learns.EACH:
            models = {language: (language,) for language in choice.tested}
        recipes = {
            language: self._within(replace(recipe, languages=learned), variant, encoder)
            for language, learned in models.items()
        }
        return VariantPlan(variant, recipes, encoder=encoder)

    def _encoder(self, variant: Variant, of_recipe: str) -> StartingEncoder:
        if self.experiment.takes_encoders:
            return StartingEncoder(variant.encoder or of_recipe, variant.layers)
        named = "".join(self.encoders)
        return StartingEncoder(named or self._limits.encoder or variant.encoder or of_recipe, variant.layers)

    def _with_reader(self, recipe: Recipe) -> Recipe:
        """Return the recipe for the kind of model that the budget asks for."""
        reader = self._limits.reader
        if reader is None or self.experiment.is_about_models or recipe.model is not ModelKind.WINDOW:
            return recipe
        return replace(recipe, model=reader)

    def _within(self, recipe: Recipe, variant: Variant, encoder: StartingEncoder) -> Recipe:
        """Return the recipe, changed to fit the budget."""
        self._check_training_examples(recipe)
        limits, stages = self._limits, recipe.stage
        if limits.stage:
            layers = self.folder.layers(encoder)
            stages = tuple(cut_down(stage, limits.stage, layers) for stage in stages)
        if variant.examples:
            stages = tuple(replace(stage, examples=variant.examples) for stage in stages)
        return replace(
            recipe,
            encoder=self.folder.location(encoder),
            seed=self.seed,
            stage=stages,
            inputs=limits.inputs or recipe.inputs,
            attention_dropout=recipe.attention_dropout and not limits.stage,
            validation=limits.validation or recipe.validation,
            per_language=limits.fit if recipe.model is ModelKind.DUAL else recipe.per_language,
        )

    def _shared(self, plans: Sequence[VariantPlan]) -> tuple[VariantPlan, ...]:
        """Return the plans with the budget's examples shared among all stages; a variant's models share its part."""
        limits = self._limits.stage
        if limits is None:
            return tuple(plans)
        share = limits.each(kind for plan in plans for kind in plan.stage_kinds)
        return tuple(plan if plan.variant.examples else plan.with_examples(share) for plan in plans)

    def _check_training_examples(self, recipe: Recipe) -> None:
        for stage in recipe.stage:
            is_links = stage.training_examples is TrainingExamples.EXISTING_LINKS
            counts = self.counts.links if is_links else self.counts.train
            if not any(counts.get(language) for language in recipe.languages):
                raise UnusableInput(
                    f"{self.dataset.name} has no {_WORDS[stage.training_examples]} in {', '.join(recipe.languages)} "
                    f"to learn from; {_REMEDIES[stage.training_examples]}"
                )


def shipped(name: str, dataset: Path) -> Recipe:
    """Return a recipe that ships with linkspot, for a dataset."""
    with as_file(files("linkspot.training") / "recipes" / f"{name}.toml") as path:
        return read_recipe(path, {"dataset": str(dataset)})


def cut_down(stage: Stage, limits: StageLimits, layers: int) -> Stage:
    """Return a stage within the limits, for an encoder with so many layers."""
    return replace(
        stage,
        epochs=1,
        sentences=limits.sentences,
        negatives=limits.negatives,
        batch=limits.batch,
        at_once=limits.batch,
        encoder_rate=limits.encoder_rate,
        head_rate=limits.head_rate,
        frozen_embeddings=True,
        frozen_layers=max(0, layers - limits.layers),
    )
