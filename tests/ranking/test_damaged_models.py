"""Model folders whose JSON is damaged or has wrong types: one clear line, never a traceback."""

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import linkspot
from linkspot.errors import LinkspotError
from linkspot.model.shipped import shipped_model
from linkspot.ranking.neural import load

FILES = ("linkspot.json", "embeddings.json", "encoder.json", "pieces.json")
WRONG = (None, [], {}, "x", -1, 1.5, 10**12, True)
CASES = 12  # drawn for each file


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "model"
    shutil.copytree(shipped_model(), path)
    return path


def _places(settings: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the keys that lead to each value."""
    yield place
    if isinstance(settings, dict):
        for key, value in settings.items():
            yield from _places(value, (*place, key))


def _changed(settings: Any, place: tuple[str, ...], value: Any) -> Any:
    if not place:
        return value
    return {**settings, place[0]: _changed(settings[place[0]], place[1:], value)}


def _is_usable(folder: Path) -> bool:
    """Tell whether a model ranks; all it may raise is one of linkspot's own errors."""
    text = "Rain falls. Trains stop at every signal until the line is clear."
    try:
        linkspot.suggest(text, "Railway signal", ranker=load(folder), markup="markdown", language="en")
    except LinkspotError:
        return False
    return True


@pytest.mark.parametrize("name", FILES)
def test_wrong_types_in_a_models_settings_are_reported(folder: Path, name: str) -> None:
    path = folder / name
    whole = path.read_text(encoding="utf-8")
    settings = json.loads(whole)
    cases = [(place, value) for place in _places(settings) for value in WRONG]
    refused = 0
    for place, value in random.Random(name).sample(cases, min(CASES, len(cases))):
        path.write_text(json.dumps(_changed(settings, place, value)), encoding="utf-8")
        refused += not _is_usable(folder)
    path.write_text(whole, encoding="utf-8")
    assert refused


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("text", ["", "[[", "[" * 100_000, "\x00"], ids=["empty", "cut", "deep", "binary"])
def test_settings_that_are_no_json_are_reported(folder: Path, name: str, text: str) -> None:
    whole = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text(text, encoding="utf-8")
    assert not _is_usable(folder)
    (folder / name).write_text(whole, encoding="utf-8")
