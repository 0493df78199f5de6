"""What is installed answers by itself: the wheel, with nothing of the source tree, no network and no torch."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.conftest import PROJECT

MOST_BYTES = 80_000_000
MODEL = "linkspot/model/default/"

# Sockets are told of by Python before they are opened or asked for a name.
PROGRAM = """
import json, sys
calls = []
sys.addaudithook(lambda event, _: calls.append(event) if event.startswith("socket.") else None)
import linkspot
from linkspot.answers.json_shape import to_dict
from linkspot.model.shipped import shipped_model
from linkspot.answers.samples import SAMPLES
answers = [to_dict(linkspot.suggest(sample.page(), sample.target(), anyway=True)) for sample in SAMPLES]
heavy = sorted({"torch", "transformers", "onnx"} & sys.modules.keys())
print(json.dumps({"from": linkspot.__file__, "model": str(shipped_model()), "sockets": calls, "heavy": heavy,
                  "answers": answers}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(out))
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    (made,) = out.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_the_wheel_has_the_whole_model_and_is_no_larger_than_a_package_may_be(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist() if info.filename.startswith(MODEL)}
    source = PROJECT / "src" / MODEL
    assert sizes == {f"{MODEL}{path.name}": path.stat().st_size for path in source.iterdir()}
    assert 0 < sum(sizes.values()) < MOST_BYTES
    assert wheel.stat().st_size < MOST_BYTES


def test_it_answers_with_its_own_model_and_without_network_or_torch(unpacked: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(unpacked), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, env=environment, check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert Path(told["from"]).is_relative_to(unpacked)
    assert Path(told["model"]).is_relative_to(unpacked)
    assert (told["sockets"], told["heavy"]) == ([], [])
    assert [answer["ranker"] for answer in told["answers"]] == ["linkspot"] * 3
    assert all(answer["places"] and answer["nowhere_probability"] < 1 for answer in told["answers"])


def test_its_command_shows_its_own_model(unpacked: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(unpacked), "HF_HUB_OFFLINE": "1"}
    command = (sys.executable, "-m", "linkspot.cli", "model")
    shown = subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout
    assert f"{unpacked / MODEL}: a dual model, " in shown
