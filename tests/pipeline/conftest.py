"""A small wiki with every trouble in it, and engines to read it with."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest

from linkspot.engines.engine import Engine, EngineSettings, open_engine

Revisions = Sequence[tuple[str, str]]  # time and wikitext, the oldest first


@pytest.fixture(scope="session")
def write_wiki() -> Callable[[Path, dict[str, Revisions]], Path]:
    """Writes an export with the history of each title."""

    def write(path: Path, pages: dict[str, Revisions], language: str = "en") -> Path:
        number = 0
        parts = [f'<mediawiki xml:lang="{language}">']
        for page_id, (title, revisions) in enumerate(pages.items(), start=1):
            namespace = 2 if title.startswith("User:") else 0
            parts.append(f"<page><title>{escape(title)}</title><ns>{namespace}</ns><id>{page_id}</id>")
            for time, text in revisions:
                number += 1
                parts.append(
                    f"<revision><id>{number}</id><timestamp>{time}</timestamp><text>{escape(text)}</text></revision>"
                )
            parts.append("</page>")
        path.write_text("".join([*parts, "</mediawiki>"]), encoding="utf-8")
        return path

    return write


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
