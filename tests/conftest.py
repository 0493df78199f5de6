"""Fixtures that tests in several folders share."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from linkspot.engines.engine import Engine

# No deadline: on a busy machine, how long an example takes says nothing about the code. In continuous integration the
# examples are always the same, so that a failure comes from the change.
settings.register_profile("linkspot", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("linkspot")

# Workers that each use all cores slow each other down. Libraries read this when they start their threads.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

PROJECT = Path(__file__).parent.parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure no coverage in tests that repeat work on real wikis or random input: they would take twice as long."""
    for item in items:
        is_property = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        if is_property or item.get_closest_marker("shared_data"):
            item.add_marker(pytest.mark.no_cover)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real wikis, which its DATA.md describes; tests that need it skip if it is missing."""
    folder = Path(os.environ.get("LINKSPOT_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the real wikis are missing (looked in {folder.name}/); set LINKSPOT_DATA to their folder")
    return folder


@pytest.fixture(scope="session")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of the links that were added to a small wiki about trees."""
    from tests.tree_wiki import tree_dataset

    from linkspot.engines.engine import EngineSettings, open_engine

    engine = open_engine("local", EngineSettings(jobs=1))
    try:
        return tree_dataset(tmp_path_factory.mktemp("trees"), engine)
    finally:
        engine.close()


@pytest.fixture(scope="session")
def write_wiki() -> Callable[..., Path]:
    """Return what writes an export of a wiki with the history of each title."""
    from tests.tree_wiki import write_export

    return write_export


@pytest.fixture
def local() -> "Iterator[Engine]":
    """An engine with one process."""
    from linkspot.engines.engine import EngineSettings, open_engine

    engine = open_engine("local", EngineSettings(jobs=1))
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def rows() -> Callable[[Path], list[dict[str, Any]]]:
    """Return what reads a table, in an order that does not depend on its files."""
    import pyarrow.dataset as ds

    def read(folder: Path) -> list[dict[str, Any]]:
        return sorted(ds.dataset(folder, format="parquet").to_table().to_pylist(), key=repr)

    return read


@pytest.fixture(scope="session")
def needs() -> Callable[..., None]:
    """Return a function that skips a test if a program is missing; in continuous integration the test fails."""
    command = [PROJECT / "scripts" / "system-packages", "--check"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    is_installed = {line.partition(":")[0]: line.endswith(": found") for line in lines}

    def need(*programs: str) -> None:
        missing = [program for program in programs if not is_installed[program]]
        if missing:
            is_one = len(missing) == 1
            message = (
                f"{' and '.join(missing)} {'is' if is_one else 'are'} not installed; "
                f"to install {'it' if is_one else 'them'}, run: make system-packages"
            )
            pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)

    return need
