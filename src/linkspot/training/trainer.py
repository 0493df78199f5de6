"""The trainer: takes a model through the stages of its recipe, with checkpoints and validations on the way."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from linkspot.errors import UnusableInput
from linkspot.files import writing
from linkspot.model.cross.network import Network
from linkspot.model.cross.scoring import PageModel
from linkspot.records import Example
from linkspot.training.checkpoint import Checkpoint, read_checkpoint
from linkspot.training.logs import JsonLog, Logs, TrainingLog, ValidationReport
from linkspot.training.optimizer import uses_bf16
from linkspot.training.recipe import Kept, Recipe
from linkspot.training.stage_run import Position, StageRun
from linkspot.training.training_examples import InputSource
from linkspot.training.validation import ValidationFigures, validate

if TYPE_CHECKING:
    from accelerate import Accelerator

WORK, LOG = ".training", "training.jsonl"


@dataclass(frozen=True)
class Training:
    """What a trainer works with, made from its recipe."""

    recipe: Recipe
    network: Network
    page_model: Callable[[], PageModel]  # the network as it is now
    sources: Sequence[InputSource]  # one for each stage
    validation: Sequence[Example]


@dataclass(frozen=True)
class TrainerSettings:
    """Where a training writes, whether it continues from a checkpoint, and how often it makes one (in seconds)."""

    out: Path
    resume: bool = False
    save_every: float = 600.0


class Trainer:
    """Takes a model through its stages."""

    def __init__(
        self,
        training: Training,
        settings: TrainerSettings,
        accelerator: "Accelerator",
        logs: Sequence[TrainingLog] = (),
    ) -> None:
        self._training = training
        self._recipe = training.recipe
        self._settings = settings
        self._accelerator = accelerator
        self._work = settings.out / WORK
        self._file = JsonLog(settings.out / LOG)
        self._log = Logs([self._file, *logs] if accelerator.is_main_process else ())
        self._state = Checkpoint(self._recipe.plan(), 0, 0, {})
        self._saved = time.monotonic()

    def run(self) -> ValidationFigures | None:
        """Train through the stages that are left; returns the figures of the weights that the network then has."""
        checkpoint = read_checkpoint(self._work, self._recipe.plan()) if self._settings.resume else None
        if checkpoint:
            self._state = checkpoint
            self._training.network.load_state_dict(dict(checkpoint.weights))
        if self._accelerator.is_main_process:
            with writing(self._work):
                self._work.mkdir(parents=True, exist_ok=True)
                self._file.continue_from(self._is_done)
        for number in range(self._state.stage, len(self._recipe.stage)):
            self._run_stage(number)
        if not self._state.best:
            return None
        self._training.network.load_state_dict(dict(self._state.best))
        return ValidationFigures(**self._state.figures)  # type: ignore[arg-type]

    def _is_done(self, stage: str, step: int) -> bool:
        names = [known.name for known in self._recipe.stage]
        return (names.index(stage), step) <= (self._state.stage, self._state.step)

    def _run_stage(self, number: int) -> None:
        stage = self._recipe.stage[number]
        run = StageRun(
            number,
            stage,
            self._training.network,
            self._training.sources[number],
            self._accelerator,
            self._recipe.seed,
            uses_bf16(self._recipe.precision),
        )
        if not len(run.examples):
            raise UnusableInput(
                f"stage {stage.name!r} has nothing to learn from: the dataset has no {stage.training_examples}"
            )
        begin = self._state.step if self._state.stage == number else 0
        optimizer = self._state.optimizer if self._state.stage == number else {}
        every = self._recipe.validation.every or run.steps_per_epoch
        run.run(begin, optimizer, lambda position: self._after(position, run.steps, every))
        self._state = replace(self._state, stage=number + 1, step=0, optimizer={})

    def _after(self, position: Position, steps: int, every: int) -> None:
        self._log.write(position.report)
        is_end = position.step == steps
        if is_end or position.step % every == 0:
            self._validate(position)
        if is_end or time.monotonic() - self._saved >= self._settings.save_every:
            self._save(position)

    def _validate(self, position: Position) -> None:
        if not self._training.validation:
            return
        network = self._training.network
        figures = validate(self._training.page_model(), self._training.validation)
        report = position.report
        self._log.write(ValidationReport(report.stage, position.step, figures.hits_at_1, figures.mrr, figures.queries))
        is_best = figures.mrr > self._state.figures.get("mrr", -1.0)
        if is_best or self._recipe.validation.keep is Kept.LAST:
            weights = {name: tensor.detach().cpu().clone() for name, tensor in network.state_dict().items()}
            self._state = replace(self._state, best=weights, figures=asdict(figures))

    def _save(self, position: Position) -> None:
        if not self._accelerator.is_main_process:
            return
        state = replace(
            self._state,
            stage=position.stage,
            step=position.step,
            weights=self._training.network.state_dict(),
            optimizer=position.optimizer.state_dict(),
        )
        state.save(self._work)
        self._saved = time.monotonic()
