from pathlib import Path

import pytest

from linkspot.errors import UnusableInput
from linkspot.experiments.budgets import BUDGETS, BudgetName, budget_of
from linkspot.experiments.catalogue import EXPERIMENTS, experiment_of
from linkspot.experiments.encoders import EncoderFolder
from linkspot.experiments.experiment import Learns, Plot
from linkspot.experiments.plan import FOR_ALL, ExperimentPlan, Planner
from linkspot.experiments.split_counts import SplitCounts
from linkspot.model.config import ModelKind
from linkspot.ranking.ranker import RANKERS
from linkspot.training.shipped_recipes import recipe_names
from linkspot.training.stages import TrainingExamples

NAMES = [
    "main",
    "english",
    "zero-shot",
    "held-out",
    "ablation",
    "ablation-english",
    "starting-model",
    "model-size",
    "data-size",
    "stages",
    "roberta-vs-xlmr",
    "monolingual-vs-multilingual",
    "loss",
    "encoders",
    "marks",
    "kinds",
]
COUNTS = SplitCounts(
    train={"en": 900, "en-us": 300, "ja": 400, "fr": 50, "de": 20, "es": 5},
    validation={"en": 40, "ja": 20},
    test={"en": 100, "en-us": 30, "ja": 60, "fr": 50, "de": 40, "es": 3, "ko": 30, "ca": 4},
    links={"en": 5_000, "en-us": 100, "ja": 5_000, "fr": 800, "de": 700, "es": 20, "it": 9},
)


def planned(
    name: str, budget: BudgetName = BudgetName.SMALL, counts: SplitCounts = COUNTS, **more: object
) -> ExperimentPlan:
    folder = EncoderFolder(Path("out/encoders"))
    return Planner(EXPERIMENTS[name], budget, Path("data"), counts, folder, **more).plan()  # type: ignore[arg-type]


def test_the_issues_experiments_are_all_there() -> None:
    assert list(EXPERIMENTS) == NAMES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("budget", list(BudgetName))
def test_every_experiment_can_be_planned_within_both_budgets(name: str, budget: BudgetName) -> None:
    plan = planned(name, budget, seed=3)
    experiment = EXPERIMENTS[name]
    assert len(set(plan.labels)) == len(plan.labels)
    assert len({one.folder(language) for one in plan.variants for language in one.recipes}) == sum(
        len(one.recipes) for one in plan.variants
    )
    assert plan.reference in plan.labels
    assert not any(set('/\\:*?"<>|') & set(label) for label in plan.labels)  # they are names of tables and folders
    assert sum(bool(one.recipes) for one in plan.variants) >= 2
    for one in plan.variants:
        if not one.recipes:
            assert one.ranker.partition(":")[0] in RANKERS
            assert "{" not in one.ranker
        for recipe in one.recipes.values():
            assert one.variant.recipe in recipe_names()
            assert set(recipe.languages) <= set(COUNTS.learned)
            assert (recipe.seed, recipe.dataset) == (3, "data")
    if experiment.plot is Plot.CURVE:
        curves = {one.variant.curve for one in plan.variants if one.recipes}
        assert curves == {"stage 1", "stage 2"}


@pytest.mark.parametrize("name", NAMES)
def test_the_small_budget_caps_what_an_experiment_costs(name: str) -> None:
    limits = BUDGETS[BudgetName.SMALL].stage
    assert limits is not None
    pages = 0
    for one in planned(name).variants:
        for recipe in one.recipes.values():
            for stage in recipe.stage:
                assert (stage.epochs, stage.negatives) == (1, limits.negatives)
                assert stage.examples > 0
                assert stage.frozen_embeddings
                pages += stage.examples * (1 if recipe.model is ModelKind.ARTICLE else 4)
            assert recipe.inputs.longest == 384
            assert "e5-small" in recipe.encoder or "minilm" in recipe.encoder
    assert 0.7 * limits.examples < pages <= limits.examples


@pytest.mark.parametrize("name", NAMES)
def test_the_small_budget_asks_models_that_read_pages_unless_kinds_of_models_are_the_question(name: str) -> None:
    kinds = {recipe.model for one in planned(name).variants for recipe in one.recipes.values()}
    if name == "marks":
        assert kinds == {ModelKind.WINDOW}  # only windows have marks
    elif name in {"main", "english", "encoders", "kinds"}:
        assert len(kinds) > 1
        assert ModelKind.WINDOW in kinds
    else:
        assert kinds == {ModelKind.ARTICLE}
    papers = {recipe.model for one in planned(name, BudgetName.PAPER).variants for recipe in one.recipes.values()}
    assert ModelKind.WINDOW in papers


