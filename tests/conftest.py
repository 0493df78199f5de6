"""What several tests share."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from linkspot.engines.engine import Engine

# A busy machine is no fault of the code: how long one example takes says nothing. In continuous integration the
# examples are always the same, so that a change is judged by itself.
settings.register_profile("linkspot", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("linkspot")

# Several workers that take all cores each wait for one another; read when a library starts its threads.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

PROJECT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real wikis that DATA.md of the data describes; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("LINKSPOT_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real wikis here: set LINKSPOT_DATA to a folder that has them (looked in {folder.name}/)")
    return folder


@pytest.fixture(scope="session")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of links that were added to a small wiki of trees."""
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
    """Return a function that skips a test where a program is missing; in continuous integration the test fails."""
    listed = subprocess.run(
        [PROJECT / "scripts" / "system-packages", "--check"], capture_output=True, text=True, check=True
    ).stdout
    is_there = {line.partition(":")[0]: line.endswith(": found") for line in listed.splitlines()}

    def need(*programs: str) -> None:
        missing = [program for program in programs if not is_there[program]]
        if missing:
            message = f"{' and '.join(missing)} missing here: run scripts/system-packages"
            pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)

    return need
