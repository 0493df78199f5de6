from pathlib import Path

import numpy as np
import pytest
import torch
from tests.tiny_encoders import tiny_encoder

from linkspot.encoders.special_tokens import SpecialTokens
from linkspot.encoders.torch_encoder import load_encoder
from linkspot.model.config import ModelConfig, ModelKind
from linkspot.model.cross.network import HeadedNetwork
from linkspot.model.encoder_inputs import EncoderInputMaker
from linkspot.model.inputs import Inputs, TokenBudget
from linkspot.parsing import parse
from linkspot.records import Entity, Markup, Page

FAMILIES = ("bert", "roberta", "xlm-roberta", "deberta-v2", "modernbert", "t5")
SPECIAL = SpecialTokens(2, 3, 0)
SMALL = TokenBudget(longest=128, title=8, mentions=8, lead=24, section=8, sentence=40)
ENTITY = Entity("Old mill", "A mill beside the bridge.", ("mill",))
TEXT = "The river flows. The bridge is old.\n\n## Trains\n\n" + "A train leaves. " * 20
PAGE = parse(Page("Town", TEXT, Markup.MARKDOWN, "en"))


def network(folder: Path, kind: ModelKind, family: str = "bert") -> tuple[HeadedNetwork, EncoderInputMaker]:
    tiny_encoder(folder, family)
    config = ModelConfig(kind, SPECIAL, SMALL)
    torch.manual_seed(0)
    return HeadedNetwork(load_encoder(str(folder)), config).eval(), EncoderInputMaker(
        Inputs.of_folder(folder, SPECIAL, SMALL), config
    )


@pytest.mark.parametrize("kind", [ModelKind.WINDOW, ModelKind.TRIPLE, ModelKind.ARTICLE])
def test_serving_scores_as_training_does(tmp_path: Path, kind: ModelKind) -> None:
    net, maker = network(tmp_path, kind)
    item = maker.of_page(maker.inputs.target(ENTITY), maker.inputs.page(PAGE))
    with torch.inference_mode():
        trained = net([item])[0].numpy()
    served = net.page_model(maker).scores(ENTITY, PAGE)
    assert len(served.places) == len(PAGE.sentences)
    assert np.ptp(served.places) > 0
    np.testing.assert_allclose(trained[: len(served.places)], served.places, atol=1e-5)
    if kind is ModelKind.ARTICLE:
        assert trained[-1] == pytest.approx(served.nowhere, abs=1e-5)
    else:
        assert served.nowhere < served.places.min()


@pytest.mark.parametrize("kind", [ModelKind.WINDOW, ModelKind.TRIPLE, ModelKind.ARTICLE])
def test_some_candidates_score_as_they_do_among_all(tmp_path: Path, kind: ModelKind) -> None:
    net, maker = network(tmp_path, kind)
    model = net.page_model(maker)
    numbers = [17, 0, 5]
    whole, some = model.scores(ENTITY, PAGE), model.scores_of(ENTITY, PAGE, numbers)
    np.testing.assert_allclose(some.places, whole.places[numbers], atol=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_of_encoders_learns(tmp_path: Path, family: str) -> None:
    net, maker = network(tmp_path, ModelKind.ARTICLE, family)
    item = maker.of_page(maker.inputs.target(ENTITY), maker.inputs.page(PAGE))
    net.train()([item, item])[1].sum().backward()
    still = [name for name, parameter in net.encoder.named_parameters() if parameter.grad is None]
    assert still == []


def test_items_of_a_batch_do_not_disturb_each_other(tmp_path: Path) -> None:
    net, maker = network(tmp_path, ModelKind.WINDOW)
    target, page = maker.inputs.target(ENTITY), maker.inputs.page(PAGE)
    first = maker.of_candidates(target, page, [(page, 0), (page, 9)])
    second = maker.of_candidates(target, page, [(page, 3)])
    with torch.inference_mode():
        together, alone = net([first, second]), [*net([first]), *net([second])]
    for a, b in zip(together, alone, strict=True):
        torch.testing.assert_close(a, b)


def test_a_page_without_sentences_has_no_scores(tmp_path: Path) -> None:
    net, maker = network(tmp_path, ModelKind.ARTICLE)
    empty = parse(Page("Nothing", "## Nothing\n", Markup.MARKDOWN, "en"))
    assert net.page_model(maker).scores(ENTITY, empty).places.shape == (0,)


@pytest.mark.parametrize("family", ["bert", "roberta", "xlm-roberta", "deberta-v2"])
def test_attention_may_drop_nothing_where_all_else_does(tmp_path: Path, family: str) -> None:
    folder = tiny_encoder(tmp_path, family)
    for is_wanted in (True, False):
        rates = {
            name: part.p
            for name, part in load_encoder(folder, attention_dropout=is_wanted).named_modules()
            if isinstance(part, torch.nn.Dropout)
        }
        in_attention = [rate for name, rate in rates.items() if name.endswith("attention.self.dropout")]
        assert in_attention
        assert set(in_attention) == {0.1 if is_wanted else 0.0}
        assert 0.1 in rates.values()


@pytest.mark.parametrize("family", ["bert", "roberta", "xlm-roberta", "deberta-v2"])
def test_an_encoder_may_drop_nothing_at_all(tmp_path: Path, family: str) -> None:
    model = load_encoder(tiny_encoder(tmp_path, family), attention_dropout=False, dropout=False)
    assert {part.p for part in model.modules() if isinstance(part, torch.nn.Dropout)} == {0.0}
