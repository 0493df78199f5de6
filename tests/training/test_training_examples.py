from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import torch

from linkspot.errors import UnusableInput
from linkspot.examples.dataset_reader import ExistingLinks, Insertions
from linkspot.model.config import ModelKind
from linkspot.model.encoder_inputs import EncoderInput
from linkspot.training.learner import learner_of
from linkspot.training.recipe import Recipe
from linkspot.training.recipe_encoder import RecipeEncoder
from linkspot.training.stages import RemovalScope
from linkspot.training.training_data import training_data
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
        pages, parts = whole.encoder_inputs(number, Random(1)), some.encoder_inputs(number, Random(1))
        assert len(pages) == len(parts)
        for page, part in zip(pages, parts, strict=True):
            if not page.gold:
                continue
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


def test_links_of_a_page_share_the_sequences_of_its_stretch(recipe: Callable[..., Recipe], trees: Path) -> None:
    made = recipe(ModelKind.DUAL)
    start = RecipeEncoder.load(made)
    learner = learner_of(made, start.model, start.inputs)
    stage = replace(made.stage[0], examples=0, together=3, sentences=4, removal=RemovalScope.SOME)
    source = training_data(made).inputs(made, stage, learner)
    assert len(source) < len(ExistingLinks(trees))
    shared = 0
    for number in range(len(source)):
        encoder_inputs = source.encoder_inputs(number, Random(number))
        assert all(one.gold and len(one.places) <= 4 for one in encoder_inputs)
        assert len({one.sequences[2:] for one in encoder_inputs}) <= 1
        assert len({one.sequences[:2] for one in encoder_inputs}) == len(encoder_inputs)
        shared += len(encoder_inputs) > 1
    assert shared > 1


def test_a_page_that_several_targets_share_is_scored_as_for_each_alone(
    recipe: Callable[..., Recipe], trees: Path
) -> None:
    made = recipe(ModelKind.DUAL)
    start = RecipeEncoder.load(made)
    learner = learner_of(made, start.model, start.inputs)
    source = InsertionInputs(Insertions(trees, "train"), learner.problem_inputs(made.stage[1]))
    one, other = (source.encoder_inputs(number, Random(1))[0] for number in (0, 5))
    assert one.sequences[2:] != other.sequences[2:]
    both = [one, replace(other, sequences=(*other.sequences[:2], *one.sequences[2:]), places=one.places)]
    network = learner.network.train(False)
    with torch.no_grad():
        together, alone = network(both), [network([each])[0] for each in both]
        assert all(torch.allclose(a, b, atol=1e-5) for a, b in zip(together, alone, strict=True))
        assert len(together[0]) == len(one.places)
        network.train()
        rivals = network([one, other])[0]
    # Sentences that both pages have alike are read once.
    places = {
        (each.sequences[place.sequence], place.start, place.end) for each in (one, other) for place in each.places
    }
    assert len(one.places) < len(rivals) == len(places)


def test_only_dual_models_learn_links_together(recipe: Callable[..., Recipe]) -> None:
    made = recipe(ModelKind.ARTICLE)
    start = RecipeEncoder.load(made)
    stage = replace(made.stage[0], together=3)
    with pytest.raises(UnusableInput, match="together = 3; that is for dual models"):
        training_data(made).inputs(made, stage, learner_of(made, start.model, start.inputs))
