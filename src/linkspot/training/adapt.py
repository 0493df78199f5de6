"""`linkspot adapt`: a `dual` model and one's own wiki's links → the same model with a head that learned more."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from linkspot.encoders.encoder import Encoder
from linkspot.errors import UnusableInput
from linkspot.examples.context_removal import Problem
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
from linkspot.training.calibration import calibrated
from linkspot.training.head import HeadSettings, fit, refit, samples_of
from linkspot.training.head_problems import even_problems_of_insertions, even_problems_of_links
from linkspot.training.head_rows import HeadSample, Rows, and_alone
from linkspot.training.validation import ValidationFigures

#: A head that has already learned much continues slowly.
ADAPTING = HeadSettings(networks=1, rate=3e-4)
_SHARE = 5  # without validation insertions, one in so many of the others validates


@dataclass(frozen=True, slots=True)
class AdaptSettings:
    """What a head learns from: at most so many existing links and insertions of each corpus (0 insertions: all).

    `afresh` fits a new head instead of letting the model's own continue.
    """

    links: int = 200
    insertions: int = 0
    afresh: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Adapted:
    """How the model ranked the validation links before and after; `is_better` says whether their order changed."""

    examples: int
    before: ValidationFigures
    after: ValidationFigures

    @property
    def is_better(self) -> bool:
        """Whether the new head ranks better; if not, the old order is kept, with new probabilities."""
        return self.after.mrr > self.before.mrr


def check(dataset: Path, model: Path, out: Path) -> ModelConfig:
    """Check that dataset, model and folder can be used, before anything is written; returns the model's config."""
    config = ModelConfig.of_folder(model)
    if config.kind is not ModelKind.DUAL:
        raise UnusableInput(
            f"{model} is a {config.kind} model; only the head of a {ModelKind.DUAL} model can be adapted"
        )
    tables = TableFolder.open(dataset, "dataset")
    if not any(map(tables.has, ("insertions/train", "existing_links/train"))):
        raise UnusableInput(
            f"{dataset} has no links to learn from; make it from folders that 'linkspot index' or "
            "'linkspot insertions' made"
        )
    if not is_free(out):
        raise UnusableInput(f"{out} exists and is not empty; choose a new folder for the model")
    return config


def adapt(
    dataset: Path,
    model: Path,
    out: Path,
    encoder: Encoder,
    progress: Progress,
    settings: AdaptSettings | None = None,
) -> Adapted:
    """Refit the head of a model to the links of a dataset, and write the model with the better of both heads.

    Its probabilities are fitted to the dataset, whichever head is better. The vectors of the pages stay in a file
    beside the new folder, so that another try is faster.
    """
    settings = settings or AdaptSettings()
    config = check(dataset, model, out)
    head = Head.of_folder(model)
    inputs = Inputs.of_folder(model, config.special, config.budget)
    train, validation = _problems(dataset, settings)
    with VectorStore(vectors_of(out), encoder.dimensions) as store:
        reader = DualReader(
            encoder, inputs, DualSettings.of(config.extra), identity_of(model), store, Pca.of_folder(model)
        )
        samples, validation_samples = (
            samples_of(reader, problems, progress.stage(f"vectors of {name}"))
            for name, problems in (("training", train), ("validation", validation))
        )
    stage = progress.stage("head")
    fitted = _fitted(head, samples, validation_samples, settings)
    stage.update(1.0, len(samples))
    rows = Rows.of(validation_samples)
    result = Adapted(len(train), rows.figures(head.place), rows.figures(fitted.place))
    _write(model, out, fitted, result)
    return result


def _fitted(head: Head, samples: list[HeadSample], validation: list[HeadSample], settings: AdaptSettings) -> Head:
    """Return a head that learned, or the old one if it is better; its probabilities fit the validation examples."""
    if settings.afresh:
        return fit(samples, validation, HeadSettings(), settings.seed)
    return calibrated(refit(head, samples, validation, ADAPTING, settings.seed), and_alone(validation))


def vectors_of(out: Path) -> Path:
    """Return the file beside a model's folder that keeps the vectors of its insertions."""
    return out.with_name(f"{out.name}.vectors")


def _problems(dataset: Path, settings: AdaptSettings) -> tuple[list[Problem], list[Problem]]:
    """Return what to learn from and what to validate on, insertions if there are any."""
    folder, seed = TableFolder(dataset), settings.seed
    links = even_problems_of_links(dataset, settings.links, seed) if folder.has("existing_links/train") else []
    train, validation = (
        even_problems_of_insertions(dataset, split, settings.insertions, seed)
        if folder.has(f"insertions/{split}")
        else []
        for split in ("train", "validation")
    )
    if not _has_places(validation):
        train, validation = _parted(train, links) if _has_places(train) else _parted(links, train)
    else:
        train = [*links, *train]
    if not _has_places(train):
        raise UnusableInput(f"{dataset} has nothing to learn from; its split may leave all insertions to the test")
    return train, validation


def _has_places(problems: list[Problem]) -> bool:
    return any(problem.example.gold for problem in problems)


def _parted(known: list[Problem], others: list[Problem]) -> tuple[list[Problem], list[Problem]]:
    """Return the others and most of what is known, to learn from, and the rest of what is known, to validate on."""
    kept = [problem for number, problem in enumerate(known) if number % _SHARE]
    return [*others, *kept], known[::_SHARE]


def _write(model: Path, out: Path, head: Head, result: Adapted) -> None:
    with new_folder(out) as folder:
        shutil.copytree(model, folder, dirs_exist_ok=True)
        head.save(folder)
        with (folder / CARD).open("a", encoding="utf-8") as card:
            card.write(_card(result))


def _card(result: Adapted) -> str:
    old, new = result.before, result.after if result.is_better else result.before
    return (
        f"\n## Adapted\n\nThe head also learned from {result.examples:,} examples of another dataset. On "
        f"{old.queries:,} validation links: Hits@1 {old.hits_at_1:.3f} before, {new.hits_at_1:.3f} after; "
        f"MRR {old.mrr:.3f} before, {new.mrr:.3f} after. The best epoch was chosen on them, so the gain is flattered.\n"
    )
