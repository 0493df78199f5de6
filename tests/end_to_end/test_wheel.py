"""What users install: the wheel answers with the packages of the core alone, and asks for an extra in one line."""

import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from bench.installed_size import LIMIT, site_packages, sizes_of
from tests.conftest import PROJECT

from linkspot.extras import MODULES, Extra

MOST_BYTES = 80_000_000
MODEL = "linkspot/model/default/"

# Python calls the hook before a socket is opened or the address of a host is looked up.
PROGRAM = """
import json, sys
calls = []
sys.addaudithook(lambda event, _: calls.append(event) if event.startswith("socket.") else None)
import linkspot
from linkspot.answers.json_shape import to_dict
from linkspot.model.shipped import shipped_model
from linkspot.answers.samples import SAMPLES
answers = [to_dict(linkspot.suggest(sample.page(), sample.target(), anyway=True)) for sample in SAMPLES]
print(json.dumps({"from": linkspot.__file__, "model": str(shipped_model()), "sockets": calls, "answers": answers}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(out))
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment that has the wheel and what it depends on, without any extra, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False, symlinks=True)
    command = (sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--no-compile")
    constraint = ("--constraint", str(PROJECT / "constraints.txt"))
    done = subprocess.run(
        (*command, *constraint, str(wheel)), check=False, capture_output=True, text=True, env=_environment()
    )
    assert done.returncode == 0, done.stderr
    return folder


def _environment() -> dict[str, str]:
    """Return the environment without the source tree; Python keeps the modules that it compiles."""
    unwanted = {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE"}
    return {name: value for name, value in os.environ.items() if name not in unwanted} | {"HF_HUB_OFFLINE": "1"}


def _run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [installed / "bin" / "linkspot", *arguments]
    return subprocess.run(command, cwd=folder, env=_environment(), check=False, capture_output=True, text=True)


def test_the_wheel_has_the_whole_model_and_is_no_larger_than_a_package_may_be(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist() if info.filename.startswith(MODEL)}
    source = PROJECT / "src" / MODEL
    assert sizes == {f"{MODEL}{path.name}": path.stat().st_size for path in source.iterdir()}
    assert 0 < sum(sizes.values()) < MOST_BYTES
    assert wheel.stat().st_size < MOST_BYTES


def test_the_core_has_no_package_of_an_extra_and_stays_below_its_limit(installed: Path) -> None:
    sizes = sizes_of(site_packages(installed / "bin" / "python"))
    packages = {module for extra in Extra for module in MODULES[extra]} - {"httpx2"}  # huggingface_hub brings it
    assert {name.lower() for name in sizes} & (packages | {"ibis-framework"}) == set()
    assert {"linkspot", "numpy", "onnxruntime"} <= sizes.keys()
    assert sum(sizes.values()) < LIMIT - 40  # the compiled modules, which this test leaves out, take less than that


def test_it_answers_with_its_own_model_and_without_network(installed: Path, tmp_path: Path) -> None:
    command = [installed / "bin" / "python", "-c", PROGRAM]
    done = subprocess.run(command, cwd=tmp_path, env=_environment(), check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    facts = json.loads(done.stdout)
    assert Path(facts["from"]).is_relative_to(installed)
    assert Path(facts["model"]).is_relative_to(installed)
    assert facts["sockets"] == []
    assert [answer["ranker"] for answer in facts["answers"]] == ["linkspot"] * 3
    assert all(answer["places"] and answer["nowhere_probability"] < 1 for answer in facts["answers"])


def test_the_core_runs_the_demo_and_shows_its_model_and_rankers(installed: Path, tmp_path: Path) -> None:
    demo, model, rankers = (_run(installed, tmp_path, command) for command in ("demo", "model", "rankers"))
    assert [(done.returncode, done.stderr) for done in (demo, model, rankers)] == [(0, "")] * 3
    assert demo.stdout.count("─" * 80) == 2  # between three answers
    assert f"{MODEL.rstrip('/')}: a dual model, " in model.stdout
    assert "bm25" in rankers.stdout


def test_the_core_prints_recipes(installed: Path, tmp_path: Path) -> None:
    done = _run(installed, tmp_path, "train", "--print-recipe", "default")
    assert (done.returncode, done.stderr) == (0, "")
    assert 'model = "dual"' in done.stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dog.html", "<html lang=en><h1>Dog</h1><p>A dog barks. It descends from wolves.</p>"),
        ("dog.wiki", "A '''dog''' barks. It descends from wolves."),
        ("dog.md", "---\ntitle: Dog\n---\n\nA dog barks. It descends from wolves.\n"),
    ],
)
def test_the_core_answers_for_every_markup(installed: Path, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    target = ("--title", "Wolf", "--mention", "wolves", "--lang", "en", "--anyway", "--format", "json")
    done = _run(installed, tmp_path, "suggest", name, *target)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["places"][0]["sentence"]["text"] == "It descends from wolves."


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        ("index pages --out index", "data"),
        ("insertions pages --out edits", "data"),
        ("dataset index --out dataset", "data"),
        ("stats index", "data"),
        ("fetch https://wiki.example/api.php --out wiki.ndjson --contact ann@example.org", "data"),
        ("evaluate dataset --out results", "data"),
        ("compare results", "data"),
        ("benchmark --data data --out benchmark", "data"),
        ("suggest page.md --title Wolf --lang en --index index", "data"),
        ("train recipe.toml --out model", "train"),
        ("adapt dataset --out model", "train"),
        ("export model --out exported", "train"),
        ("pretrained e5-small-multilingual --out e5", "train"),
        ("experiment stages --dataset dataset --out stages", "train"),
    ],
)
def test_a_command_without_its_extra_names_the_pip_command_in_one_line(
    installed: Path, tmp_path: Path, arguments: str, extra: str
) -> None:
    (tmp_path / "page.md").write_text("A dog barks.\n", encoding="utf-8")
    done = _run(installed, tmp_path, *arguments.split())
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(rf"linkspot: .+ needs .+; run: pip install 'linkspot\[{extra}\]'\n", done.stderr), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["page.md"]
