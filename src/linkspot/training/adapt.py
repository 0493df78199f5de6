"""`linkspot adapt`: a `dual` model and one's own wiki's insertions → the same model with a head that learned more."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from linkspot.encoders.encoder import Encoder
from linkspot.errors import UnusableInput
from linkspot.examples.dataset_reader import InsertionExample, Insertions
from linkspot.examples.negative_targets import with_negative_targets
from linkspot.files import is_free, new_folder
from linkspot.model.config import CARD, ModelConfig, ModelKind
from linkspot.model.dual.dual import DualReader, identity_of
from linkspot.model.dual.head import Head
from linkspot.model.dual.pca import Pca
from linkspot.model.dual.store import VectorStore
from linkspot.model.dual.texts import DualSettings
from linkspot.model.inputs import Inputs
from linkspot.progress import Progress
from linkspot.tables.folder import TableFolder
from linkspot.training.head import HeadSettings, refit, samples_of
from linkspot.training.head_rows import Rows
from linkspot.training.validation import ValidationFigures

#: A head that has already learned much continues slowly.
ADAPTING = HeadSettings(networks=1, rate=3e-4)
_SHARE = 5  # without validation insertions, the latest of the others are used: one in so many


@dataclass(frozen=True, slots=True)
class Adapted:
    """How the model ranked the validation insertions before and after; `is_better` says whether its head changed."""

    examples: int
    before: ValidationFigures
    after: ValidationFigures

    @property
    def is_better(self) -> bool:
        """Whether the new head ranks better; if not, the old one is kept."""
        return self.after.mrr > self.before.mrr


def check(dataset: Path, model: Path, out: Path) -> ModelConfig:
    """Check that dataset, model and folder can be used, before anything is written; returns the model's config."""
    config = ModelConfig.of_folder(model)
    if config.kind is not ModelKind.DUAL:
        raise UnusableInput(
            f"{model} is a {config.kind} model; only the head of a {ModelKind.DUAL} model can be adapted"
        )
    if not any(TableFolder.open(dataset, "dataset").has(f"insertions/{split}") for split in ("train", "validation")):
        raise UnusableInput(f"{dataset} has no insertions; make it from a folder that 'linkspot insertions' made")
    if not is_free(out):
        raise UnusableInput(f"{out} exists and is not empty; choose a new folder for the model")
    return config


def adapt(dataset: Path, model: Path, out: Path, encoder: Encoder, progress: Progress, seed: int = 0) -> Adapted:
    """Refit the head of a model to the insertions of a dataset, and write the model with the better of both heads.

    The vectors of the insertions stay in a file beside the new folder, so that another try is faster.
    """
    config = check(dataset, model, out)
    head = Head.of_folder(model)
    inputs = Inputs.of_folder(model, config.special, config.budget)
    train, validation = _insertions(dataset)
    with VectorStore(vectors_of(out), encoder.dimensions) as store:
        settings, pca = DualSettings.of(config.extra), Pca.of_folder(model)
        reader = DualReader(encoder, inputs, settings, identity_of(model), store, pca)
        samples, validation_samples = (
            samples_of(reader, with_negative_targets(insertions, seed), progress.stage(f"vectors of {name}"))
            for name, insertions in (("training", train), ("validation", validation))
        )
    stage = progress.stage("head")
    fitted = refit(head, samples, validation_samples, ADAPTING, seed)
    stage.update(1.0, len(samples))
    rows = Rows.of(validation_samples)
    result = Adapted(len(train), rows.figures(head.place), rows.figures(fitted.place))
    _write(model, out, fitted, result)
    return result


def vectors_of(out: Path) -> Path:
    """Return the file beside a model's folder that keeps the vectors of its insertions."""
    return out.with_name(f"{out.name}.vectors")


def _insertions(dataset: Path) -> tuple[list[InsertionExample], list[InsertionExample]]:
    """Return the insertions to learn from and those to validate on."""
    folder = TableFolder(dataset)
    train, validation = (
        list(Insertions(dataset, split)) if folder.has(f"insertions/{split}") else []
        for split in ("train", "validation")
    )
    if not train:
        raise UnusableInput(f"{dataset} has no training insertions; its split may leave all of them to the test")
    if not any(insertion.example.gold for insertion in validation):
        cut = len(train) - max(1, len(train) // _SHARE)
        train, validation = train[:cut], train[cut:]
    return train, validation


def _write(model: Path, out: Path, head: Head, result: Adapted) -> None:
    with new_folder(out) as folder:
        shutil.copytree(model, folder, dirs_exist_ok=True)
        head.save(folder)
        with (folder / CARD).open("a", encoding="utf-8") as card:
            card.write(_card(result))


def _card(result: Adapted) -> str:
    old, new = result.before, result.after if result.is_better else result.before
    return (
        f"\n## Adapted\n\nThe head also learned from {result.examples:,} insertions of another wiki. On its "
        f"{old.queries:,} validation insertions: Hits@1 {old.hits_at_1:.3f} before, {new.hits_at_1:.3f} after; "
        f"MRR {old.mrr:.3f} before, {new.mrr:.3f} after. The best epoch was chosen on them, so the gain is flattered.\n"
    )
