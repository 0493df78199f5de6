"""Distillation: some layers of an encoder learn to give texts the vectors that the whole encoder gives them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity, normalize

from linkspot.encoders.encoder import Encoder, padded
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
_CHUNKS_OF_MEAN = 300


@dataclass(frozen=True, slots=True)
class DistillationSettings:
    """How an encoder is made smaller: which `layers` stay, counted from 0 at the bottom; if none are given, all stay.

    Of the dataset's pages, at most `pages` are read, drawn by the recipe's seed (0: all that the head reads). A step
    learns from `batch` sequences. The rate rises over the share `warm_up` of the steps, then falls to 0.
    """

    layers: tuple[int, ...] = ()
    pages: int = 0
    epochs: int = 2
    batch: int = 32
    rate: float = 4e-4
    warm_up: float = 0.05

    def __post_init__(self) -> None:
        if list(self.layers) != sorted(set(self.layers)) or any(layer < 0 for layer in self.layers):
            raise UnusableInput(
                f"distillation has layers = {list(self.layers)}; name each once, from the bottom up, counted from 0"
            )
        for name in ("epochs", "batch"):
            if getattr(self, name) < 1:
                raise UnusableInput(f"distillation has {name} = {getattr(self, name)}; at least 1 is needed")
        if self.pages < 0:
            raise UnusableInput(f"distillation has pages = {self.pages}; it cannot be below 0")
        if self.rate <= 0 or not 0 <= self.warm_up < 1:
            raise UnusableInput(
                f"distillation has rate = {self.rate}, warm_up = {self.warm_up}; "
                "the rate is above 0, and warm_up a share from 0 to 1"
            )

    def rate_at(self, step: int, steps: int) -> float:
        """Return the rate of a step, counted from 0: a linear warm-up, then a cosine decay."""
        warm = self.warm_up * steps
        if step < warm:
            return self.rate * (step + 1) / (warm + 1)
        return self.rate * 0.5 * (1 + float(np.cos(np.pi * (step - warm) / (steps - warm))))


@dataclass(frozen=True)
class Lessons:
    """Sequences, and the larger encoder that says what the vectors of their tokens and sentences should be."""

    chunks: Sequence[Chunk]
    teacher: Encoder
    padding: int

    def vectors(self, chunks: Sequence[Chunk]) -> tuple[Tensor, Tensor]:
        """Return the larger encoder's vectors of all tokens and of all sentences, each of length 1: (n, H) twice."""
        tokens = [torch.from_numpy(vectors) for vectors in self.teacher.encode([chunk.ids for chunk in chunks])]
        return normalize(torch.cat(tokens), dim=1), _sentences(tokens, chunks)

    def means(self, seed: int) -> tuple[Tensor, Tensor]:
        """Return the mean vectors of a sample: what all vectors of such an encoder have in common says nothing."""
        sample = Random(seed).sample(self.chunks, min(len(self.chunks), _CHUNKS_OF_MEAN))
        tokens, sentences = self.vectors(sample)
        return tokens.mean(0), sentences.mean(0)

    def batches(self, size: int, draw: Random) -> list[list[Chunk]]:
        """Return all sequences once, in batches of similar length, in random order."""
        order = draw.sample(self.chunks, len(self.chunks))
        batches: list[list[Chunk]] = []
        for start in range(0, len(order), size * _BATCHES_SORTED):
            by_length = sorted(order[start : start + size * _BATCHES_SORTED], key=lambda chunk: len(chunk.ids))
            batches += [by_length[first : first + size] for first in range(0, len(by_length), size)]
        draw.shuffle(batches)
        return batches


class Distillation:
    """Lets a student encoder learn the vectors of its teacher."""

    def __init__(
        self,
        student: "PreTrainedModel",
        lessons: Lessons,
        settings: DistillationSettings,
        seed: int,
        log: TrainingLog,
        *,
        bf16: bool = False,
    ) -> None:
        self._student, self._lessons, self._settings, self._seed = student, lessons, settings, seed
        self._log, self._bf16 = log, bf16
        self._common = lessons.means(seed)  # of tokens and of sentences, (H,) each

    def run(self, folder: Path, plan: dict[str, Any], save_every: float) -> None:
        """Take all steps, or those after the checkpoint that a stopped run of the same plan left in the folder."""
        student, settings = self._student, self._settings
        _freeze_vocabulary(student)
        learning = [parameter for parameter in student.parameters() if parameter.requires_grad]
        optimizer = torch.optim.AdamW(learning, lr=settings.rate, weight_decay=_WEIGHT_DECAY)
        begin = 0
        if checkpoint := read_checkpoint(folder, plan):
            student.load_state_dict(dict(checkpoint.weights))
            optimizer.load_state_dict(dict(checkpoint.optimizer))
            begin = checkpoint.step
        per_epoch = -(-len(self._lessons.chunks) // settings.batch)
        steps, saved = per_epoch * settings.epochs, time.monotonic()
        for step in range(begin, steps):
            epoch, number = divmod(step, per_epoch)
            if step == begin or number == 0:
                batches = self._lessons.batches(settings.batch, Random(f"{self._seed}/{epoch}"))
            rate = settings.rate_at(step, steps)
            for group in optimizer.param_groups:
                group["lr"] = rate
            loss = self.loss(batches[number])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(learning, _CLIP)
            optimizer.step()
            self._log.write(StepReport(STAGE, step + 1, steps, float(loss.detach()), rate, len(batches[number])))
            if time.monotonic() - saved >= save_every:
                Checkpoint(plan, 0, step + 1, student.state_dict(), optimizer.state_dict()).save(folder)
                saved = time.monotonic()

    def loss(self, chunks: Sequence[Chunk]) -> Tensor:
        """Return how far the student's vectors are off, of tokens and of sentences: a scalar."""
        ids, mask = padded([chunk.ids for chunk in chunks], self._lessons.padding)
        with torch.autocast(self._student.device.type, torch.bfloat16, enabled=self._bf16):
            vectors = run_encoder(self._student, ids, mask)  # (chunks, T, H)
        tokens = [row[: len(chunk.ids)] for row, chunk in zip(vectors, chunks, strict=True)]
        own = normalize(torch.cat(tokens), dim=1), _sentences(tokens, chunks)
        pairs = zip(own, self._lessons.vectors(chunks), self._common, strict=True)
        return torch.stack([_distance(*pair) for pair in pairs]).sum()


def _sentences(tokens: Sequence[Tensor], chunks: Sequence[Chunk]) -> Tensor:
    """Return the mean vectors of the chunks' spans, each of length 1, given those of the tokens: (spans, H)."""
    pairs = zip(tokens, chunks, strict=True)
    return normalize(torch.stack([row[start:end].mean(0) for row, chunk in pairs for start, end in chunk.spans]), dim=1)


def _distance(student: Tensor, teacher: Tensor, common: Tensor) -> Tensor:
    """Return how far vectors are off: in direction, without what all have in common, and in distance; a scalar."""
    cosines = cosine_similarity(student - common, teacher - common, dim=1)
    return (1 - cosines + (student - teacher).square().sum(1)).mean()


def _freeze_vocabulary(student: "PreTrainedModel") -> None:
    """Let all but the vocabulary learn: it knows languages that no example is in. Dropout is off."""
    student.train(False)
    for parameter in student.parameters():
        parameter.requires_grad_(True)
    for parameter in student.get_input_embeddings().parameters():
        parameter.requires_grad_(False)
