from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkspot.errors import UnusableInput, WrongType
from linkspot.links.index import Index, open_index
from linkspot.records import Article, Entity, Markup
from linkspot.tables.folder import TableFolder

ENTITIES = [
    {"language": "en", "key": "Signal", "entity": "Q1", "title": "Signal", "lead": "A light."},
    {"language": "en", "key": "Train", "entity": "Q2", "title": "Train", "lead": "A vehicle."},
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
def index(tmp_path: Path) -> Index:
    folder = TableFolder.begin(tmp_path / "index", {"command": "index"})
    mentions = [{"language": "en", "key": "Signal", "mention": words, "count": count} for words, count in MENTIONS]
    redirects = [{"language": "en", "name": "Semaphore", "target": "Railway signal", "end": "Signal"}]
    tables = {"entities": ENTITIES, "mentions": mentions, "redirects": redirects, "links": LINKS, "articles": ARTICLES}
    for name, rows in tables.items():
        folder.table(name).mkdir()
        pq.write_table(pa.Table.from_pylist(rows), folder.table(name) / "0.parquet")
    folder.record({"finished": True})
    return Index(folder.path)


@pytest.mark.parametrize("name", ["Signal", "signal", "Q1", "Semaphore", "semaphore", "Signal#Kinds"])
def test_an_entity_is_found_by_any_of_its_names(index: Index, name: str) -> None:
    found = index.entity(name, "en")
    assert (found.title, found.lead, found.id) == ("Signal", "A light.", "Q1")


def test_the_ten_most_used_mentions_come_as_they_are_written(index: Index) -> None:
    assert index.entity("Signal", "en").mentions == ("Signal", "signal", "signals", *(f"word 0{n}" for n in range(7)))


def test_each_language_has_its_own_entities(index: Index) -> None:
    assert index.entity("Signal", "sw") == Entity("Signal", "Taa.", (), "Q1")


def test_a_slug_finds_its_page_in_any_case(index: Index) -> None:
    assert index.entity("Web/API/Window", "en").title == "Window"


def test_an_unknown_name_is_told_in_one_line(index: Index) -> None:
    with pytest.raises(UnusableInput, match="has no article called 'Lamp' in 'en'"):
        index.entity("Lamp", "en")


def test_only_a_finished_index_is_read(tmp_path: Path) -> None:
    folder = TableFolder.begin(tmp_path / "half", {"command": "index"})
    with pytest.raises(UnusableInput, match="is not finished; run the same 'linkspot index' again"):
        Index(folder.path)


@pytest.mark.parametrize(
    "page", [Article("Treni", "sw", (), Markup.WIKITEXT), Article("", "sw", (), Markup.HTML, "Q2")]
)
def test_a_page_is_told_where_it_links_the_target_in_other_languages(index: Index, page: Article) -> None:
    found = index.entity("Signal", page=page).precedents
    assert [(one.language, one.passage[one.linked]) for one in found] == [
        ("de", "A train runs."),
        ("en", "A signal stops it."),
    ]


def test_a_page_or_a_target_that_the_index_lacks_has_no_precedents(index: Index) -> None:
    assert index.entity("Signal", page=Article("Meli", "sw", (), Markup.WIKITEXT)).precedents == ()
    assert index.entity("Bila", page=Article("Treni", "sw", (), Markup.WIKITEXT)).precedents == ()


def test_pages_without_an_id_are_not_taken_for_one_another(index: Index) -> None:
    assert index.entity("Signal", page=Article("Bila", "sw", (), Markup.WIKITEXT)).precedents == ()


@pytest.mark.parametrize("name", ["Train", "train", "Q2"])
def test_a_page_is_read_by_any_of_its_names(index: Index, name: str) -> None:
    page = index.page(name, "en")
    assert (page.title, [sentence.text for _, sentence in page.sentences]) == ("Train", [TEXT[:13], TEXT[14:]])


def test_the_language_is_needed_only_where_there_are_several(index: Index) -> None:
    assert index.languages == ("en", "sw")
    with pytest.raises(UnusableInput, match="has pages in en, sw; say which with language="):
        index.entity("Signal")


def test_the_first_name_that_is_known_is_found(index: Index) -> None:
    page = Article("Treni", "sw", (), Markup.WIKITEXT)
    known = index.find(("", "Q404", "Signal"), page)
    assert known is not None
    assert (known.lead, len(known.precedents)) == ("Taa.", 2)
    assert index.find(("Lamp",), page) is None


def test_a_folder_or_a_name_of_a_wrong_type_is_refused(index: Index) -> None:
    with pytest.raises(TypeError, match="an index is a folder that 'linkspot index' made, not int"):
        open_index(5)  # type: ignore[arg-type]
    with pytest.raises(WrongType, match="a string, not NoneType"):
        index.entity(None, "en")  # type: ignore[arg-type]
