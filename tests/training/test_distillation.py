from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tests.progress_notes import ProgressNotes

import linkspot
from linkspot.encoders.torch_encoder import TorchEncoder, keep_layers, load_encoder
from linkspot.errors import UnusableInput
from linkspot.model.config import ModelKind
from linkspot.model.dual.text_vectors import unit
from linkspot.model.inputs import Chunk
from linkspot.records import Entity, Markup, Page
from linkspot.training.distillation import STAGE, Distillation, DistillationSettings, Lessons
from linkspot.training.distilled_encoder import passages
from linkspot.training.head import HeadSettings
from linkspot.training.logs import Report, StepReport
from linkspot.training.recipe import Recipe
from linkspot.training.train import train
from linkspot.training.trainer import TrainerSettings

Make = Callable[..., Recipe]
HEAD = HeadSettings(networks=1, epochs=1)
PAGE = Page("Oak", "The oak is kin of the birch. It grows slowly. The maple is another tree.", Markup.MARKDOWN, "en")


class Losses:
    """A log that keeps the losses of distillation, and stops a run behind a step."""

    def __init__(self, last: int = 0) -> None:
        self.losses: list[float] = []
        self._last = last

    def write(self, report: Report) -> None:
        if isinstance(report, StepReport) and report.stage == STAGE:
            self.losses.append(report.loss)
            if report.step == self._last:
                raise KeyboardInterrupt


