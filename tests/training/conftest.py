from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tiny_encoders import tiny_encoder

from linkspot.model.config import ModelKind
from linkspot.model.inputs import Form
from linkspot.training.recipe import Recipe, ValidationSettings
from linkspot.training.stages import Stage, TrainingExamples


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny encoder."""
    folder = tiny_encoder(tmp_path_factory.mktemp("encoder"))
    (folder / "README.md").write_text(
        "---\nlicense: cc0-1.0\n---\n\n# tiny\n\nA tiny one, licence CC0.\n\nMore of it.\n"
    )
    return folder


@pytest.fixture(scope="session")
def recipe(trees: Path, encoder: Path) -> Callable[..., Recipe]:
    """Makes small recipes of a kind of model, with both stages; other values can be given by name."""

    def make(kind: ModelKind, **changes: object) -> Recipe:
        rates = {"encoder_rate": 1e-3, "head_rate": 1e-3, "batch": 4, "at_once": 2}
        stages = (
            Stage("warm start", TrainingExamples.EXISTING_LINKS, 1, examples=8, **rates),
            Stage("expansion", TrainingExamples.INSERTIONS, 1, examples=8, **rates),
        )
        values = {
            "stage": stages,
            "validation": ValidationSettings(examples=6),
            "encoder": str(encoder),
            "form": Form(marks=True),  # in the short pages of the tests, candidates differ by nothing else
            **changes,
        }
        return Recipe(kind, dataset=str(trees), **values)

    return make
