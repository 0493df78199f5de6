import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.tiny_encoders import tiny_encoder, tiny_model
from transformers import AutoTokenizer, BertModel

from linkspot.encoders.export import export_folder
from linkspot.errors import UnusableInput
from linkspot.model.config import ModelConfig, ModelKind
from linkspot.model.dual.store import VectorStore
from linkspot.model.dual.texts import DualSettings
from linkspot.parsing import parse
from linkspot.ranking.embedding import E5, EmbeddingRanker
from linkspot.records import Article, Entity, Markup, Page

MILL = Entity("Old mill", "A mill beside the bridge.", ("mill",))
TEXT = "The river flows. The bridge is old.\n\n## Trains\n\nA train leaves. Signals keep trains apart. Wagons wait.\n"
PLAIN = DualSettings()


def page(text: str = TEXT) -> Article:
    return parse(Page("Town", text, Markup.MARKDOWN, "en"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("encoder"), spread=0.3)


@pytest.fixture(scope="module")
def exported(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("exported") / "onnx"
    export_folder(folder, out, int8=False, embedding_bits=32)
    return out


def test_the_score_is_the_cosine_of_the_sentence_and_the_mean_of_names_and_lead(folder: Path) -> None:
    tokenizer, model = AutoTokenizer.from_pretrained(folder), BertModel.from_pretrained(folder, add_pooling_layer=False)

    def vector(text: str) -> torch.Tensor:
        ids = [2]
        for part in ("query: ", text):
            ids += tokenizer(part, add_special_tokens=False)["input_ids"]
        with torch.no_grad():
            return torch.nn.functional.normalize(model(torch.tensor([[*ids, 3]])).last_hidden_state[0].mean(0), dim=0)

    target = vector("Old mill, mill") + vector(MILL.lead)
    wanted = [float(torch.cosine_similarity(vector(sentence.text), target, dim=0)) for _, sentence in page().sentences]
    assert EmbeddingRanker.of_folder(folder).score(MILL, page()).places == pytest.approx(wanted, abs=1e-3)
    assert max(wanted) - min(wanted) > 0.02


def test_e5s_prefixes_are_put_before_texts_unless_other_settings_are_told(folder: Path) -> None:
    assert (
        EmbeddingRanker.of_folder(folder).score(MILL, page()).places
        == EmbeddingRanker.of_folder(folder, E5).score(MILL, page()).places
    )
    plain = EmbeddingRanker.of_folder(folder, PLAIN).score(MILL, page()).places
    assert not np.allclose(plain, EmbeddingRanker.of_folder(folder).score(MILL, page()).places, atol=1e-2)


def test_a_sentence_is_read_alone_or_in_its_context_as_told(folder: Path) -> None:
    other = page(TEXT.replace("A train leaves", "A boat leaves"))
    for chunk, is_same in ((0, True), (128, False)):
        ranker = EmbeddingRanker.of_folder(folder, DualSettings(chunk))
        assert (
            ranker.score(MILL, page()).places[3] == pytest.approx(ranker.score(MILL, other).places[3], abs=1e-3)
        ) == is_same


def test_an_exported_encoder_scores_as_torch_does_and_needs_no_torch(folder: Path, exported: Path) -> None:
    program = f"""
import sys
sys.modules["torch"] = sys.modules["transformers"] = None
from linkspot.parsing import parse
from linkspot.ranking.embedding import EmbeddingRanker
from linkspot.records import Entity, Markup, Page
page = parse(Page("Town", {TEXT!r}, Markup.MARKDOWN, "en"))
mill = Entity("Old mill", "A mill beside the bridge.", ("mill",))
print(*EmbeddingRanker.of_folder(sys.argv[1]).score(mill, page).places)
try:
    EmbeddingRanker.of_folder(sys.argv[2])
except Exception as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, exported, folder], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    scores, refusal = done.stdout.splitlines()
    wanted = EmbeddingRanker.of_folder(folder).score(MILL, page()).places
    assert [float(score) for score in scores.split()] == pytest.approx(wanted, abs=1e-2)
    assert refusal.startswith("MissingExtra")
    assert "pip install 'linkspot[train]'" in refusal


def test_a_trained_model_is_read_the_way_it_was_trained(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path, ModelKind.DUAL)
    config = ModelConfig.of_folder(folder)
    replace(config, extra={"page_prefix": "the ", "target_prefix": "an "}).save(folder)
    told = EmbeddingRanker.of_folder(folder, DualSettings(0, "the ", "an ")).score(MILL, page()).places
    assert EmbeddingRanker.of_folder(folder).score(MILL, page()).places == told
    assert told != EmbeddingRanker.of_folder(folder, E5).score(MILL, page()).places


def test_vectors_are_kept_where_the_caller_wants_them(folder: Path, tmp_path: Path) -> None:
    with VectorStore(tmp_path / "vectors", 32) as store:
        first = EmbeddingRanker.of_folder(folder, store=store).score(MILL, page()).places
        kept = len(store)
        assert kept == 5 + 2 + 2  # sentences, sections, names and lead
        assert EmbeddingRanker.of_folder(folder, store=store).score(MILL, page()).places == first
        assert len(store) == kept


def test_many_sentences_score_as_few_do(folder: Path) -> None:
    text = " ".join(f"Wagon {number} waits{' at the old bridge' * (number % 4)}." for number in range(60))
    together = EmbeddingRanker.of_folder(folder).score(MILL, page(text)).places
    ranker = EmbeddingRanker.of_folder(folder)
    alone = [ranker.score(MILL, page(sentence.text)).places[0] for _, sentence in page(text).sentences]
    assert together == pytest.approx(alone, abs=1e-3)
    assert len(together) == 60


def test_it_never_says_nowhere(folder: Path) -> None:
    ranker = EmbeddingRanker.of_folder(folder)
    scores = ranker.score(Entity("Quark"), page())
    assert min(scores.places) > scores.nowhere


def test_a_folder_that_holds_no_encoder_or_no_tokenizer_gets_one_line(exported: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"has no config\.json; expected a Hugging Face folder"):
        EmbeddingRanker.of_folder(tmp_path)
    bare = tmp_path / "bare"
    bare.mkdir()
    for path in exported.iterdir():
        if path.name != "tokenizer_config.json":
            (bare / path.name).symlink_to(path)
    with pytest.raises(UnusableInput, match=r"bare has no tokenizer\.json and tokenizer_config\.json"):
        EmbeddingRanker.of_folder(bare)
    (bare / "tokenizer_config.json").write_text('{"pad_token": "[PAD]"}', encoding="utf-8")
    with pytest.raises(UnusableInput, match=r"the tokenizer of .*bare has neither a separator nor an end"):
        EmbeddingRanker.of_folder(bare)


@pytest.mark.parametrize("family", ["t5", "xlm-roberta"])
def test_encoders_of_other_families_can_be_read(family: str, tmp_path: Path) -> None:
    assert len(EmbeddingRanker.of_folder(tiny_encoder(tmp_path, family), PLAIN).score(MILL, page()).places) == 5