@pytest.fixture
def smaller(recipe: Make) -> Callable[..., Recipe]:
    """Makes recipes that leave an encoder the upper of its two layers."""

    def make(texts: Path | None = None, **changes: object) -> Recipe:
        settings = DistillationSettings(**{"layers": (1,), "epochs": 12, "batch": 8, "rate": 2e-3, **changes})
        return recipe(ModelKind.DUAL, stage=(), head=HEAD, distillation=settings, texts=str(texts or ""))

    return make


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def test_a_layer_learns_to_say_what_two_say(tmp_path: Path, smaller: Make, encoder: Path) -> None:
    notes = Losses()
    train(smaller(), TrainerSettings(tmp_path / "model"), logs=[notes])
    assert sum(notes.losses[-5:]) < 0.5 * sum(notes.losses[:5])
    assert load_encoder(tmp_path / "model").config.num_hidden_layers == 1
    assert not (tmp_path / "model" / ".training").exists()
    before, after = weights(encoder), weights(tmp_path / "model")
    still = "embeddings.word_embeddings.weight"  # languages that are not learned from are known by it
    assert torch.equal(before[still], after[still])
    scores = (
        linkspot.load(tmp_path / "model").score(Entity("Birch", "A tree.", ("birch",)), linkspot.parse(PAGE)).places
    )
    assert len(set(scores)) == 3
    card = (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert "A tiny one, licence CC0. Of its layers, counted from 0, these stay: 1. They learned" in card


def test_a_run_that_was_stopped_goes_on_bit_for_bit(tmp_path: Path, smaller: Make) -> None:
    plan, whole, stopped = smaller(epochs=2), tmp_path / "whole", tmp_path / "stopped"
    notes = Losses()
    train(plan, TrainerSettings(whole), logs=[notes])
    steps = len(notes.losses)
    with pytest.raises(KeyboardInterrupt):
        train(plan, TrainerSettings(stopped, save_every=0), logs=[Losses(last=steps // 2 + 1)])
    rest = Losses()
    train(plan, TrainerSettings(stopped, resume=True), logs=[rest])
    assert rest.losses == notes.losses[steps // 2 :]
    one, other = weights(whole), weights(stopped)
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_smaller_encoder_that_is_made_is_not_made_again_nor_taken_for_another_recipe(
    tmp_path: Path, smaller: Make
) -> None:
    plan, out = smaller(epochs=1), tmp_path / "model"
    with pytest.raises(KeyboardInterrupt):
        train(plan, TrainerSettings(out), ProgressNotes(stop_in="vectors of training"))
    with pytest.raises(UnusableInput, match=r"another recipe \(distillation differ\)"):
        train(smaller(epochs=2), TrainerSettings(out, resume=True))
    notes = ProgressNotes()
    train(plan, TrainerSettings(out, resume=True), notes)
    assert STAGE not in notes.stages
    assert "vectors of training" in notes.finished


def test_texts_in_other_languages_are_learned_from(tmp_path: Path, smaller: Make) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("Mti\nMti ni mrefu.\nUna majani.\n\n\nPuu\nPuu on korkea.\n\nalone\n", encoding="utf-8")
    assert list(passages(texts)) == [("Mti", ["Mti ni mrefu.", "Una majani."]), ("Puu", ["Puu on korkea."])]
    counts = []
    for name, told in (("without", None), ("with", texts)):
        notes = ProgressNotes()
        train(smaller(told, epochs=1), TrainerSettings(tmp_path / name), notes)
        counts.append(notes.stages["texts of distillation"].count)
    assert counts[1] - counts[0] == 2


def test_what_all_vectors_have_in_common_does_not_hide_that_one_differs_the_wrong_way(encoder: Path) -> None:
    student = load_encoder(encoder)
    asked, other = (Chunk((1, token, 2), (0,), ((1, 2),)) for token in (5, 6))
    (said,) = TorchEncoder(student, padding_id=0).encode([asked.ids])
    aside = np.zeros_like(said)
    aside[:, 0] = 0.01
    said = np.repeat(unit(said[1:2]), 3, axis=0)
    wanted = {asked.ids: said + aside, other.ids: said}  # so what they have in common lies between
    lessons = Lessons([asked, other], _Teacher(wanted), padding=0)
    distillation = Distillation(student, lessons, DistillationSettings(), seed=0, log=Losses())
    assert float(distillation.loss([asked]).detach()) > 2  # 2 of the sentence; the tokens add to it


class _Teacher:
    """Says the vectors that it was given."""

    dimensions, longest = 32, 512

    def __init__(self, vectors: dict[tuple[int, ...], np.ndarray]) -> None:
        self._vectors = vectors

    def encode(self, sequences: Sequence[tuple[int, ...]]) -> list[np.ndarray]:
        return [self._vectors[tuple(sequence)] for sequence in sequences]


def test_of_the_datasets_pages_only_so_many_are_read(tmp_path: Path, smaller: Make) -> None:
    notes = ProgressNotes()
    train(smaller(epochs=1, pages=3), TrainerSettings(tmp_path / "model"), notes)
    assert notes.stages["texts of distillation"].count == 3


def test_layers_that_stay_keep_their_order(encoder: Path) -> None:
    model = load_encoder(encoder)
    upper = model.state_dict()["encoder.layer.1.output.dense.weight"]
    keep_layers(model, (1,))
    assert torch.equal(model.state_dict()["encoder.layer.0.output.dense.weight"], upper)
    with pytest.raises(UnusableInput, match="has 1 layers, so it cannot be cut down to 1 with layer 3"):
        keep_layers(model, (3,))


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"layers": (3, 1)}, r"layers = \[3, 1\]; name each once, from the bottom up"),
        ({"layers": (1, 1)}, "each once"),
        ({"epochs": 0}, "epochs = 0; at least 1"),
        ({"pages": -1}, "pages = -1; it cannot be below 0"),
        ({"rate": 0.0}, "rate = 0.0"),
        ({"warm_up": 1.0}, "warm_up = 1.0; "),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], complaint: str) -> None:
    with pytest.raises(UnusableInput, match=complaint):
        DistillationSettings(**settings)  # type: ignore[arg-type]


def test_what_cannot_be_made_smaller_is_said(tmp_path: Path, smaller: Make, recipe: Make) -> None:
    with pytest.raises(UnusableInput, match="cannot be read"):
        train(smaller(tmp_path / "absent.txt"), TrainerSettings(tmp_path / "a"))
    with pytest.raises(UnusableInput, match="has 2 layers"):
        train(smaller(layers=(0, 2)), TrainerSettings(tmp_path / "b"))
    with pytest.raises(UnusableInput, match="distillation is for dual models; this is a window model"):
        recipe(ModelKind.WINDOW, distillation=DistillationSettings(layers=(0,)))


def test_the_rate_rises_and_falls_to_nothing() -> None:
    settings = DistillationSettings(rate=1.0, warm_up=0.1)
    rates = [settings.rate_at(step, 100) for step in range(100)]
    assert rates.index(max(rates)) == 10
    assert rates[:11] == sorted(rates[:11])
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[-1] < 0.001
