from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkspot.errors import UnusableInput
from linkspot.links.entities import EntityTable
from linkspot.records import Article, Entity, Markup
from linkspot.tables.folder import TableFolder

ENTITIES = [
    {"language": "en", "key": "Signal", "entity": "Q1", "title": "Signal", "lead": "A light."},
    {"language": "sw", "key": "Signal", "entity": "Q1", "title": "Signal", "lead": "Taa."},
    {"language": "sw", "key": "Treni", "entity": "Q2", "title": "Treni", "lead": "Chombo."},
    {"language": "sw", "key": "Bila", "entity": "", "title": "Bila", "lead": "Bila namba."},
    {"language": "en", "key": "web/api/window", "entity": "web/api/window", "title": "Window", "lead": "A view."},
]
TEXT = "A train runs. A signal stops it."
SENTENCES = [{"start": 0, "end": 13}, {"start": 14, "end": 32}]
ARTICLES = [
    {
        "language": language,
        "key": "Train",
        "title": "Train",
        "sections": [{"title": "", "level": 1, "text": TEXT, "sentences": SENTENCES, "links": []}],
    }
    for language in ("en", "de")
]
LINKS = [
    {"language": language, "source_key": "Train", "source_entity": "Q2", "target_entity": target, "sentence": sentence}
    for language, target, sentence in (("en", "Q1", 1), ("de", "Q1", 1), ("de", "Q1", 0), ("en", "Q3", 0))
] + [{"language": "en", "source_key": "Train", "source_entity": "", "target_entity": "Q1", "sentence": 1}]
MENTIONS = [("signals", 3), ("signal", 7), ("Signal", 7), *((f"word {number:02}", 1) for number in range(20))]


@pytest.fixture
def table(tmp_path: Path) -> EntityTable:
    folder = TableFolder.begin(tmp_path / "index", {"command": "index"})
    mentions = [{"language": "en", "key": "Signal", "mention": words, "count": count} for words, count in MENTIONS]
    redirects = [{"language": "en", "name": "Semaphore", "target": "Railway signal", "end": "Signal"}]
    tables = {"entities": ENTITIES, "mentions": mentions, "redirects": redirects, "links": LINKS, "articles": ARTICLES}
    for name, rows in tables.items():
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


@pytest.mark.parametrize(
    "page", [Article("Treni", "sw", (), Markup.WIKITEXT), Article("", "sw", (), Markup.HTML, "Q2")]
)
def test_a_page_is_told_where_it_links_the_target_in_other_languages(table: EntityTable, page: Article) -> None:
    found = table.precedents("Signal", page)
    assert [(one.language, one.passage[one.linked]) for one in found] == [
        ("de", "A train runs."),
        ("en", "A signal stops it."),
    ]


def test_a_page_or_a_target_that_the_index_lacks_has_no_precedents(table: EntityTable) -> None:
    assert table.precedents("Signal", Article("Meli", "sw", (), Markup.WIKITEXT)) == ()
    assert table.precedents("Lamp", Article("Treni", "sw", (), Markup.WIKITEXT)) == ()


def test_pages_without_an_id_are_not_taken_for_one_another(table: EntityTable) -> None:
    assert table.precedents("Signal", Article("Bila", "sw", (), Markup.WIKITEXT)) == ()
