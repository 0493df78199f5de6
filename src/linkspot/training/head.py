"""Fitting the head of a `dual` model: a listwise softmax over each page, and separately *nowhere*."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from linkspot.errors import UnusableInput
from linkspot.examples.context_removal import Problem
from linkspot.model.dual.dual import DualReader
from linkspot.model.dual.head import Head
from linkspot.model.dual.pca import Pca
from linkspot.model.mlp import Mlp
from linkspot.progress import SILENT, Progress, StageProgress
from linkspot.training.calibration import calibrated
from linkspot.training.head_rows import HeadSample, Rows, and_alone, listwise_of_pages, pages_of

_PAGES_AT_ONCE = 64  # their texts go through the encoder together
_PAGES_OF_PCA = 500
_SMALLEST = 1e-4  # deviation: so that a feature that never changes is not divided by 0


@dataclass(frozen=True, slots=True)
class HeadSettings:
    """How a head is fitted: `networks` with different seeds are averaged; `patience` counts epochs without a gain."""

    networks: int = 3
    hidden: int = 128
    dropout: float = 0.5
    rate: float = 2e-3
    weight_decay: float = 0.5
    batch: int = 64
    epochs: int = 60
    patience: int = 8


def fit_head(
    reader: DualReader,
    problems: Sequence[Problem],
    validation: Sequence[Problem],
    settings: HeadSettings,
    seed: int,
    progress: Progress = SILENT,
) -> Head:
    """Encode the problems, each text once, and fit the head that does best on validation."""
    samples = samples_of(reader, problems, progress.stage("vectors of training"))
    validation_samples = samples_of(reader, validation, progress.stage("vectors of validation"))
    return fit(samples, validation_samples, settings, seed, progress.stage("head"))


def fit_pca(reader: DualReader, problems: Sequence[Problem], seed: int, progress: StageProgress) -> Pca:
    """Return the directions in which the sentences and titles of some of the problems' pages differ most."""
    pages = [problem.example.article for problem in problems if problem.example.article.sentences]
    drawn = Random(seed).sample(pages, min(len(pages), _PAGES_OF_PCA))
    vectors = []
    for number, page in enumerate(drawn, start=1):
        vectors.append(reader.page_vectors(page))
        progress.update(number / len(drawn), number)
    return Pca.of(*(np.concatenate([getattr(page, part) for page in vectors]) for part in ("sentences", "titles")))


def samples_of(reader: DualReader, problems: Sequence[Problem], progress: StageProgress) -> list[HeadSample]:
    """Return the features of each problem; a page without sentences has none and is left out."""
    samples: list[HeadSample] = []
    for start in range(0, len(problems), _PAGES_AT_ONCE):
        part = [problem for problem in problems[start : start + _PAGES_AT_ONCE] if problem.example.article.sentences]
        reader.prepare((problem.example.entity, problem.example.article) for problem in part)
        for problem in part:
            example = problem.example
            matrix = reader.features(example.entity, example.article)
            samples.append(HeadSample(matrix, example.gold, problem.ignored, problem.is_negative_target))
        done = min(start + _PAGES_AT_ONCE, len(problems))
        progress.update(done / len(problems), done)
    return samples


def fit(
    samples: Sequence[HeadSample],
    validation: Sequence[HeadSample],
    settings: HeadSettings,
    seed: int,
    progress: StageProgress = SILENT,
) -> Head:
    """Fit a head to samples, with and without precedents, stop where it does best on validation, and calibrate it."""
    samples, validation = and_alone(samples), and_alone(validation)
    places, nowhere = _tasks(samples, validation)
    fitted = []
    for number in range(settings.networks):
        fitted.append(_learn(places, settings, seed + number))
        progress.update((number + 1) / (settings.networks + 1), number + 1)
    head = Head(mean_of(fitted), _learn(nowhere, settings, seed))
    progress.update(1.0, settings.networks + 1)
    return calibrated(head, validation)


def refit(
    head: Head, samples: Sequence[HeadSample], validation: Sequence[HeadSample], settings: HeadSettings, seed: int
) -> Head:
    """Return a head that continues from another one; each of its two parts does better on validation, or is kept."""
    places, nowhere = _tasks(and_alone(samples), validation)
    fitted = _learn(places, settings, seed, head.place), _learn(nowhere, settings, seed, head.nowhere)
    return Head(*fitted, head.sureness)


class _HeadTask(Protocol):
    """Something that a small network learns from numbered pages."""

    @property
    def inputs(self) -> Tensor: ...

    @property
    def pages(self) -> int: ...

    def loss(self, network: Callable[[Tensor], Tensor], pages: Tensor) -> Tensor: ...

    def judge(self, network: Mlp) -> float: ...  # higher is better


