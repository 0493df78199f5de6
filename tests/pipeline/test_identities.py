"""What pages are about in every language: a gift is no Gift, which is German for poison."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.sql_dumps import write_langlinks, write_page_props

from linkspot import suggest
from linkspot.corpora.corpus import CorpusSource, current_pages
from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.links.index import open_index
from linkspot.pipeline.dataset import dataset
from linkspot.pipeline.index import index
from linkspot.pipeline.insertions import insertions
from linkspot.records import Article, Markup, Page

TIME = "2024-05-01T10:00:00Z"
Wiki = dict[str, list[tuple[str, str]]]
Rows = Callable[[Path], list[dict[str, Any]]]
# Numbers of pages are 1, 2, … in each wiki.
ENGLISH: Wiki = {
    "Gift": [(TIME, "A gift is given. It may be a work of [[art]]. A [[poison]] is none.")],
    "Art": [(TIME, "Art is made by artists.")],
    "Poison": [(TIME, "A poison harms. A [[kind|species]] may have it.")],
    "Species": [(TIME, "A species is a kind of living thing.")],
    "Kind": [(TIME, "#REDIRECT [[Species]]")],
}
GERMAN: Wiki = {
    "Gift": [(TIME, "Ein Gift schadet. Manche [[Art]] hat es.")],
    "Art": [(TIME, "Eine Art ist eine Gruppe von Lebewesen.")],
    "Geschenk": [(TIME, "Ein Geschenk wird gegeben. Es kann [[Kunst]] sein.")],
    "Kunst": [(TIME, "Kunst machen Künstler.")],
    "Präsent": [(TIME, "#WEITERLEITUNG [[Geschenk]]")],
}
ENGLISH_ITEMS = {1: "Q184303", 2: "Q735", 3: "Q40867", 4: "Q7432"}
GERMAN_ITEMS = {1: "Q40867", 2: "Q7432", 3: "Q184303", 4: "Q735"}
ENGLISH_LINKS = [(1, "de", "Präsent"), (2, "de", "Kunst"), (3, "de", "Gift"), (4, "de", "Art#Biologie")]
GERMAN_LINKS = [(2, "en", "Species"), (3, "en", "Gift")]


@pytest.fixture
def sources(tmp_path: Path, write_wiki: Callable[..., Path]) -> list[CorpusSource]:
    dumps = [(ENGLISH, "en"), (GERMAN, "de")]
    name = "{}wiki-20240101-pages-articles-multistream.xml"
    return [CorpusSource(write_wiki(tmp_path / name.format(tag), wiki, tag)) for wiki, tag in dumps]


def precedents(folder: Path, page: str, target: str, language: str) -> list[tuple[str, str]]:
    """Return the languages and sentences of precedents for a link."""
    entity = open_index(folder).entity(target, page=Article(page, language, (), Markup.WIKITEXT))
    return [(one.language, one.passage[one.linked]) for one in entity.precedents]


def ids(folder: Path, rows: Rows) -> dict[str, str]:
    return {f"{row['language']} {row['title']}": row["entity"] for row in rows(folder / "entities")}


def test_equal_titles_join_nothing_and_a_note_says_why(
    sources: list[CorpusSource], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    summary = index(sources, tmp_path / "tables", local)
    assert precedents(summary.folder, "Gift", "Art", "en") == []
    assert ids(summary.folder, rows)["en Gift"] == "en:Gift"
    assert ids(summary.folder, rows)["de Gift"] == "de:Gift"
    (note,) = summary.notes
    assert note.startswith("Pages in de, en are known by their titles alone, so they are not joined")
    assert "page_props.sql.gz" in note
    assert "--entities" in note
    assert open_index(summary.folder).note == note
    assert index(sources, tmp_path / "tables", local) == summary  # from the manifest


def test_an_answer_says_that_the_index_does_not_know_other_languages(
    sources: list[CorpusSource], tmp_path: Path, local: Engine
) -> None:
    page = Page("Gift", "A gift is given. It may be a work of art.", Markup.WIKITEXT, "en")
    folder = index(sources, tmp_path / "tables", local).folder
    notes = suggest(page, "Art", "bm25", index=folder).notes
    assert any(note.startswith("The index knows its pages in “en” by their titles alone") for note in notes)
    write_page_props(tmp_path / "enwiki-20240101-page_props.sql.gz", ENGLISH_ITEMS)
    write_page_props(tmp_path / "dewiki-20240101-page_props.sql", GERMAN_ITEMS)
    notes = suggest(page, "Art", "bm25", index=index(sources, tmp_path / "joined", local).folder).notes
    assert "In de, this page links it in Geschenk: “Es kann Kunst sein.”" in notes
    assert not any("by their titles alone" in note for note in notes)
    alone = index(sources[:1], tmp_path / "english", local)
    assert alone.notes == ()


def test_wikidata_ids_beside_the_dumps_join_languages(
    sources: list[CorpusSource], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    write_page_props(tmp_path / "enwiki-20240101-page_props.sql.gz", ENGLISH_ITEMS)
    write_page_props(tmp_path / "dewiki-20240101-page_props.sql", GERMAN_ITEMS)
    # Not read where Wikidata says it all.
    (tmp_path / "enwiki-20240101-langlinks.sql").write_bytes(b"INSERT INTO `langlinks` VALUES (1,'de")
    summary = index(sources, tmp_path / "tables", local)
    known = ids(summary.folder, rows)
    assert (known["en Gift"], known["de Geschenk"], known["de Gift"]) == ("Q184303", "Q184303", "Q40867")
    assert precedents(summary.folder, "Gift", "Art", "en") == [("de", "Es kann Kunst sein.")]
    assert precedents(summary.folder, "Poison", "Species", "en") == [("de", "Manche Art hat es.")]
    assert precedents(summary.folder, "Gift", "Poison", "en") == []
    assert (summary.notes, open_index(summary.folder).note, summary.rejects) == ((), "", {})
    assert summary.identities == {"de": {"page_props": 4}, "en": {"page_props": 4}}
    assert {path.name for path in summary.folder.iterdir()} == {
        *("articles", "entities", "links", "link_samples", "manifest.json", "mentions", "redirects")
    }


def test_files_of_another_day_or_another_wiki_say_nothing(
    sources: list[CorpusSource], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    write_page_props(tmp_path / "enwiki-20240201-page_props.sql.gz", ENGLISH_ITEMS)
    write_page_props(tmp_path / "enwikinews-20240101-page_props.sql.gz", ENGLISH_ITEMS)
    summary = index(sources, tmp_path / "tables", local)
    assert ids(summary.folder, rows)["en Gift"] == "en:Gift"


def test_a_page_without_an_item_is_left_out_if_its_wiki_has_items(
    sources: list[CorpusSource], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    write_page_props(tmp_path / "enwiki-20240101-page_props.sql.gz", {1: "Q184303", 2: "Q735"})
    summary = index(sources, tmp_path / "tables", local)
    known = ids(summary.folder, rows)
    assert {name for name in known if name.startswith("en")} == {"en Gift", "en Art"}
    assert len(known) == 2 + 4  # nothing is said of the German pages
    assert summary.rejects["a page without an entity id"] == 2


def test_broken_rows_beside_a_dump_are_counted(sources: list[CorpusSource], tmp_path: Path, local: Engine) -> None:
    props = write_page_props(tmp_path / "enwiki-20240101-page_props.sql", ENGLISH_ITEMS)
    props.write_text(props.read_text().replace("(2,'wikibase_item','Q735',NULL)", "(2,'wikibase_item','Q735)"))
    summary = index(sources, tmp_path / "tables", local)
    assert summary.rejects["a row of page_props that is broken"] == 1
    assert summary.rejects["a page without an entity id"] == 1


def test_links_between_languages_join_pages_without_wikidata(
    sources: list[CorpusSource], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    write_langlinks(tmp_path / "enwiki-20240101-langlinks.sql.gz", ENGLISH_LINKS)
    write_langlinks(tmp_path / "dewiki-20240101-langlinks.sql.gz", GERMAN_LINKS)
    summary = index(sources, tmp_path / "tables", local)
    known = ids(summary.folder, rows)
    assert known["en Gift"] == known["de Geschenk"] == "de:Geschenk"  # also through the redirect Präsent
    assert known["en Poison"] == known["de Gift"] == "de:Gift"
    assert known["en Species"] == known["de Art"] == "de:Art"  # the German page says so; a part of a page does not
    assert precedents(summary.folder, "Gift", "Art", "en") == [("de", "Es kann Kunst sein.")]
    assert summary.identities == {"de": {"langlinks": 4}, "en": {"langlinks": 4}}


def test_links_of_one_wiki_are_enough_and_carry_wikidata_ids_to_the_other(
    sources: list[CorpusSource], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    write_page_props(tmp_path / "dewiki-20240101-page_props.sql.gz", GERMAN_ITEMS)
    write_langlinks(tmp_path / "enwiki-20240101-langlinks.sql.gz", ENGLISH_LINKS)
    known = ids(index(sources, tmp_path / "tables", local).folder, rows)
    assert (known["en Gift"], known["en Poison"], known["en Species"]) == ("Q184303", "Q40867", "en:Species")


def test_a_group_with_two_pages_of_one_language_is_not_joined(
    sources: list[CorpusSource], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    links = [(1, "de", "Geschenk"), (2, "de", "Geschenk"), (3, "de", "Gift")]
    write_langlinks(tmp_path / "enwiki-20240101-langlinks.sql.gz", links)
    known = ids(index(sources, tmp_path / "tables", local).folder, rows)
    assert (known["en Gift"], known["en Art"], known["de Geschenk"]) == ("en:Gift", "en:Art", "de:Geschenk")
    assert known["en Poison"] == known["de Gift"]


def test_a_chain_of_languages_is_one_entity(
    tmp_path: Path, write_wiki: Callable[..., Path], local: Engine, rows: Rows
) -> None:
    tags = ("sw", "en", "de", "no", "fr")
    sources = [
        CorpusSource(write_wiki(tmp_path / f"{tag}wiki.xml", {f"Dog {tag}": [(TIME, "It barks.")]}, tag))
        for tag in tags
    ]
    for tag, following in zip(tags, ("en", "de", "nb", "fr", "xx"), strict=True):
        write_langlinks(tmp_path / f"{tag}wiki-langlinks.sql", [(1, following, f"Dog_{following.replace('nb', 'no')}")])
    known = ids(index(sources, tmp_path / "tables", local).folder, rows)
    assert set(known.values()) == {"de:Dog de"}


@pytest.mark.parametrize("name", ["a.tsv", "a.csv", "a.jsonl", "a.parquet"])
def test_a_users_table_joins_languages_and_comes_first(
    name: str, sources: list[CorpusSource], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    write_page_props(tmp_path / "dewiki-20240101-page_props.sql.gz", GERMAN_ITEMS)
    table = [("gift", "present", "en"), ("Geschenk", "present", "de"), ("Art", "art", "en"), ("Kunst", "art", "de")]
    _write_table(tmp_path / name, table)
    summary = index(sources, tmp_path / "tables", local, entities=tmp_path / name)
    assert precedents(summary.folder, "Gift", "Art", "en") == [("de", "Es kann Kunst sein.")]
    known = ids(summary.folder, rows)
    assert (known["de Gift"], known["en Poison"]) == ("Q40867", "en:Poison")  # a page that it lacks is not left out


def _write_table(path: Path, table: list[tuple[str, str, str]]) -> None:
    import csv
    import json

    import pyarrow as pa
    import pyarrow.parquet as pq

    records = [dict(zip(("title", "id", "language"), row, strict=True)) for row in table]
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(records), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",").writerows(table)


def test_a_table_without_languages_is_refused_for_several(
    sources: list[CorpusSource], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    table = tmp_path / "ids.tsv"
    table.write_text("title\tid\nGift\tQ184303\n", encoding="utf-8")
    known = ids(index(sources[:1], tmp_path / "english", local, entities=table).folder, rows)
    assert known["en Gift"] == "Q184303"
    with pytest.raises(UnusableInput, match="has no language for some rows, but the pages are in de, en;"):
        index(sources, tmp_path / "tables", local, entities=table)


def test_two_wikis_of_one_language_do_not_share_their_page_numbers(
    sources: list[CorpusSource], tmp_path: Path, write_wiki: Callable[..., Path], local: Engine, rows: Rows
) -> None:
    write_page_props(tmp_path / "enwiki-20240101-page_props.sql.gz", ENGLISH_ITEMS)
    news = CorpusSource(write_wiki(tmp_path / "enwikinews-20240101-pages.xml", {"Storm": [(TIME, "It blows.")]}, "en"))
    known = ids(index([sources[0], news], tmp_path / "tables", local).folder, rows)
    assert (known["en Gift"], known["en Storm"]) == ("Q184303", "en:Storm")


def test_slugs_are_the_same_page_in_every_language(tmp_path: Path, local: Engine, rows: Rows) -> None:
    for language, text in (("en", "A [wolf](/en/wolf) howls."), ("de", "Der [Wolf](/de/wolf) heult.")):
        for slug in ("dog", "wolf"):
            path = tmp_path / "site" / language / f"{slug}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# {slug.title()} {language}\n\n{text if slug == 'dog' else 'It is wild.'}\n")
    summary = index([CorpusSource(tmp_path / "site", pages="{lang}/{slug}.md")], tmp_path / "tables", local)
    assert ids(summary.folder, rows)["en Dog en"] == ids(summary.folder, rows)["de Dog de"] == "dog"
    assert precedents(summary.folder, "Dog en", "Wolf en", "en") == [("de", "Der Wolf heult.")]
    assert summary.notes == ()


EDITS: Wiki = {
    "Gift": [
        ("2020-01-01T00:00:00Z", "A gift is given. It may be a work of art. It is wrapped. It is kept."),
        ("2020-01-02T00:00:00Z", "A gift is given. It may be a work of [[art]]. It is wrapped. It is kept."),
    ],
    "Art": [("2019-01-01T00:00:00Z", "Art is made by artists.")],
}
EARLIER: Wiki = {
    "Gift": [("2018-01-01T00:00:00Z", "Ein Gift schadet. Manche [[Art]] hat es.")],
    "Art": [("2018-01-01T00:00:00Z", "Eine Art ist eine Gruppe von Lebewesen.")],
    "Geschenk": [("2018-01-01T00:00:00Z", "Ein Geschenk wird gegeben. Es kann [[Kunst]] sein.")],
    "Kunst": [("2018-01-01T00:00:00Z", "Kunst machen Künstler.")],
}


@pytest.mark.parametrize("with_ids", [False, True])
def test_an_insertion_has_precedents_by_ids_and_never_by_equal_titles(
    with_ids: bool, tmp_path: Path, write_wiki: Callable[..., Path], local: Engine, rows: Rows
) -> None:
    sources = [
        CorpusSource(write_wiki(tmp_path / f"{tag}wiki-history.xml", wiki, tag))
        for tag, wiki in (("en", EDITS), ("de", EARLIER))
    ]
    if with_ids:
        write_page_props(tmp_path / "enwiki-history-page_props.sql.gz", ENGLISH_ITEMS)
        write_page_props(tmp_path / "dewiki-history-page_props.sql.gz", GERMAN_ITEMS)
    summary = insertions(sources, tmp_path / "edits", local)
    (row,) = rows(summary.folder / "insertions")
    found = [one["passage"][one["linked"]] for one in row["precedents"]]
    assert found == (["Es kann Kunst sein."] if with_ids else [])
    assert (row["source_entity"], row["target_entity"]) == (("Q184303", "Q735") if with_ids else ("en:Gift", "en:Art"))
    assert bool(summary.notes) is not with_ids


def test_links_to_unknown_pages_are_not_joined_by_their_titles(
    tmp_path: Path, write_wiki: Callable[..., Path], local: Engine, rows: Rows
) -> None:
    english, german = {"Gift": EDITS["Gift"]}, {"Gift": EARLIER["Gift"]}
    sources = [
        CorpusSource(write_wiki(tmp_path / f"{tag}.xml", wiki, tag)) for tag, wiki in (("en", english), ("de", german))
    ]
    summary = insertions(sources, tmp_path / "edits", local, keep_unknown=True)
    (row,) = rows(summary.folder / "insertions")
    assert (row["target_entity"], row["precedents"]) == ("en:Art", [])


def test_the_card_of_a_dataset_says_that_languages_are_not_joined(
    sources: list[CorpusSource], tmp_path: Path, local: Engine
) -> None:
    folder = index(sources, tmp_path / "tables", local).folder
    card = (dataset([folder], tmp_path / "dataset", local).folder / "README.md").read_text(encoding="utf-8")
    assert "## Languages\n\n- tables: Pages in de, en are known by their titles alone" in card


@pytest.mark.shared_data
def test_real_translations_are_joined_by_the_links_in_their_margin(
    shared_data: Path, tmp_path: Path, local: Engine, rows: Rows
) -> None:
    sources = []
    for tag in ("de", "ru"):
        name = f"openttd-{tag}-pages-meta-history.xml.xz"
        (tmp_path / name).symlink_to(shared_data / "openttd" / name)
        sources.append(CorpusSource(tmp_path / name))
        pages = {page.id: page.text for page in current_pages(sources[-1].open())}
        # As MediaWiki's own table would have them: the English page that a page translates.
        found = {number: re.search(r"\[\[Translation:(en/[^\]|]+)", text) for number, text in pages.items()}
        links = [(int(number), "en", match[1]) for number, match in found.items() if match]
        write_langlinks(tmp_path / f"openttd-{tag}-langlinks.sql.gz", links)
    summary = index(sources, tmp_path / "tables", local)
    known = ids(summary.folder, rows)
    assert known["ru ru/Archive/Community/ЧЗВ NewGRF"] == known["de de/Archive/Community/NewGRF FAQ"]
    assert sum(counts["langlinks"] for counts in summary.identities.values()) > 0.8 * len(known)
    links_of = {
        tag: {
            (row["source_entity"], row["target_entity"])
            for row in rows(summary.folder / "links")
            if row["language"] == tag
        }
        for tag in ("de", "ru")
    }
    assert len(links_of["de"] & links_of["ru"]) > 100
