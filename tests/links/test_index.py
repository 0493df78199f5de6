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
    {"language": "en", "key": "Lamp", "entity": "Q4", "title": "Lamp", "lead": "A source of light."},
    {"language": "de", "key": "Lampe", "entity": "Q4", "title": "Lampe", "lead": "Eine Leuchte."},
    {"language": "sw", "key": "Mwanga", "entity": "Q5", "title": "Mwanga", "lead": ""},
    {"language": "de", "key": "Licht", "entity": "Q5", "title": "Licht", "lead": "Was man sieht."},
    {"language": "de", "key": "Gift", "entity": "Gift", "title": "Gift", "lead": "Was schadet."},
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
    train = [("train", 40), ("locomotive", 3), ("it", 1), ("he", 2)]
    mentions += [{"language": "en", "key": "Train", "mention": words, "count": count} for words, count in train]
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


def test_a_mention_that_is_much_rarer_than_the_usual_one_is_left_out(index: Index) -> None:
    assert index.entity("Train", "en").mentions == ("train", "locomotive")


def test_the_ten_most_used_mentions_come_as_they_are_written(index: Index) -> None:
    assert index.entity("Signal", "en").mentions == ("Signal", "signal", "signals", *(f"word 0{n}" for n in range(7)))


def test_each_language_has_its_own_entities(index: Index) -> None:
    assert index.entity("Signal", "sw") == Entity("Signal", "Taa.", (), "Q1")


def test_a_slug_finds_its_page_in_any_case(index: Index) -> None:
    assert index.entity("Web/API/Window", "en").title == "Window"


def test_an_unknown_name_is_told_in_one_line(index: Index) -> None:
    with pytest.raises(UnusableInput, match="has no article called 'Lamb' in 'en'"):
        index.entity("Lamb", "en")


def test_a_target_without_a_page_in_this_language_gets_its_lead_from_another_by_its_id(index: Index) -> None:
    lamp = Entity("Lamp", "A source of light.", (), "Q4", lead_language="en")  # English comes before German
    page = Article("Treni", "sw", (), "", Markup.HTML)
    assert index.entity("Q4", "sw") == index.entity("q4", page=page) == index.find(["", "Q4"], page) == lamp
    assert index.entity("Q4", "en").lead_language == ""
    slug = index.entity("web/api/window", "sw")
    assert (slug.title, slug.lead, slug.lead_language) == ("Window", "A view.", "en")


def test_a_page_without_a_lead_gets_that_of_another_language_and_keeps_its_title(index: Index) -> None:
    assert index.entity("Mwanga", "sw") == Entity("Mwanga", "Was man sieht.", (), "Q5", lead_language="de")


def test_a_title_alone_never_stands_for_a_page_of_another_language(index: Index) -> None:
    for name in ("Gift", "Lampe"):
        with pytest.raises(UnusableInput, match=f"no article called '{name}' in 'en'"):
            index.entity(name, "en")


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
    assert index.languages == ("de", "en", "sw")
    with pytest.raises(UnusableInput, match="has pages in de, en, sw; say which with language="):
        index.entity("Signal")


def test_all_entities_of_a_language_are_those_that_are_found_one_by_one(index: Index) -> None:
    page = Article("Treni", "sw", (), Markup.WIKITEXT)
    for language, names in (
        ("en", ["Signal", "Train", "Lamp", "Window"]),
        ("sw", ["Signal", "Treni", "Bila", "Mwanga"]),
    ):
        assert list(index.entities(language)) == [index.entity(name, language) for name in names]
    names = ("Signal", "Treni", "Bila", "Mwanga")
    assert list(index.entities(page=page)) == [index.entity(name, page=page) for name in names]
    assert list(index.entities("xx")) == []


def test_the_first_name_that_is_known_is_found(index: Index) -> None:
    page = Article("Treni", "sw", (), Markup.WIKITEXT)
    known = index.find(("", "Q404", "Signal"), page)
    assert known is not None
    assert (known.lead, len(known.precedents)) == ("Taa.", 2)
    assert index.find(("Lamb",), page) is None


def test_a_folder_or_a_name_of_a_wrong_type_is_refused(index: Index) -> None:
    with pytest.raises(TypeError, match="an index is a folder that 'linkspot index' made, not int"):
        open_index(5)  # type: ignore[arg-type]
    with pytest.raises(WrongType, match="a string, not NoneType"):
        index.entity(None, "en")  # type: ignore[arg-type]


def test_an_index_of_an_earlier_version_that_took_titles_for_ids_joins_nothing(index: Index) -> None:
    for name in ("entities", "links"):
        path = index.folder / name / "0.parquet"
        rows = pq.read_table(path).to_pylist()
        titles = {"Q1": "Signal", "Q2": "Train"}
        for row in rows:
            row |= {column: titles[row[column]] for column in row if row[column] in titles}
        pq.write_table(pa.Table.from_pylist(rows), path)
    page = Article("Train", "en", (), Markup.WIKITEXT)
    assert open_index(index.folder).entity("Signal", page=page).precedents == ()
    TableFolder(index.folder).record({"identities": {"en": {"slug": 2}, "de": {"slug": 2}}})
    assert len(open_index(index.folder).entity("Signal", page=page).precedents) == 1