@dataclass(frozen=True)
class _Places:
    rows: Rows
    validation: Rows

    @property
    def inputs(self) -> Tensor:
        return self.rows.inputs

    @property
    def pages(self) -> int:
        return self.rows.pages

    def loss(self, network: Callable[[Tensor], Tensor], pages: Tensor) -> Tensor:
        batch = self.rows.take(pages)
        return listwise_of_pages(network(batch.inputs), batch)

    def judge(self, network: Mlp) -> float:
        return self.validation.figures(network).mrr


@dataclass(frozen=True)
class _Nowhere:
    inputs: Tensor  # (B, page features)
    is_nowhere: Tensor  # (B,)
    validation: tuple[Tensor, Tensor]

    @property
    def pages(self) -> int:
        return len(self.inputs)

    def loss(self, network: Callable[[Tensor], Tensor], pages: Tensor) -> Tensor:
        return binary_cross_entropy_with_logits(network(self.inputs[pages]), self.is_nowhere[pages])

    def judge(self, network: Mlp) -> float:
        inputs, is_nowhere = self.validation
        logits = torch.from_numpy(network(inputs.numpy()))
        return -float(binary_cross_entropy_with_logits(logits, is_nowhere))


def _tasks(samples: Sequence[HeadSample], validation: Sequence[HeadSample]) -> tuple[_Places, _Nowhere]:
    train, test = ([sample for sample in part if sample.teaches_places] for part in (samples, validation))
    if not train or not test:
        where = "learn from" if not train else "validate on"
        raise UnusableInput(
            f"no example to {where} has both a right and a wrong place; a head needs some: make a larger dataset"
        )
    pages, of_validation = pages_of(samples), pages_of(validation)
    return _Places(Rows.of(train), Rows.of(test)), _Nowhere(*pages, of_validation)


def _learn(task: _HeadTask, settings: HeadSettings, seed: int, start: Mlp | None = None) -> Mlp:
    """Return the network of the best epoch on validation; with a start, the start itself if no epoch is better."""
    scale = _Scale.of(task.inputs)
    network = scale.unfolded(start, settings.dropout) if start else _network(scale.size, settings, seed)
    optimizer = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=settings.weight_decay)
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)  # for dropout
    best = start or scale.folded(network)
    highest, best_epoch = task.judge(best), -1
    for epoch in range(settings.epochs):
        for pages in torch.split(torch.randperm(task.pages, generator=generator), settings.batch):
            loss = task.loss(lambda inputs: network(scale(inputs)).squeeze(1), pages)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        figure = task.judge(scale.folded(network))
        if figure > highest:
            best, highest, best_epoch = scale.folded(network), figure, epoch
        elif epoch - best_epoch >= settings.patience:
            break
    return best


@dataclass(frozen=True)
class _Scale:
    """Scales features to mean 0 and deviation 1; in a fitted network it is part of the first layer."""

    mean: Tensor  # (F,)
    deviation: Tensor  # (F,)

    @classmethod
    def of(cls, inputs: Tensor) -> "_Scale":
        return cls(inputs.mean(dim=0), inputs.std(dim=0, correction=0).clamp_min(_SMALLEST))

    @property
    def size(self) -> int:
        return len(self.mean)

    def __call__(self, inputs: Tensor) -> Tensor:
        return (inputs - self.mean) / self.deviation

    def folded(self, network: nn.Sequential) -> Mlp:
        """Return the network for unscaled features."""
        first_weight, first_bias, *last = (parameter.detach() for parameter in network.parameters())
        weight = first_weight / self.deviation
        parts = (weight, first_bias - weight @ self.mean, *last)
        return Mlp(*(part.clone().numpy() for part in parts))

    def unfolded(self, mlp: Mlp, dropout: float) -> nn.Sequential:
        """Return a network for scaled features that gives the numbers that another gives for unscaled ones."""
        weight, bias, last_weight, last_bias = (
            torch.from_numpy(part.copy()) for part in (mlp.hidden_weight, mlp.hidden_bias, mlp.weight, mlp.bias)
        )
        network = _layers(self.size, len(bias), dropout)
        values = (weight * self.deviation, bias + weight @ self.mean, last_weight, last_bias)
        with torch.no_grad():
            for parameter, value in zip(network.parameters(), values, strict=True):
                parameter.copy_(value)
        return network


def _network(inputs: int, settings: HeadSettings, seed: int) -> nn.Sequential:
    torch.manual_seed(seed)
    return _layers(inputs, settings.hidden, settings.dropout)


def _layers(inputs: int, hidden: int, dropout: float) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Dropout(dropout), nn.Linear(hidden, 1))


def mean_of(networks: Sequence[Mlp]) -> Mlp:
    """Return one network that gives the mean of several: their hidden units side by side."""
    return Mlp(
        np.concatenate([network.hidden_weight for network in networks]),
        np.concatenate([network.hidden_bias for network in networks]),
        np.concatenate([network.weight / np.float32(len(networks)) for network in networks], axis=1),
        np.mean([network.bias for network in networks], axis=0, dtype=np.float32),
    )
