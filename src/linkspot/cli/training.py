"""The command that trains models: train."""

import os
from pathlib import Path
from typing import Any

from linkspot.cli.model_options import (
    ModelOut,
    OtherDataset,
    OtherEncoder,
    OtherSeed,
    OtherTexts,
    PrintRecipe,
    PublishedTrainingFiles,
    Recipe,
    Resume,
    SaveEvery,
    TensorBoard,
)
from linkspot.cli.output import say, say_names
from linkspot.cli.running import resumable
from linkspot.errors import UnusableInput
from linkspot.extras import Extra, require


def train(
    recipe: Recipe = None,
    out: ModelOut = None,
    encoder: OtherEncoder = "",
    dataset: OtherDataset = "",
    published: PublishedTrainingFiles = "",
    texts: OtherTexts = "",
    seed: OtherSeed = None,
    resume: Resume = False,
    save_every: SaveEvery = 10.0,
    tensorboard: TensorBoard = None,
    print_recipe: PrintRecipe = "",
) -> None:
    """Train a model by a recipe. A run that was stopped continues with --resume, as if it had never stopped.

    Example: linkspot train --print-recipe article > mine.toml; linkspot train mine.toml --out model
    """
    if print_recipe:
        _print(print_recipe)
        return
    require(Extra.TRAIN, "linkspot train")
    if recipe is None or out is None:
        raise UnusableInput("training needs a recipe and --out FOLDER; --print-recipe '?' lists recipes to start from")
    if dataset and published:
        raise UnusableInput("--dataset and --published both say what to learn from; give one of them")
    changes = {"encoder": encoder, "dataset": dataset, "published": published, "texts": texts, "seed": seed}
    _train(recipe, out, changes, resume, save_every, tensorboard)


def _train(
    path: Path, out: Path, changes: dict[str, Any], resume: bool, save_every: float, tensorboard: Path | None
) -> None:
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    from accelerate import Accelerator

    from linkspot.cli.progress import TerminalProgress
    from linkspot.training.logs import TensorBoardLog
    from linkspot.training.recipe import read_recipe
    from linkspot.training.train import train
    from linkspot.training.trainer import TrainerSettings

    wanted = read_recipe(path, {key: value for key, value in changes.items() if value not in {"", None}})
    accelerator = Accelerator()
    logs = [TensorBoardLog(tensorboard)] if tensorboard else []
    with resumable("add --resume to the same command to continue"), TerminalProgress() as progress:
        result = train(wanted, TrainerSettings(out, resume, save_every * 60), progress, logs, accelerator)
    if not accelerator.is_main_process:
        return
    say(f"The model is in {out}")
    if result:
        say(f"On validation: Hits@1 {result.hits_at_1:.3f}, MRR {result.mrr:.3f} ({result.queries:,} queries)")


def _print(name: str) -> None:
    from linkspot.training.shipped_recipes import recipe_summaries, recipe_text

    if name != "?":
        say(recipe_text(name).rstrip("\n"))
        return
    say_names(recipe_summaries())
