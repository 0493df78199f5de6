from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.calls import calls_of

import linkspot
from linkspot import Entity, LinkspotError, Markup, Page, suggest
from linkspot.answers.source_page import SourcePage
from linkspot.answers.target import TargetDescription
from linkspot.parsing.wikitext import page as wikitext
from linkspot.tables.folder import TableFolder

DOG = "The dog descends from the wolf.\n\n== Diet ==\nDogs eat meat."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "Dog.html").write_text("<html lang=en><h1>Dog</h1><p>A dog is no wolf.", encoding="utf-8")
    (tmp_path / "Dog.wiki").write_text(DOG, encoding="utf-8")
    (tmp_path / "Rex.wiki").write_text("Rex barks.", encoding="utf-8")
    (tmp_path / "Wolf.html").write_text("<h1>Wolf</h1><p>It howls.", encoding="utf-8")
    (tmp_path / "notes").write_text("A wolf.", encoding="utf-8")
    return tmp_path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    folder = TableFolder.begin(tmp_path / "index", {"command": "index"})
    section = {"title": "", "level": 1, "text": "Ein Wolf.", "sentences": [{"start": 0, "end": 9}], "links": []}
    tables = {
        "entities": [
            {"language": "en", "key": "Wolf", "entity": "Q1", "title": "Wolf", "lead": "It howls at night."},
            {"language": "en", "key": "Dog", "entity": "Q2", "title": "Dog", "lead": "It barks."},
        ],
        "mentions": [{"language": "en", "key": "Wolf", "mention": "gray wolf", "count": 3}],
        "redirects": [{"language": "en", "name": "Wolves", "target": "Wolf", "end": "Wolf"}],
        "links": [
            {"language": "de", "source_key": "Hund", "source_entity": "Q2", "target_entity": "Q1", "sentence": 0}
        ],
        "articles": [{"language": "de", "key": "Hund", "title": "Hund", "sections": [section]}],
    }
    for name, rows in tables.items():
        folder.table(name).mkdir()
        pq.write_table(pa.Table.from_pylist(rows), folder.table(name) / "0.parquet")
    folder.record({"finished": True})
    return folder.path


@pytest.mark.parametrize("page", ["Dog.wiki", Path("Dog.wiki"), Page("Dog", DOG, Markup.WIKITEXT, "en"), DOG])
@pytest.mark.usefixtures("folder")
def test_a_page_may_be_a_path_a_record_or_markup(page: Page | Path | str) -> None:
    keywords = {} if isinstance(page, Page) else {"language": "en"}
    if page == DOG:
        keywords["markup"] = "wikitext"
    answer = suggest(page, "Wolf", "bm25", **keywords)
    assert answer.places[0].link == "[[wolf]]"
    assert answer.places[0].text == "The dog descends from the wolf."


@pytest.mark.parametrize(
    "target", ["Wolf", "Wolf.html", Path("Wolf.html"), Entity("Wolf"), Page("Wolf", "It howls.", Markup.WIKITEXT, "")]
)
@pytest.mark.usefixtures("folder")
def test_a_target_may_be_a_title_a_path_or_a_record(target: Entity | Page | Path | str) -> None:
    answer = suggest("Dog.wiki", target, "bm25", language="en")
    assert answer.entity.title == "Wolf"
    assert answer.entity.lead == ("It howls." if isinstance(target, Page | Path) or "." in str(target) else "")
    assert answer.places[0].link == "[[wolf]]"


@pytest.mark.usefixtures("folder")
def test_the_address_leads_from_the_pages_file_to_the_targets() -> None:
    answer = suggest("pages/Dog.html", "Wolf.html", "bm25")
    assert answer.places[0].link == '<a href="../Wolf.html" title="Wolf">wolf</a>'
    text = Path("pages/Dog.html").read_text(encoding="utf-8")
    answer = suggest(text, "Wolf.html", "bm25", markup="html", language="en")
    assert answer.places[0].link == '<a href="./Wolf" title="Wolf">wolf</a>'


@pytest.mark.usefixtures("folder")
def test_a_file_of_any_name_is_a_page_if_its_markup_is_given() -> None:
    assert suggest("notes", Entity("Wolf"), "bm25", markup="markdown", language="en").places


