"""The command that trains models: train."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from linkspot.cli.output import say
from linkspot.cli.running import resumable
from linkspot.errors import UnusableInput
from linkspot.extras import Extra, require


def train(
    recipe: Annotated[
        Path | None,
        typer.Argument(metavar="RECIPE.toml", help="How to train; see --print-recipe.", show_default=False),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The folder for the model.", show_default=False)] = None,
    encoder: Annotated[
        str, typer.Option(help="The encoder to start from, instead of the recipe's.", show_default=False)
    ] = "",
    dataset: Annotated[
        str, typer.Option(help="The dataset to learn from, instead of the recipe's.", show_default=False)
    ] = "",
    texts: Annotated[
        str,
        typer.Option(help="Texts in further languages, instead of the recipe's.", show_default=False),
    ] = "",
    seed: Annotated[int | None, typer.Option(help="The seed, instead of the recipe's.", show_default=False)] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run that was stopped in --out.")] = False,
    save_every: Annotated[float, typer.Option(help="Minutes between checkpoints.", min=0.0)] = 10.0,
    tensorboard: Annotated[
        Path | None, typer.Option(help="Also log for TensorBoard, into this folder.", show_default=False)
    ] = None,
    print_recipe: Annotated[
        str, typer.Option(metavar="NAME", help="Print a recipe to start from; '?' lists them.", show_default=False)
    ] = "",
) -> None:
    """Train a model as a recipe says; a run that was stopped goes on with --resume, as if nothing had happened.

    Example: linkspot train --print-recipe article > mine.toml; linkspot train mine.toml --out model
    """
    require(Extra.TRAIN, "linkspot train")
    if print_recipe:
        _print(print_recipe)
        return
    if recipe is None or out is None:
        raise UnusableInput("training takes a recipe and --out FOLDER; --print-recipe '?' lists recipes to start from")
    changes = {"encoder": encoder, "dataset": dataset, "texts": texts, "seed": seed}
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
    from linkspot.training.recipe import recipe_summaries, recipe_text

    if name != "?":
        say(recipe_text(name).rstrip("\n"))
        return
    for known, summary in recipe_summaries().items():
        say(f"{known:28} {summary}")
