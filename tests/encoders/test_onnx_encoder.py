import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.tiny_encoders import tiny_encoder

from linkspot.encoders.export import export_folder
from linkspot.encoders.onnx_encoder import OnnxEncoder
from linkspot.errors import UnusableInput

ALONE = """
import sys
from pathlib import Path
from linkspot.encoders.onnx_encoder import OnnxEncoder
(vectors,) = OnnxEncoder(Path(sys.argv[1])).encode([[2, 7, 9, 3]])
heavy = {"torch", "transformers", "onnx"} & sys.modules.keys()
sys.stdout.write(f"{vectors.shape} {vectors.dtype} {sorted(heavy)}")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("exported")
    export_folder(tiny_encoder(made / "torch", longest=64), made / "onnx", int8=True, embedding_bits=4)
    return made / "onnx"


def test_it_runs_without_torch(folder: Path) -> None:
    done = subprocess.run([sys.executable, "-c", ALONE, folder], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("(4, 32) float32 []", "")


@pytest.mark.parametrize("threads", [1, 3])
def test_answers_come_in_the_order_of_the_questions(folder: Path, threads: int) -> None:
    encoder = OnnxEncoder(folder, threads=threads)
    assert (encoder.dimensions, encoder.longest) == (32, 64)
    sequences = [[2, *range(5, 5 + length), 3] for length in (3, 60, 1, 30)]
    found = encoder.encode(sequences)
    assert [len(vectors) for vectors in found] == [5, 62, 3, 32]
    assert encoder.encode([]) == []


@pytest.mark.parametrize("threads", [1, 3])
def test_a_sequence_in_8_bits_has_the_same_vectors_alone_and_among_others(folder: Path, threads: int) -> None:
    encoder = OnnxEncoder(folder, threads=threads)
    sequences = [[2, *range(5, 5 + length), 3] for length in (3, 60, 1, 30, *range(20, 40))]
    for sequence, among in zip(sequences, encoder.encode(sequences), strict=True):
        (alone,) = encoder.encode([sequence])
        assert np.array_equal(alone, among)


@pytest.mark.parametrize(("length", "found"), [(65, "65"), (0, "0")])
def test_a_sequence_that_does_not_fit_is_told(folder: Path, length: int, found: str) -> None:
    with pytest.raises(UnusableInput, match=f"a sequence has {found} tokens; this encoder takes 1 to 64"):
        OnnxEncoder(folder).encode([[5] * 4, [5] * length])


def test_a_folder_without_a_graph_is_told(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="is not an exported encoder"):
        OnnxEncoder(tmp_path)
    for name in ("encoder.json", "embeddings.json", "embeddings.bin"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "encoder.onnx").write_bytes(b"no graph")
    with pytest.raises(UnusableInput, match=r"encoder\.onnx cannot be run; export the model again"):
        OnnxEncoder(tmp_path)
