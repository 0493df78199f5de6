"""A small wiki with every trouble in it, and engines to read it with."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest
from tests.tree_wiki import write_export

from linkspot.engines.engine import Engine, EngineSettings, open_engine


@pytest.fixture(scope="session")
def write_wiki() -> Callable[..., Path]:
    """Writes an export with the history of each title."""
    return write_export


@pytest.fixture
def local() -> Iterator[Engine]:
    engine = open_engine("local", EngineSettings(jobs=1))
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def rows() -> Callable[[Path], list[dict[str, Any]]]:
    """Reads a table, in an order that does not depend on its files."""

    def read(folder: Path) -> list[dict[str, Any]]:
        return sorted(ds.dataset(folder, format="parquet").to_table().to_pylist(), key=repr)

    return read
