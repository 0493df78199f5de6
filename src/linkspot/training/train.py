"""`linkspot train`: a recipe and a dataset → a model's folder."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.encoders.torch_encoder import load_encoder, quiet
from linkspot.errors import UnusableInput
from linkspot.files import is_free, writing
from linkspot.model.config import CONFIG, ModelKind
from linkspot.progress import SILENT, Progress
from linkspot.records import Example
from linkspot.training.card import write_card
from linkspot.training.checkpoint import read_checkpoint
from linkspot.training.distilled_encoder import distill
from linkspot.training.learner import Learner, learner_of
from linkspot.training.logs import Logs, ShownLog, TrainingLog
from linkspot.training.recipe import Kept, Recipe
from linkspot.training.recipe_encoder import RecipeEncoder
from linkspot.training.trainer import WORK, Trainer, TrainerSettings, Training
from linkspot.training.training_data import training_data
from linkspot.training.validation import ValidationFigures

if TYPE_CHECKING:
    from accelerate import Accelerator
    from transformers import PreTrainedModel


def train(
    recipe: Recipe,
    settings: TrainerSettings,
    progress: Progress = SILENT,
    logs: Sequence[TrainingLog] = (),
    accelerator: "Accelerator | None" = None,
) -> ValidationFigures | None:
    """Train a model into a folder; returns its figures on validation, where the dataset has any."""
    from accelerate import Accelerator

    _check_folder(settings)
    logs = [ShownLog(progress), *logs]
    accelerator = accelerator or Accelerator()
    data = training_data(recipe)
    start = RecipeEncoder.load(recipe)
    encoder = start.model
    if recipe.distillation.layers:
        encoder = _distilled(recipe, start, settings, accelerator, progress, Logs(logs))
    learner = learner_of(recipe, encoder, start.inputs)
    sources = [data.inputs(recipe, stage, learner) for stage in recipe.stage]
    validation = data.validation(recipe)
    # To validate the encoder of a dual model by itself takes minutes; it is done only where it decides what is kept.
    is_validated = recipe.model is not ModelKind.DUAL or recipe.validation.keep is Kept.BEST
    training = Training(recipe, learner.network, learner.page_model, sources, validation if is_validated else ())
    figures = Trainer(training, settings, accelerator, logs).run()
    if accelerator.is_main_process:
        with writing(settings.out):
            figures = _finish(learner, validation, settings.out, progress) or figures
            start.tokenizer.save_pretrained(settings.out)
            write_card(settings.out, recipe, data, figures)
            learner.network.config.save(settings.out)  # the last file: with it the folder is a model
            shutil.rmtree(settings.out / WORK, ignore_errors=True)
    accelerator.wait_for_everyone()
    return figures


def _distilled(
    recipe: Recipe,
    start: RecipeEncoder,
    settings: TrainerSettings,
    accelerator: "Accelerator",
    progress: Progress,
    log: TrainingLog,
) -> "PreTrainedModel":
    """Return the distilled encoder; one process makes it, unless a run that was stopped had done so."""
    folder, work = settings.out / WORK / "smaller", settings.out / WORK / "distillation"
    if accelerator.is_main_process and not read_checkpoint(folder, recipe.plan()):
        with writing(work):
            distill(recipe, start.model, start.inputs, folder, work, settings.save_every, progress, log)
        shutil.rmtree(work, ignore_errors=True)  # a run from torch leaves nothing there
    accelerator.wait_for_everyone()
    return load_encoder(folder, attention_dropout=recipe.attention_dropout, dropout=recipe.dropout)


def _finish(learner: Learner, validation: Sequence[Example], out: Path, progress: Progress) -> ValidationFigures | None:
    with quiet():
        learner.network.encoder.save_pretrained(out)
    return learner.finish(out, out / WORK, validation, progress)


def _check_folder(settings: TrainerSettings) -> None:
    out = settings.out
    if (out / CONFIG).exists():
        raise UnusableInput(f"{out} holds a model already; choose a new folder")
    if settings.resume:
        return
    if (out / WORK).exists():
        raise UnusableInput(f"{out} holds a run that was stopped; continue it with --resume, or choose a new folder")
    if not is_free(out):
        raise UnusableInput(f"{out} exists and is not empty; choose a new folder for the model")
