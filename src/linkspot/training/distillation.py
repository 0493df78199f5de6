"""A smaller encoder that says what a larger one says: some of its layers learn to give texts the same vectors."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity, normalize

from linkspot.encoders.encoder import Vectors, padded
from linkspot.encoders.torch_encoder import run_encoder
from linkspot.errors import UnusableInput
from linkspot.model.inputs import Chunk
from linkspot.training.checkpoint import Checkpoint, read_checkpoint
from linkspot.training.logs import StepReport, TrainingLog

if TYPE_CHECKING:
    from transformers import PreTrainedModel

STAGE = "distillation"
_BATCHES_SORTED = 40  # together, by length, so that little of a batch is padding
_CLIP = 1.0
_WEIGHT_DECAY = 0.01
_CHUNKS_OF_MEAN = 3_000


@dataclass(frozen=True, slots=True)
class DistillationSettings:
    """How an encoder is made smaller: which of its `layers` stay, counted from 0 at the bottom; without any, all do.

    A step learns from `batch` sequences. The rate rises over the share `warm_up` of the steps, then falls to 0.
    """

    layers: tuple[int, ...] = ()
    epochs: int = 2
    batch: int = 32
    rate: float = 4e-4
    warm_up: float = 0.05

    def __post_init__(self) -> None:
        if list(self.layers) != sorted(set(self.layers)) or any(layer < 0 for layer in self.layers):
            raise UnusableInput(f"layers are told from the bottom up, each once, not as {list(self.layers)}")
        for name in ("epochs", "batch"):
            if getattr(self, name) < 1:
                raise UnusableInput(f"distillation has {name} = {getattr(self, name)}; at least 1 is needed")
        if self.rate <= 0 or not 0 <= self.warm_up < 1:
            raise UnusableInput(f"distillation has a rate of {self.rate} and warms up for {self.warm_up} of its steps")

    def rate_at(self, step: int, steps: int) -> float:
        """Return the rate of a step, counted from 0: up in a line, then down along half a wave."""
        warm = self.warm_up * steps
        if step < warm:
            return self.rate * (step + 1) / (warm + 1)
        return self.rate * 0.5 * (1 + float(np.cos(np.pi * (step - warm) / (steps - warm))))


@dataclass(frozen=True)
class Lessons:
    """Sequences, and the larger encoder's vectors of each one's spans."""

    chunks: Sequence[Chunk]
    vectors: Callable[[Chunk], Vectors]
    padding: int

    def mean(self, seed: int) -> Tensor:
        """Return the mean of the vectors of some: such encoders' vectors have much in common, which tells nothing."""
        some = Random(seed).sample(self.chunks, min(len(self.chunks), _CHUNKS_OF_MEAN))
        return torch.from_numpy(np.concatenate([self.vectors(chunk) for chunk in some]).mean(axis=0))

    def batches(self, size: int, draw: Random) -> list[list[Chunk]]:
        """Return all sequences once, in batches of like length, in an order that is drawn."""
        order = draw.sample(self.chunks, len(self.chunks))
        batches: list[list[Chunk]] = []
        for start in range(0, len(order), size * _BATCHES_SORTED):
            some = sorted(order[start : start + size * _BATCHES_SORTED], key=lambda chunk: len(chunk.ids))
            batches += [some[first : first + size] for first in range(0, len(some), size)]
        draw.shuffle(batches)
        return batches


class Distillation:
    """Lets an encoder learn to say what another one said."""

    def __init__(
        self, student: "PreTrainedModel", lessons: Lessons, settings: DistillationSettings, seed: int, log: TrainingLog
    ) -> None:
        self._student, self._lessons, self._settings, self._seed = student, lessons, settings, seed
        self._log = log
        self._common = lessons.mean(seed)  # (H,)

    def run(self, folder: Path, plan: dict[str, Any], save_every: float) -> None:
        """Take all steps, or those behind the checkpoint that a stopped run of the same plan left in the folder."""
        student, settings = self._student, self._settings
        _hold_still(student)
        learning = [parameter for parameter in student.parameters() if parameter.requires_grad]
        optimizer = torch.optim.AdamW(learning, lr=settings.rate, weight_decay=_WEIGHT_DECAY)
        begin = 0
        if found := read_checkpoint(folder, plan):
            student.load_state_dict(dict(found.weights))
            optimizer.load_state_dict(dict(found.optimizer))
            begin = found.step
        per_epoch = -(-len(self._lessons.chunks) // settings.batch)
        steps, saved = per_epoch * settings.epochs, time.monotonic()
        for step in range(begin, steps):
            epoch, place = divmod(step, per_epoch)
            if step == begin or place == 0:
                batches = self._lessons.batches(settings.batch, Random(f"{self._seed}/{epoch}"))
            rate = settings.rate_at(step, steps)
            for group in optimizer.param_groups:
                group["lr"] = rate
            loss = self.loss(batches[place])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(learning, _CLIP)
            optimizer.step()
            self._log.write(StepReport(STAGE, step + 1, steps, float(loss.detach()), rate, len(batches[place])))
            if time.monotonic() - saved >= save_every:
                Checkpoint(plan, 0, step + 1, student.state_dict(), optimizer.state_dict()).save(folder)
                saved = time.monotonic()

    def loss(self, chunks: Sequence[Chunk]) -> Tensor:
        """Return how far the student's vectors are off: by their direction, without what all have in common, and whole.

        A scalar: the mean over all spans of the chunks.
        """
        ids, mask = padded([chunk.ids for chunk in chunks], self._lessons.padding)
        found = run_encoder(self._student, ids, mask)  # (chunks, T, H)
        means = [found[number, start:end].mean(0) for number, chunk in enumerate(chunks) for start, end in chunk.spans]
        said = normalize(torch.stack(means), dim=1)  # (spans, H)
        wanted = torch.from_numpy(np.concatenate([self._lessons.vectors(chunk) for chunk in chunks]))
        alike = cosine_similarity(said - self._common, wanted - self._common, dim=1)
        return (1 - alike + (said - wanted).square().sum(1)).mean()


def _hold_still(student: "PreTrainedModel") -> None:
    """Keep the vocabulary as it is, in which the languages that are not learned from are known, and drop nothing."""
    student.train(False)
    for parameter in student.parameters():
        parameter.requires_grad_(True)
    for parameter in student.get_input_embeddings().parameters():
        parameter.requires_grad_(False)
