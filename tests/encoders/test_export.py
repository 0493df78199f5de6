from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from tests.tiny_encoders import tiny_encoder

from linkspot.encoders.export import export_encoder, export_folder
from linkspot.encoders.export_check import check_export, check_rankings
from linkspot.encoders.onnx_encoder import OnnxEncoder
from linkspot.encoders.special_tokens import SpecialTokens
from linkspot.encoders.torch_encoder import TorchEncoder, load_encoder
from linkspot.errors import UnusableInput
from linkspot.model.inputs import Inputs, TokenBudget

FAMILIES = ["bert", "roberta", "xlm-roberta", "deberta-v2", "modernbert", "t5"]
DRAW = np.random.default_rng(1)
SEQUENCES = [DRAW.integers(5, 300, size=length).tolist() for length in (1, 2, 9, 17, 64, 130, 3)]


@pytest.fixture(scope="module", params=FAMILIES)
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[TorchEncoder, Path]:
    folder = tmp_path_factory.mktemp(request.param)
    model = load_encoder(tiny_encoder(folder / "torch", request.param))
    export_encoder(model, folder / "onnx", padding_id=0, int8=False, embedding_bits=32)
    return TorchEncoder(model, 0), folder / "onnx"


def test_the_graph_gives_torchs_vectors_token_by_token(exported: tuple[TorchEncoder, Path]) -> None:
    torch_encoder, folder = exported
    onnx_encoder = OnnxEncoder(folder, threads=1)
    assert (onnx_encoder.dimensions, onnx_encoder.longest) == (torch_encoder.dimensions, torch_encoder.longest)
    for ours, theirs in zip(onnx_encoder.encode(SEQUENCES), torch_encoder.encode(SEQUENCES), strict=True):
        assert ours.shape == theirs.shape
        assert np.abs(ours - theirs).max() < 1e-4


def test_a_sequence_has_the_same_vectors_alone_and_among_others(exported: tuple[TorchEncoder, Path]) -> None:
    encoder = OnnxEncoder(exported[1], threads=1)
    together = encoder.encode(SEQUENCES)
    for sequence, among in zip(SEQUENCES, together, strict=True):
        assert np.abs(encoder.encode([sequence])[0] - among).max() < 1e-4


def test_eight_bits_lose_little(exported: tuple[TorchEncoder, Path], tmp_path: Path) -> None:
    export_encoder(exported[0].model, tmp_path, padding_id=0, int8=True, embedding_bits=8)
    check = check_export(exported[0], OnnxEncoder(tmp_path), SEQUENCES)
    assert check.mean >= check.worst > 0.99
    assert b"MatMulInteger" in (tmp_path / "encoder.onnx").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("embeddings.bin", "embeddings.json", "encoder.json", "encoder.onnx"),
    ]


def test_a_careful_export_keeps_the_ends_of_feed_forward_layers(
    exported: tuple[TorchEncoder, Path], tmp_path: Path
) -> None:
    for name, is_careful in (("all", False), ("most", True)):
        export_encoder(exported[0].model, tmp_path / name, padding_id=0, is_careful=is_careful)
    kept = [_operators(tmp_path / name).count("MatMulInteger") for name in ("all", "most")]
    assert kept[0] - kept[1] == exported[0].model.config.num_hidden_layers


def _operators(folder: Path) -> list[str]:
    return [node.op_type for node in onnx.load(folder / "encoder.onnx").graph.node]


def test_exporting_leaves_the_model_as_it_was(tmp_path: Path) -> None:
    model = load_encoder(tiny_encoder(tmp_path / "torch"))
    model.train()
    attention = model.config._attn_implementation
    export_encoder(model, tmp_path / "onnx", padding_id=0)
    assert model.training
    assert model.config._attn_implementation == attention


def test_everything_but_torchs_weights_goes_along(tmp_path: Path) -> None:
    folder = tiny_encoder(tmp_path / "model")
    (folder / "heads.safetensors").write_bytes(b"heads")
    (folder / "linkspot.json").write_text("{}")
    export_folder(folder, tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"config.json", "tokenizer.json", "heads.safetensors", "linkspot.json", "encoder.onnx"} <= names
    assert "model.safetensors" not in names


def test_a_packed_export_is_smaller_and_says_the_same(tmp_path: Path) -> None:
    folder = tiny_encoder(tmp_path / "model")
    for name, is_packed in (("plain", False), ("packed", True)):
        export_folder(folder, tmp_path / name, is_packed=is_packed)
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    assert {path.name for path in packed.glob("*.gz")} == {"encoder.onnx.gz", "tokenizer.json.gz"}
    assert not (packed / "encoder.onnx").exists()
    sizes = [sum(path.stat().st_size for path in one.iterdir()) for one in (plain, packed)]
    assert sizes[1] < 0.8 * sizes[0]
    texts, special = ["The old mill stands beside the bridge."], SpecialTokens(2, 3, 0)
    ids = [Inputs.of_folder(one, special, TokenBudget()).tokens(texts) for one in (plain, packed)]
    assert ids[0] == ids[1]
    vectors = [OnnxEncoder(one).encode(ids[0])[0] for one in (plain, packed)]
    assert np.array_equal(*vectors)


def test_an_encoder_in_a_folder_of_its_own_stays_there(tmp_path: Path) -> None:
    tiny_encoder(tmp_path / "model" / "encoder")
    (tmp_path / "model" / "heads.safetensors").write_bytes(b"heads")
    export_folder(tmp_path / "model", tmp_path / "out", [[2, 5, 3]])
    assert (tmp_path / "out" / "heads.safetensors").read_bytes() == b"heads"
    assert len(OnnxEncoder(tmp_path / "out" / "encoder").encode([[2, 5, 3]])[0]) == 3
    assert not (tmp_path / "out" / "encoder" / "model.safetensors").exists()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious").write_text("mine")
    with pytest.raises(UnusableInput, match="already exists and is not empty"):
        export_folder(tiny_encoder(tmp_path / "model"), tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["precious"]


def test_a_family_that_onnx_cannot_express_is_told_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from transformers import FNetConfig, FNetModel

    shape = {"vocab_size": 50, "hidden_size": 32, "num_hidden_layers": 1, "intermediate_size": 32}
    FNetModel(FNetConfig(**shape)).save_pretrained(tmp_path / "fnet")
    capfd.readouterr()
    with pytest.raises(UnusableInput, match=r"^encoders of the family fnet cannot be exported: .*fft.*$"):
        export_folder(tmp_path / "fnet", tmp_path / "out")
    assert not capfd.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["fnet"]  # nothing half done stays behind


def _scores(*scores: float) -> Callable[[int], list[float]]:
    return lambda _page: list(scores)


def test_rankings_are_compared_pair_by_pair() -> None:
    check = check_rankings(_scores(3, 2, 1), _scores(2, 3, 1), [(0, {0}), (1, {2})])
    assert (check.pages, check.same_best, check.hits_difference) == (2, 0, -0.5)
    assert check.pair_agreement == pytest.approx(2 / 3)
    assert check.score_difference == pytest.approx(2 / 3)


def test_a_ranking_agrees_with_itself() -> None:
    check = check_rankings(_scores(3, 2, 1), _scores(3, 2, 1), [(0, {0})])
    assert (check.same_best, check.pair_agreement, check.hits_difference, check.score_difference) == (1, 1, 0, 0)
    assert check_rankings(_scores(3), _scores(3), [(0, {0})]).pair_agreement == 1


def test_nothing_to_compare_on_is_told() -> None:
    with pytest.raises(UnusableInput, match="no examples"):
        check_rankings(_scores(1), _scores(1), [])
