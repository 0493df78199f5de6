"""Training: how many examples a second `article` learns from, compared with `window` and the paper's nine negatives."""

import time
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.dual_head import real_insertions
from bench.encoders import e5
from linkspot.examples.dataset_reader import Insertions
from linkspot.training.learner import learner_of
from linkspot.training.recipe import read_recipe
from linkspot.training.recipe_encoder import RecipeEncoder
from linkspot.training.shipped_recipes import recipe_text
from linkspot.training.stage_run import StageRun
from linkspot.training.training_examples import InsertionInputs, SomeInputs, drawn_numbers

EXAMPLES, WARM_UP = 60, 4
_RECIPES = {"window": "xlocei", "article": "article-multilingual"}


def measure() -> str:
    """Return a table of the examples and the places that each model learns from in a second."""
    speeds = {kind: _measured(kind) for kind in ("window", "article")}
    base = speeds["window"]
    rows = [
        f"| `{kind}` | {places / examples:,.0f} | {examples / seconds:.2f} | "
        f"{examples / seconds / (base[0] / base[2]):.1f} × |"
        for kind, (examples, places, seconds) in speeds.items()
    ]
    return "\n".join(
        [
            f"multilingual-e5-small, all layers trained, on {EXAMPLES} real insertions (the same for both), listwise",
            "loss, steps of 4 examples, no dropout in attention. An article's places are all sentences of the part of",
            "the page that its recipe shows, at most 48.",
            "",
            "| model | places in an example | examples a second | relative |",
            "| --- | ---: | ---: | ---: |",
            *rows,
        ]
    )


def _measured(kind: str) -> tuple[int, int, float]:
    """Return how many examples and places were learned from, and the seconds that took."""
    from accelerate import Accelerator

    with TemporaryDirectory() as folder:
        path = Path(folder) / "recipe.toml"
        path.write_text(recipe_text(_RECIPES[kind]), encoding="utf-8")
        changes = {"encoder": str(e5()), "dataset": str(real_insertions()), "attention_dropout": False}
        recipe = read_recipe(path, changes)
    start = RecipeEncoder.load(recipe)
    learner = learner_of(recipe, start.model, start.inputs)
    stage = replace(recipe.stage[1], epochs=1, batch=4, at_once=4)
    insertions = Insertions(Path(recipe.dataset), "train")
    source = InsertionInputs(insertions, learner.problem_inputs(stage))
    numbers = drawn_numbers(len(insertions), EXAMPLES + WARM_UP, seed=0)
    examples = places = 0
    began = 0.0

    def after(position: object) -> None:
        nonlocal examples, began
        if began:
            examples += position.report.examples  # type: ignore[attr-defined]
        else:
            began = time.perf_counter()  # the first step allocates buffers and does not count

    run = StageRun(0, stage, learner.network, SomeInputs(source, numbers), Accelerator(), seed=0)
    run.run(0, {}, after)
    seconds = time.perf_counter() - began
    for number in numbers:
        places += sum(len(encoder_input.places) for encoder_input in source.encoder_inputs(number, Random(0)))
    return examples, places * examples // len(numbers), seconds