@pytest.mark.parametrize(
    ("page", "target", "error", "sentence"),
    [
        (5, "Wolf", TypeError, "a page is a Page, a path or a string of markup, not int"),
        (b"x", "Wolf", TypeError, "a page is a Page, a path or a string of markup, not bytes"),
        ("", "Wolf", ValueError, "the page is an empty string"),
        ("Cat.wiki", "Wolf", LinkspotError, "there is no file 'Cat.wiki'; a string that ends like a page's file is a"),
        (
            "A wolf.",
            "Wolf",
            LinkspotError,
            "a page that is given as a string needs markup= .html, wikitext, markdown.$",
        ),
        ("Dog.wiki", 5, TypeError, "a target is an Entity, a Page, a path or a title, not int"),
        ("Dog.wiki", " ", ValueError, "the target is an empty string"),
        ("Dog.wiki", "Cat.html", LinkspotError, "there is no file 'Cat.html'; .*pass Entity.'Cat.html'. if it is a ti"),
        ("Dog.wiki", "notes", LinkspotError, "'notes' is a title and also a file here; pass Entity.'notes'. or a Path"),
        ("Rex.wiki", "Wolf", LinkspotError, r"Rex does not say its language; name it, .*language='sw'\)"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_is_neither_gets_one_clear_sentence(page: str, target: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence) as raised:
        suggest(page, target, "bm25")
    assert isinstance(raised.value, LinkspotError)
    assert "\n" not in str(raised.value)


def test_other_arguments_get_one_clear_sentence_too() -> None:
    page = Page("Dog", DOG, Markup.WIKITEXT, "en")
    with pytest.raises(LinkspotError, match="no markup is called 'rtf'; there are: html, wikitext, markdown"):
        suggest(DOG, "Wolf", "bm25", markup="rtf", language="en")
    with pytest.raises(ValueError, match="a Page has its own markup and language"):
        suggest(page, "Wolf", "bm25", language="en")
    with pytest.raises(TypeError, match="a ranker is a name or has a method score, which int has not"):
        suggest(page, "Wolf", 5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the number of places to return is an int, not str"):
        suggest(page, "Wolf", "bm25", "5")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="translations is a list of pages, not str"):
        suggest(page, "Wolf", "bm25", translations="Hund.wiki")
    with pytest.raises(TypeError, match="not Article; an Article has no markup to edit"):
        suggest(linkspot.parse(page), "Wolf")  # type: ignore[arg-type]


def test_an_index_tells_what_it_knows_of_a_title(index: Path) -> None:
    page = Page("Dog", "A gray wolf sleeps.", Markup.WIKITEXT, "en")
    for opened in (index, str(index), linkspot.open_index(index)):
        entity = suggest(page, "wolves", "bm25", index=opened).entity
        assert (entity.title, entity.lead, entity.mentions, entity.id) == (
            *("Wolf", "It howls at night.", ("gray wolf",), "Q1"),
        )
        assert [precedent.language for precedent in entity.precedents] == ["de"]
    with pytest.raises(LinkspotError, match="has no article called 'Lion' in 'en'"):
        suggest(page, "Lion", "bm25", index=index)


def test_an_index_completes_an_entity_and_leaves_alone_what_it_does_not_know(index: Path) -> None:
    page = Page("Dog", "A gray wolf sleeps.", Markup.WIKITEXT, "en")
    entity = suggest(page, Entity("Wolf", "My own lead.", ("wolves",)), "bm25", index=index).entity
    assert (entity.lead, entity.mentions, entity.id) == ("My own lead.", ("wolves", "gray wolf"), "Q1")
    assert suggest(page, Entity("Lion"), "bm25", index=index).entity == Entity("Lion")


def test_an_answer_says_that_the_lead_is_of_another_language(index: Path) -> None:
    page = Page("Mbwa", "Mbwa wanalia usiku. Wengine ni wakubwa.", Markup.MARKDOWN, "sw")
    for target in ("Q1", Entity("Mbwa mwitu", id="Q1")):
        answer = suggest(page, target, "bm25", index=index, anyway=True)
        assert (answer.entity.lead, answer.entity.lead_language) == ("It howls at night.", "en")
        assert any("no page with a lead in “sw”" in note and "in “en” instead" in note for note in answer.notes)
    for target in (Entity("Mbwa mwitu", "Analia usiku.", id="Q1"), Entity("Mbwa mwitu", "Analia.")):
        answer = suggest(page, target, "bm25", index=index, anyway=True)
        assert answer.entity.lead_language == ""
        assert not any("instead" in note for note in answer.notes)


def test_with_an_index_the_page_is_parsed_once(index: Path) -> None:
    def described() -> None:
        source = SourcePage.of(Page("Dog", DOG, Markup.WIKITEXT, "en"))
        TargetDescription("Wolf").entity(source, linkspot.open_index(index))

    assert calls_of(wikitext.parse, described) == 1
    answered = partial(suggest, DOG, "Meat", "bm25", markup="wikitext", language="en")
    assert calls_of(wikitext.parse, answered) == 1 + 1  # the link that it writes is read again


@pytest.mark.usefixtures("folder")
def test_what_flags_say_comes_before_a_file_or_an_index(index: Path) -> None:
    source, opened = SourcePage.of("Dog.wiki", language="en"), linkspot.open_index(index)
    said = TargetDescription(lead="A lead.", mentions=("wolves",), file=Path("Wolf.html"))
    assert said.entity(source) == Entity("Wolf", "A lead.", ("wolves",), "Wolf")
    assert TargetDescription("wolves").entity(source, opened).title == "Wolf"
    assert said.entity(source, opened).mentions == ("wolves", "gray wolf")
    assert TargetDescription(mentions=("wolves",)).entity(source) == Entity("", mentions=("wolves",))
    with pytest.raises(LinkspotError, match="the target has no text"):
        TargetDescription(" ").entity(source)
    with pytest.raises(LinkspotError, match="an index is asked by --title"):
        TargetDescription().entity(source, opened)
