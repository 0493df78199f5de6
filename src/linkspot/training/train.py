"""`linkspot train`: a recipe and a dataset → a model's folder."""

import shutil
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from linkspot.encoders.torch_encoder import load_encoder, quiet
from linkspot.errors import UnusableInput
from linkspot.examples.dataset_reader import ExistingLinks, Insertions
from linkspot.files import is_free, writing
from linkspot.model.config import CONFIG, ModelKind
from linkspot.model.inputs import Inputs
from linkspot.progress import SILENT, Progress
from linkspot.records import Example
from linkspot.tables.folder import TableFolder
from linkspot.training.card import write_card
from linkspot.training.checkpoint import read_checkpoint
from linkspot.training.logs import Logs, ShownLog, TrainingLog
from linkspot.training.recipe import Kept, Recipe
from linkspot.training.run import WORK, RunSettings, Training, TrainingRun
from linkspot.training.smaller import make_smaller
from linkspot.training.stages import Material, Stage
from linkspot.training.start import start
from linkspot.training.trainee import Trainee, trainee_of
from linkspot.training.trainer import InputSource
from linkspot.training.training_examples import InsertionInputs, LinkInputs, drawn
from linkspot.training.validation import ValidationFigures

if TYPE_CHECKING:
    from accelerate import Accelerator
    from transformers import PreTrainedModel


def train(
    recipe: Recipe,
    settings: RunSettings,
    progress: Progress = SILENT,
    logs: Sequence[TrainingLog] = (),
    accelerator: "Accelerator | None" = None,
) -> ValidationFigures | None:
    """Train a model into a folder; returns its figures on validation, where the dataset has any."""
    from accelerate import Accelerator

    _check_folder(settings)
    logs = [ShownLog(progress), *logs]
    accelerator = accelerator or Accelerator()
    dataset = TableFolder.open(Path(recipe.dataset), "dataset")
    encoder, inputs, tokenizer = start(recipe)
    if recipe.distil.layers:
        encoder = _smaller(recipe, encoder, inputs, settings, accelerator, progress, Logs(logs))
    trainee = trainee_of(recipe, encoder, inputs)
    sources = [_source(recipe, stage, dataset, trainee) for stage in recipe.stage]
    validation = validation_examples(recipe, dataset.path)
    # The encoder of a dual model takes minutes to be tried alone; where that decides nothing, only the whole is tried.
    is_tried = recipe.model is not ModelKind.DUAL or recipe.validation.keep is Kept.BEST
    training = Training(recipe, trainee.network, trainee.page_model, sources, validation if is_tried else ())
    figures = TrainingRun(training, settings, accelerator, logs).run()
    if accelerator.is_main_process:
        with writing(settings.out):
            figures = _finish(trainee, validation, settings.out, progress) or figures
            tokenizer.save_pretrained(settings.out)
            write_card(settings.out, recipe, dataset, figures)
            trainee.network.config.save(settings.out)  # the last file: with it the folder is a model
            shutil.rmtree(settings.out / WORK, ignore_errors=True)
    accelerator.wait_for_everyone()
    return figures


def _smaller(
    recipe: Recipe,
    encoder: "PreTrainedModel",
    inputs: Inputs,
    settings: RunSettings,
    accelerator: "Accelerator",
    progress: Progress,
    log: TrainingLog,
) -> "PreTrainedModel":
    """Return the smaller encoder; one process makes it, unless a run that was stopped had done so."""
    folder, work = settings.out / WORK / "smaller", settings.out / WORK / "distillation"
    if accelerator.is_main_process and not read_checkpoint(folder, recipe.plan()):
        with writing(work):
            make_smaller(recipe, encoder, inputs, folder, work, settings.save_every, progress, log)
        shutil.rmtree(work)
    accelerator.wait_for_everyone()
    return load_encoder(folder, attention_dropout=recipe.attention_dropout)


def _finish(trainee: Trainee, validation: Sequence[Example], out: Path, progress: Progress) -> ValidationFigures | None:
    with quiet():
        trainee.network.encoder.save_pretrained(out)
    return trainee.finish(out, out / WORK, validation, progress)


def validation_examples(recipe: Recipe, dataset: Path) -> list[Example]:
    """Return insertions of the validation split, as many as the recipe asks for, drawn by its seed."""
    found = Insertions(dataset, "validation", recipe.languages)
    numbers = list(range(len(found)))
    Random(recipe.seed).shuffle(numbers)
    examples = (found[number].example for number in numbers)
    return list(islice((example for example in examples if example.gold), recipe.validation.examples or None))


def _source(recipe: Recipe, stage: Stage, dataset: TableFolder, trainee: Trainee) -> InputSource:
    per_language, languages = stage.per_language or recipe.per_language, recipe.languages
    if stage.material is Material.EXISTING_LINKS:
        links = ExistingLinks(dataset.path, languages, per_language=per_language, seed=recipe.seed)
        return drawn(LinkInputs(links, trainee.items(stage), stage.removal), stage.examples, recipe.seed)
    edits = Insertions(dataset.path, "train", languages, per_language=per_language, seed=recipe.seed)
    return drawn(InsertionInputs(edits, trainee.items(stage)), stage.examples, recipe.seed)


def _check_folder(settings: RunSettings) -> None:
    out = settings.out
    if (out / CONFIG).exists():
        raise UnusableInput(f"{out} holds a model already; choose a new folder")
    if settings.resume:
        return
    if (out / WORK).exists():
        raise UnusableInput(f"{out} holds a run that was stopped; go on with --resume, or choose a new folder")
    if not is_free(out):
        raise UnusableInput(f"{out} exists and is not empty; choose a new folder for the model")
