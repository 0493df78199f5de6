"""The paper's recipe is timed as released and with dynamic padding, and both stand in the table."""

from pathlib import Path

import pytest
from tests.tiny_encoders import tiny_encoder

from bench import page_speed
from linkspot.encoders.torch_encoder import TorchEncoder, load_encoder
from linkspot.model.config import ModelConfig, ModelKind
from linkspot.model.inputs import Inputs
from linkspot.parsing import parse
from linkspot.records import Article, Entity, Page

SIZE = min(page_speed.SIZES)
WOLF = Entity("Wolf", "The wolf is a wild animal.", ("wolf",))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("encoder"))


def page() -> Article:
    text = " ".join(f"Dog number {number} guards the sheep of its village." for number in range(SIZE))
    return parse(Page("Dog", text, "markdown", "en"))


def seconds(folder: Path, length: int) -> float:
    special = page_speed._SPECIAL
    inputs = Inputs.of_folder(folder, special, ModelConfig(ModelKind.ARTICLE, special).budget)
    encoder = TorchEncoder(load_encoder(folder), special.padding)
    return min(page_speed._papers_seconds(encoder, inputs, WOLF, page(), length) for _ in range(5))


def test_short_windows_take_less_time_if_they_are_padded_to_the_longest_of_their_batch(encoder: Path) -> None:
    assert 0 < seconds(encoder, 0) < seconds(encoder, page_speed._PAPERS_LENGTH)


def test_what_is_left_against_dynamic_padding_is_the_speed_divided_by_what_the_padding_gains() -> None:
    speeds = {page_speed._SHIPPED: dict.fromkeys(page_speed.SIZES, 54.0), page_speed._TWO: {SIZE: 200.0}}
    head, _, *rows = page_speed._against_dynamic(speeds, dict.fromkeys(page_speed.SIZES, 2.0))
    assert head.startswith("| against the same recipe with dynamic padding | 20 sentences | 100 sentences |")
    assert rows == ["| the model that comes with linkspot | 27 × | 27 × | 27 × | 27 × |"]
