"""Fitting the head of a `dual` model: a listwise softmax over each page, and apart from it *nowhere*."""

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

_PAGES_AT_ONCE = 64  # whose texts go through the encoder together
_PAGES_OF_PCA = 500
# To learn what belongs nowhere takes many negative targets; of the links that users ask for, about one in ten is one.
_NEGATIVE_TARGET_WEIGHT = 0.2
_SMALLEST = 1e-4  # deviation: a feature that never changes is not blown up


@dataclass(frozen=True, slots=True)
class HeadSettings:
    """How a head is fitted; `networks` are averaged, each from a seed of its own, `patience` counts epochs."""

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
    """Encode the problems, each text once, and fit a head to them that does best on validation."""
    samples = samples_of(reader, problems, progress.stage("vectors of training"))
    tried = samples_of(reader, validation, progress.stage("vectors of validation"))
    return fit(samples, tried, settings, seed, progress.stage("head"))


def fit_pca(reader: DualReader, problems: Sequence[Problem], seed: int, progress: StageProgress) -> Pca:
    """Return the directions in which the sentences and titles of some of the problems' pages differ most."""
    pages = [one.example.article for one in problems if one.example.article.sentences]
    drawn = Random(seed).sample(pages, min(len(pages), _PAGES_OF_PCA))
    vectors = []
    for number, page in enumerate(drawn, start=1):
        vectors.append(reader.page_vectors(page))
        progress.update(number / len(drawn), number)
    return Pca.of(*(np.concatenate([getattr(one, part) for one in vectors]) for part in ("sentences", "titles")))


def samples_of(reader: DualReader, problems: Sequence[Problem], progress: StageProgress) -> list[HeadSample]:
    """Return the features of each problem; a page without sentences has none and is left out."""
    found: list[HeadSample] = []
    for start in range(0, len(problems), _PAGES_AT_ONCE):
        some = [one for one in problems[start : start + _PAGES_AT_ONCE] if one.example.article.sentences]
        reader.prepare((one.example.entity, one.example.article) for one in some)
        for one in some:
            matrix = reader.features(one.example.entity, one.example.article)
            weight = _NEGATIVE_TARGET_WEIGHT if one.is_negative_target else 1.0
            found.append(HeadSample(matrix, one.example.gold, one.ignored, weight))
        done = min(start + _PAGES_AT_ONCE, len(problems))
        progress.update(done / len(problems), done)
    return found


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
    """Return a head that learned on from another one; on validation each of its parts does better, or is the same."""
    places, nowhere = _tasks(and_alone(samples), validation)
    return Head(_learn(places, settings, seed, head.place), _learn(nowhere, settings, seed, head.nowhere))


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
    teaching, tried = ([one for one in some if one.teaches_places] for some in (samples, validation))
    if not teaching or not tried:
        where = "learn from" if not teaching else "validate on"
        raise UnusableInput(f"no example to {where} has both a right and a wrong place; a head needs some")
    pages, of_validation = pages_of(samples), pages_of(validation)
    return _Places(Rows.of(teaching), Rows.of(tried)), _Nowhere(*pages, of_validation)


def _learn(task: _HeadTask, settings: HeadSettings, seed: int, start: Mlp | None = None) -> Mlp:
    """Return the network of the epoch that is judged best; with a start, that one if none is better."""
    scale = _Scale.of(task.inputs)
    network = scale.unfolded(start, settings.dropout) if start else _network(scale.size, settings, seed)
    optimizer = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=settings.weight_decay)
    chance = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)  # for dropout
    best = start or scale.folded(network)
    highest, best_epoch = task.judge(best), -1
    for epoch in range(settings.epochs):
        for pages in torch.split(torch.randperm(task.pages, generator=chance), settings.batch):
            loss = task.loss(lambda inputs: network(scale(inputs)).squeeze(1), pages)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        found = task.judge(scale.folded(network))
        if found > highest:
            best, highest, best_epoch = scale.folded(network), found, epoch
        elif epoch - best_epoch >= settings.patience:
            break
    return best


@dataclass(frozen=True)
class _Scale:
    """What brings features to mean 0 and deviation 1; in a fitted network it is part of the first layer."""

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
        """Return the network for features as they are."""
        first_weight, first_bias, *last = (parameter.detach() for parameter in network.parameters())
        weight = first_weight / self.deviation
        parts = (weight, first_bias - weight @ self.mean, *last)
        return Mlp(*(part.clone().numpy() for part in parts))

    def unfolded(self, mlp: Mlp, dropout: float) -> nn.Sequential:
        """Return a network for scaled features that says what another says of them as they are."""
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
    """Return one network that says the mean of what several say: their hidden units side by side."""
    return Mlp(
        np.concatenate([one.hidden_weight for one in networks]),
        np.concatenate([one.hidden_bias for one in networks]),
        np.concatenate([one.weight / np.float32(len(networks)) for one in networks], axis=1),
        np.mean([one.bias for one in networks], axis=0, dtype=np.float32),
    )