def test_all_stages_of_an_experiment_learn_from_as_many_examples() -> None:
    stages = [
        stage.examples
        for one in planned("stages").variants
        for recipe in one.recipes.values()
        for stage in recipe.stage
    ]
    assert stages == [750] * 4


def test_the_papers_budget_leaves_recipes_as_they_are() -> None:
    plan = planned("stages", BudgetName.PAPER)
    both = next(one for one in plan.variants if one.label == "both stages").recipes[FOR_ALL]
    assert both.encoder == "xlm-roberta-base"
    assert [(stage.examples, stage.epochs, stage.negatives) for stage in both.stage] == [(20_000, 4, 9), (0, 2, 9)]
    assert plan.per_language == 0


def encoders_of(plan: ExperimentPlan) -> set[str]:
    """What the rows of a table start from, trained or not."""
    return {one.encoder.name for one in plan.variants if one.encoder}


@pytest.mark.parametrize("name", NAMES)
def test_all_rows_of_a_table_start_from_one_encoder_unless_it_is_the_question(name: str) -> None:
    for budget in BudgetName:
        encoders = encoders_of(planned(name, budget))
        assert (len(encoders) > 1) == (name in {"starting-model", "roberta-vs-xlmr"} or _compares_sizes(name, budget))


def _compares_sizes(name: str, budget: BudgetName) -> bool:
    return name == "model-size" and budget is BudgetName.PAPER  # the small budget compares layers of one encoder


@pytest.mark.parametrize("name", NAMES)
def test_the_papers_tables_start_from_the_papers_encoders(name: str) -> None:
    expected = {
        "starting-model": {"bert-base-uncased", "t5-base", "roberta-base"},
        "model-size": {"roberta-base", "roberta-large"},
        "data-size": {"roberta-base"},
        "roberta-vs-xlmr": {"roberta-base", "xlm-roberta-base"},
        "kinds": {"intfloat/multilingual-e5-small"},  # linkspot's own
    }
    assert encoders_of(planned(name, BudgetName.PAPER)) == expected.get(name, {"xlm-roberta-base"})


@pytest.mark.parametrize("name", NAMES)
def test_only_the_ablation_of_marks_has_marks(name: str) -> None:
    marked = [
        one.label
        for one in planned(name, BudgetName.PAPER).variants
        for recipe in one.recipes.values()
        if recipe.form.marks
    ]
    assert marked == (["with marks"] if name == "marks" else [])


def test_the_main_table_has_one_model_a_language_but_for_xlocei() -> None:
    plan = planned("main", BudgetName.PAPER)
    learned = {one.label: set(one.recipes) for one in plan.variants if one.recipes}
    tested = set(plan.choice.tested)
    assert learned == {"simple fine-tuning": tested, "LocEI": tested, "xLocEI": {FOR_ALL}, "article": {FOR_ALL}}


@pytest.mark.parametrize("name", ["ablation", "ablation-english"])
@pytest.mark.parametrize("budget", list(BudgetName))
def test_the_ablation_adds_one_step_after_another_and_ends_in_locei(name: str, budget: BudgetName) -> None:
    plan = planned(name, budget)
    models = [one.recipes for one in plan.variants if one.recipes]
    expected = set(plan.choice.tested) if name == "ablation" else {FOR_ALL}
    assert {frozenset(recipes) for recipes in models} == {frozenset(expected)}
    for language in expected:
        steps = [recipes[language] for recipes in models]
        assert [len(step.stage) for step in steps] == [1, 1, 1, 2, 2]
        assert [step.stage[0].removal.value for step in steps[:3]] == ["nothing", "positives", "everywhere"]
        assert [step.form.knowledge for step in steps] == [False] * 4 + [True]
        assert len({(step.encoder, step.languages) for step in steps}) == 1
    assert plan.variants[-1].variant.recipe == "locei"


@pytest.mark.parametrize("name", NAMES)
def test_steps_are_compared_with_the_variant_before_and_all_others_with_the_reference(name: str) -> None:
    plan = planned(name)
    trained = tuple(one.label for one in plan.variants if one.recipes)
    assert plan.steps == (trained if name in {"ablation", "ablation-english", "stages"} else ())


def test_stages_differ_in_nothing_but_their_stages() -> None:
    recipes = [one.recipes[FOR_ALL] for one in planned("stages").variants if one.recipes]
    assert [[stage.training_examples for stage in recipe.stage] for recipe in recipes] == [
        [TrainingExamples.EXISTING_LINKS],
        [TrainingExamples.INSERTIONS],
        [TrainingExamples.EXISTING_LINKS, TrainingExamples.INSERTIONS],
    ]
    assert len({(recipe.encoder, recipe.languages, recipe.model, recipe.inputs) for recipe in recipes}) == 1


