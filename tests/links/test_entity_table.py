from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkspot.errors import UnusableInput
from linkspot.links.entity_table import EntityTable
from linkspot.records import Entity
from linkspot.tables.folder import TableFolder

ENTITIES = [
    {"language": "en", "key": "Signal", "entity": "Q1", "title": "Signal", "lead": "A light."},
    {"language": "sw", "key": "Signal", "entity": "Q1", "title": "Signal", "lead": "Taa."},
    {"language": "en", "key": "web/api/window", "entity": "web/api/window", "title": "Window", "lead": "A view."},
]
MENTIONS = [("signals", 3), ("signal", 7), ("Signal", 7), *((f"word {number:02}", 1) for number in range(20))]


@pytest.fixture
def table(tmp_path: Path) -> EntityTable:
    folder = TableFolder.begin(tmp_path / "index", {"command": "index"})
    mentions = [{"language": "en", "key": "Signal", "mention": words, "count": count} for words, count in MENTIONS]
    redirects = [{"language": "en", "name": "Semaphore", "target": "Railway signal", "end": "Signal"}]
    for name, rows in (("entities", ENTITIES), ("mentions", mentions), ("redirects", redirects)):
        folder.table(name).mkdir()
        pq.write_table(pa.Table.from_pylist(rows), folder.table(name) / "0.parquet")
    folder.record({"finished": True})
    return EntityTable(folder.path)


@pytest.mark.parametrize("name", ["Signal", "signal", "Q1", "Semaphore", "semaphore", "Signal#Kinds"])
def test_an_entity_is_found_by_any_of_its_names(table: EntityTable, name: str) -> None:
    found = table.find(name, "en")
    assert (found.title, found.lead, found.id) == ("Signal", "A light.", "Q1")


def test_the_ten_most_used_mentions_come_as_they_are_written(table: EntityTable) -> None:
    assert table.find("Signal", "en").mentions == ("Signal", "signal", "signals", *(f"word 0{n}" for n in range(7)))


def test_each_language_has_its_own_entities(table: EntityTable) -> None:
    assert table.find("Signal", "sw") == Entity("Signal", "Taa.", (), "Q1")


def test_a_slug_finds_its_page_in_any_case(table: EntityTable) -> None:
    assert table.find("Web/API/Window", "en").title == "Window"


def test_an_unknown_name_is_told_in_one_line(table: EntityTable) -> None:
    with pytest.raises(UnusableInput, match="has no article called 'Lamp' in 'en'"):
        table.find("Lamp", "en")


def test_only_a_finished_index_is_read(tmp_path: Path) -> None:
    folder = TableFolder.begin(tmp_path / "half", {"command": "index"})
    with pytest.raises(UnusableInput, match="is not finished; run the same 'linkspot index' again"):
        EntityTable(folder.path)
