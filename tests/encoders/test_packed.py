from pathlib import Path

import pytest

from linkspot.encoders import packed
from linkspot.errors import UnusableInput

CONTENT = b"weights " * 1_000


def test_a_packed_file_is_read_as_if_it_were_not(tmp_path: Path) -> None:
    path = tmp_path / "graph.onnx"
    path.write_bytes(CONTENT)
    assert packed.is_there(path)
    assert packed.read(path) == CONTENT
    packed.pack(path)
    assert not path.exists()
    assert packed.is_there(path)
    assert packed.read(path) == CONTENT
    assert (tmp_path / "graph.onnx.gz").stat().st_size < len(CONTENT) / 10


def test_packing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "graph.onnx"
        path.write_bytes(CONTENT)
        packed.pack(path)
        made.append(packed.packed_form(path).read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize("damage", [b"abc", None])
def test_a_damaged_file_is_told(tmp_path: Path, damage: bytes | None) -> None:
    path = tmp_path / "graph.onnx"
    path.write_bytes(CONTENT)
    packed.pack(path)
    there = packed.packed_form(path)
    there.write_bytes(there.read_bytes()[:-9] if damage is None else damage)
    with pytest.raises(UnusableInput, match="cannot be unpacked; export the model again"):
        packed.read(path)