def test_models_for_each_language_share_the_small_budgets_examples() -> None:
    plan = planned("monolingual-vs-multilingual")
    each = next(one for one in plan.variants if one.variant.learns is Learns.EACH)
    assert len(each.recipes) == len(plan.choice.tested) == 3
    one_for_all = plan.variants[-1].recipes[FOR_ALL]
    shared = sum(recipe.stage[0].examples for recipe in each.recipes.values())
    assert one_for_all.stage[0].examples - 3 < shared <= one_for_all.stage[0].examples


def test_the_sizes_of_data_are_the_places_on_the_curve() -> None:
    for budget in BudgetName:
        for one in planned("data-size", budget).variants:
            if one.recipes:
                assert [stage.examples for stage in one.recipes[FOR_ALL].stage] == [one.variant.examples]


def sizes(plan: ExperimentPlan) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for one in plan.variants:
        if one.recipes:
            found.setdefault(one.variant.curve, []).append(one.variant.examples)
    return found


def test_the_papers_sizes_are_those_of_the_papers_curves() -> None:
    assert sizes(planned("data-size", BudgetName.PAPER)) == {
        "stage 1": [10**3, 10**4, 10**5, 10**6],
        "stage 2": [10**2, 10**3, 10**4, 10**5],
    }


def test_sizes_that_are_named_are_compared() -> None:
    for budget in BudgetName:
        named = sizes(planned("data-size", budget, sizes=(50, 700)))
        assert named == {"stage 1": [50, 700], "stage 2": [50, 700]}
    with pytest.raises(UnusableInput, match="loss compares no numbers of examples; --sizes is for data-size"):
        planned("loss", sizes=(50,))


def test_encoders_that_are_named_are_the_variants_of_experiments_on_encoders() -> None:
    plan = planned("starting-model", encoders=("a/bert", "b/roberta"))
    assert [one.label for one in plan.variants if one.recipes] == ["bert", "roberta"]
    assert [one.recipes[FOR_ALL].encoder for one in plan.variants if one.recipes] == ["a/bert", "b/roberta"]


def test_one_encoder_that_is_named_is_that_of_all_variants() -> None:
    plan = planned("kinds", BudgetName.PAPER, encoders=("mine",))
    assert {recipe.encoder for one in plan.variants for recipe in one.recipes.values()} == {"mine"}
    assert "embedding:mine" in {one.ranker for one in plan.variants}


@pytest.mark.parametrize(
    ("name", "encoders"), [("starting-model", ("one",)), ("model-size", ("one",)), ("loss", ("one", "two"))]
)
def test_a_number_of_encoders_that_makes_no_sense_is_told(name: str, encoders: tuple[str, ...]) -> None:
    with pytest.raises(UnusableInput, match=f"{name} takes .* encoder"):
        planned(name, encoders=encoders)


@pytest.mark.parametrize(
    ("name", "counts", "complaint"),
    [
        ("held-out", SplitCounts({"en": 9}, {}, {"en": 20}, {"en": 9}), "--hold-out"),
        ("zero-shot", SplitCounts({"en": 9}, {}, {"en": 20}, {"en": 9}), "two languages are needed"),
        ("stages", SplitCounts({"en": 9}, {}, {"en": 20}, {}), "no existing links in en .* linkspot dataset INDEX"),
        ("stages", SplitCounts({}, {}, {"en": 20}, {"en": 9}), "no insertions in en"),
        ("loss", SplitCounts({"en": 9}, {}, {"en": 9}, {"en": 9}), "no language with 10 insertions to test on"),
        ("main", SplitCounts({"en": 9}, {}, {"en": 20}, {"fr": 9}), "that it also learns from"),
    ],
)
def test_what_a_dataset_lacks_is_reported_in_one_line(name: str, counts: SplitCounts, complaint: str) -> None:
    with pytest.raises(UnusableInput, match=complaint) as error:
        planned(name, counts=counts)
    assert "\n" not in str(error.value)


def test_unknown_names_are_told() -> None:
    with pytest.raises(UnusableInput, match=r"no experiment is called 'stage'; there are: main, english"):
        experiment_of("stage")
    with pytest.raises(UnusableInput, match=r"no budget is called 'large'; there are: small, paper"):
        budget_of("large")


def test_rows_of_the_papers_tables_are_the_papers_baselines_and_ours_stand_in_our_own_questions() -> None:
    def rankers(name: str, label: str) -> set[str]:
        return {one.ranker for one in planned(name).variants if one.label == label}

    ours = {"marks", "kinds"}
    for name in NAMES:
        assert rankers(name, "BM25") == {"bm25" if name in ours else "bm25:paper"}, name
    for name in ("main", "english", "held-out", "monolingual-vs-multilingual"):
        assert rankers(name, "String Match") == {"string-match:paper"}
    assert rankers("kinds", "String Match") == {"string-match"}
