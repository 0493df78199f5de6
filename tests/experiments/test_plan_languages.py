"""Which languages the plans of experiments learn from and test."""

from dataclasses import replace

import pytest
from tests.experiments.test_plan import COUNTS, NAMES, planned

from linkspot.errors import UnusableInput
from linkspot.experiments.budgets import BudgetName
from linkspot.experiments.paper_figures import published_languages
from linkspot.experiments.plan import FOR_ALL, ExperimentPlan
from linkspot.experiments.split_counts import SplitCounts


def test_languages_that_are_held_out_reach_no_training() -> None:
    for budget in BudgetName:
        plan = planned("held-out", budget)
        assert plan.choice.tested == ("ko",)
        assert any("ca: 4 queries" in reason for reason in plan.choice.left_out)
        for one in plan.variants:
            for recipe in one.recipes.values():
                assert not {"ko", "ca"} & set(recipe.languages)
                assert recipe.languages  # none would mean all of them


def test_held_out_compares_a_model_of_a_part_with_one_of_all_languages() -> None:
    plan = planned("held-out", BudgetName.PAPER)
    learned = {one.variant.paper: one.recipes[FOR_ALL].languages for one in plan.variants if one.recipes}
    assert list(learned) == ["xLocEI 11", "xLocEI 20"]
    assert set(learned["xLocEI 11"]) < set(learned["xLocEI 20"]) == set(COUNTS.learned)
    assert planned("held-out", part=("fr",)).choice.part == ("fr",)


@pytest.mark.parametrize("name", ["zero-shot", "held-out"])
def test_a_dataset_with_the_papers_languages_has_the_papers_part(name: str) -> None:
    languages = published_languages("xLocEI 20")
    counts = SplitCounts(
        dict.fromkeys(languages, 50), {}, dict.fromkeys((*languages, "de"), 20), dict.fromkeys(languages, 50)
    )
    plan = planned(name, BudgetName.PAPER, counts)
    assert set(plan.choice.part) == set(published_languages("xLocEI 11"))
    outside = set(languages) - set(plan.choice.part)
    assert set(plan.choice.tested) == (outside if name == "zero-shot" else {"de"})


def test_a_plan_that_tests_what_it_learned_from_is_refused() -> None:
    plan = planned("held-out")
    trained = [one for one in plan.variants if one.recipes][-1]
    seen = trained.recipes[FOR_ALL].languages[:1]
    with pytest.raises(ValueError, match="tested in languages that it learns from"):
        ExperimentPlan(
            plan.experiment,
            plan.budget,
            plan.seed,
            type(plan.choice)(seen, ()),
            plan.per_language,
            plan.variants,
        )


def test_zero_shot_keeps_every_second_language_from_the_part() -> None:
    plan = planned("zero-shot", BudgetName.PAPER)
    assert plan.choice.tested == ("de", "ja")
    by_label = {one.label: one for one in plan.variants}
    part = by_label["xLocEI₁₁ (a part of the languages)"].recipes[FOR_ALL].languages
    assert not {"de", "ja"} & set(part)
    assert {"en", "en-us", "fr"} <= set(part)
    assert {"de", "ja"} <= set(by_label["xLocEI₂₀ (all languages)"].recipes[FOR_ALL].languages)
    each = by_label["LocEI (each language by itself)"].recipes
    assert {language: recipe.languages for language, recipe in each.items()} == {"de": ("de",), "ja": ("ja",)}


def test_zero_shot_takes_the_part_that_is_named() -> None:
    plan = planned("zero-shot", part=("ja",))
    assert plan.choice.part == ("ja",)
    assert "ja" not in plan.choice.tested


def test_a_wiki_without_english_is_tested_in_its_largest_language() -> None:
    counts = SplitCounts(
        {"nl": 50, "fy": 500, "fy-de": 1}, {"nl": 9}, {"nl": 90, "fy": 40, "fy-de": 10}, {"nl": 90, "fy": 90}
    )
    assert planned("loss", counts=counts).choice.tested == ("fy", "fy-de")


SIMPLE = SplitCounts(
    {"en": 900, "simple": 20, "sw": 90},
    {"en": 9},
    {"en": 90, "simple": 40, "sw": 10},
    {"en": 90, "simple": 90, "sw": 9},
)


@pytest.mark.parametrize("name", NAMES)
def test_a_table_in_one_language_is_in_the_papers_language(name: str) -> None:
    tested = planned(name, BudgetName.PAPER, _with_held_out(SIMPLE)).choice.tested
    if name in {"starting-model", "model-size", "loss"}:
        assert tested == ("simple",)
    elif name in {"english", "ablation-english", "data-size", "stages", "roberta-vs-xlmr", "encoders", "marks"}:
        assert tested == ("en",)


def _with_held_out(counts: SplitCounts) -> SplitCounts:
    return replace(counts, test={**counts.test, "ko": 30})


def test_the_language_that_is_named_is_tested() -> None:
    plan = planned("loss", counts=SIMPLE, language="sw")
    assert plan.choice.tested == ("sw",)
    assert {recipe.languages for one in plan.variants for recipe in one.recipes.values()} == {("sw",)}
    assert planned("loss", language="en").choice.tested == ("en", "en-us")
    assert planned("loss", language="en-us").choice.tested == ("en-us",)
    with pytest.raises(UnusableInput, match=r"no 10 insertions to test on in xx, .* there are: en, simple, sw"):
        planned("loss", counts=SIMPLE, language="xx")
    with pytest.raises(UnusableInput, match="main is not about one language; leave out --language sw"):
        planned("main", counts=SIMPLE, language="sw")


def test_a_part_in_an_unknown_language_is_told() -> None:
    with pytest.raises(UnusableInput, match="nothing to learn from in xx"):
        planned("zero-shot", part=("xx",))


def test_tests_are_shared_among_languages() -> None:
    assert planned("loss").per_language == 90  # en and en-us
    assert planned("loss", limit=7).per_language == 7
    assert planned("loss", limit=0).per_language == 0
