from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from linkspot.examples.dataset_reader import Insertions
from linkspot.model.config import ModelKind
from linkspot.model.encoder_inputs import EncoderInput
from linkspot.training.learner import learner_of
from linkspot.training.recipe import Recipe
from linkspot.training.recipe_encoder import RecipeEncoder
from linkspot.training.training_examples import InsertionInputs, stretch


def test_a_page_that_is_short_enough_is_learned_from_whole() -> None:
    for most in (0, 10, 11):
        assert stretch(10, (4,), most, Random(0)) == range(10)


@pytest.mark.parametrize("gold", [(0,), (99,), (50,), (3, 4), (2, 97)])
def test_a_stretch_of_a_long_page_has_a_right_place_in_it(gold: tuple[int, ...]) -> None:
    for seed in range(200):
        shown = stretch(100, gold, 8, Random(seed))
        assert len(shown) == 8
        assert shown.start >= 0
        assert shown.stop <= 100
        assert set(gold) & set(shown)


def test_the_right_place_stands_anywhere_in_a_stretch() -> None:
    places = [50 - stretch(100, (50,), 8, Random(seed)).start for seed in range(800)]
    assert {places.count(place) > 50 for place in range(8)} == {True}


def test_where_nothing_is_right_any_stretch_is_drawn() -> None:
    starts = {stretch(100, (), 8, Random(seed)).start for seed in range(2_000)}
    assert starts == set(range(93))


@pytest.mark.parametrize("kind", [ModelKind.ARTICLE, ModelKind.DUAL])
def test_what_is_learned_from_a_stretch_is_the_same_sentence_as_in_the_page(
    kind: ModelKind, recipe: Callable[..., Recipe], trees: Path
) -> None:
    start = RecipeEncoder.load(recipe(kind))
    learner = learner_of(recipe(kind), start.model, start.inputs)
    insertions = Insertions(trees, "train")
    stage = recipe(kind).stage[1]
    whole, some = (
        InsertionInputs(insertions, learner.problem_inputs(replace(stage, sentences=most))) for most in (0, 3)
    )
    compared = 0
    for number in range(len(insertions)):
        page, part = whole.encoder_input(number, Random(1)), some.encoder_input(number, Random(1))
        assert (page is None) == (part is None)
        if page and part and page.gold:
            assert len(part.places) == 3
            assert part.gold
            right = {_tokens(page, place) for place in page.gold}
            assert {_tokens(part, place) for place in part.gold} <= right
            compared += 1
    assert compared > 3


def _tokens(encoder_input: EncoderInput, number: int) -> tuple[int, ...]:
    """Return what a place's sentence is, as its tokens."""
    place = encoder_input.places[number]
    return encoder_input.sequences[place.sequence][place.start : place.end]
