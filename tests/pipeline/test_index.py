import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from linkspot.corpora.corpus import CorpusSource
from linkspot.engines.engine import Engine
from linkspot.errors import UnusableInput
from linkspot.links.index import LINK_SAMPLES
from linkspot.pipeline.index import TABLES, index
from linkspot.pipeline.table_run import Summary
from linkspot.tables.folder import TableFolder
from linkspot.tables.schemas import article_of

TIME = "2024-05-01T10:00:00Z"
SIGNAL = """A '''signal''' keeps [[train]]s apart. It has [[Lamp|lamps]]. See [[Signal|here]], [[Nowhere]] and [[Stub]].

== Kinds ==
There are [[semaphore]]s. Some are [[Signal lamp|lit]]. [[Round]] and round.
"""
WIKI = {
    "Signal": SIGNAL,
    "Train": "A train runs on rails. It stops at a [[signal]]. It stops at each [[Signal|signal]].",
    "Lamp": "A lamp shines. It is of use to a [[train]].",
    "Semaphore": "An arm on a pole.",
    "Signal lamp": "#REDIRECT [[Lamp (light)]]",
    "Lamp (light)": "#REDIRECT [[Lamp]]",
    "Round": "#REDIRECT [[Robin]]",
    "Robin": "#REDIRECT [[Round]]",
    "Stub": "{{stub}}",
    "User:Ann": "I like [[train]]s.",
}

Rows = Callable[[Path], list[dict[str, Any]]]


@pytest.fixture
def wiki(tmp_path: Path, write_wiki: Callable[..., Path]) -> CorpusSource:
    return CorpusSource(write_wiki(tmp_path / "wiki.xml", {title: [(TIME, text)] for title, text in WIKI.items()}))


@pytest.fixture
def indexed(tmp_path: Path, wiki: CorpusSource, local: Engine) -> Summary:
    return index([wiki], tmp_path / "tables", local)


def test_articles_are_rows_that_become_articles_again(indexed: Summary, rows: Rows) -> None:
    found = {row["title"]: row for row in rows(indexed.folder / "articles")}
    assert set(found) == {"Signal", "Train", "Lamp", "Semaphore"}
    signal = found["Signal"]
    article = article_of(signal["title"], signal["language"], signal["sections"])
    assert [sentence.text for _, sentence in article.sentences][:2] == ["A signal keeps trains apart.", "It has lamps."]
    assert [link.mention for link in article.sections[0].links] == ["trains", "lamps", "here", "Nowhere", "Stub"]
    assert signal["lead"].startswith("A signal keeps")
    assert (signal["id"], signal["entity"], signal["language"]) == ("1", "en:Signal", "en")


def test_a_link_knows_its_mention_sentence_and_context(indexed: Summary, rows: Rows) -> None:
    links = rows(indexed.folder / "links")
    (link,) = [link for link in links if link["mention"] == "lamps"]
    assert link["context"] == "A signal keeps trains apart. It has lamps. See here, Nowhere and Stub."
    assert link["context"][link["mention_start"] : link["mention_end"]] == "lamps"
    assert link["context"][link["sentence_start"] : link["sentence_end"]] == "It has lamps."
    assert (link["source_title"], link["target_title"], link["section"], link["sentence"]) == ("Signal", "Lamp", "", 1)
    assert [link["context"][n["start"] : n["end"]] for n in link["context_links"]] == [
        "trains",
        "lamps",
        "here",
        "Nowhere",
        "Stub",
    ]


def test_links_lead_through_redirects_but_never_in_circles(indexed: Summary, rows: Rows) -> None:
    targets = {link["mention"]: link["target_title"] for link in rows(indexed.folder / "links")}
    assert targets["lit"] == "Lamp"
    assert "Round" not in targets
    ends = {row["name"]: (row["target"], row["end"]) for row in rows(indexed.folder / "redirects")}
    assert ends["Signal lamp"] == ("Lamp (light)", "Lamp")
    assert set(ends) == {"Signal lamp", "Lamp (light)", "Round", "Robin"}


def test_what_is_left_out_is_counted_by_reason(indexed: Summary) -> None:
    assert indexed.rejects == {
        "a link to a page that the corpus lacks": 2,  # Nowhere, and the circle
        "a link from a page to itself": 1,
        "a link to a page that is left out": 1,
        "a page without a lead": 1,
        "not an article": 1,
    }


def test_mentions_are_counted_as_they_are_written(indexed: Summary, rows: Rows) -> None:
    mentions = {(row["key"], row["mention"]): row["count"] for row in rows(indexed.folder / "mentions")}
    assert mentions[("Signal", "signal")] == 2
    assert mentions[("Lamp", "lamps")] == mentions[("Lamp", "lit")] == 1


def test_an_entity_knows_how_many_pages_link_to_it(indexed: Summary, rows: Rows) -> None:
    degrees = {row["title"]: row["in_degree"] for row in rows(indexed.folder / "entities")}
    assert degrees == {"Signal": 1, "Train": 2, "Lamp": 1, "Semaphore": 1}


def test_a_second_run_changes_nothing(indexed: Summary, wiki: CorpusSource, local: Engine) -> None:
    before = {path: path.stat().st_mtime_ns for path in indexed.folder.rglob("*")}
    assert index([wiki], indexed.folder, local) == indexed
    assert {path: path.stat().st_mtime_ns for path in indexed.folder.rglob("*")} == before
    assert sorted(path.name for path in indexed.folder.iterdir()) == sorted([*TABLES, LINK_SAMPLES, "manifest.json"])


def test_tables_of_another_corpus_are_not_overwritten(indexed: Summary, wiki: CorpusSource, local: Engine) -> None:
    with pytest.raises(UnusableInput, match=r"made in another way \(sources differ\); choose a new folder"):
        index([replace(wiki, language="de")], indexed.folder, local)


def test_two_runs_do_not_write_to_one_folder(indexed: Summary, wiki: CorpusSource, local: Engine) -> None:
    with TableFolder(indexed.folder).alone(), pytest.raises(UnusableInput, match="another run is writing to"):
        index([wiki], indexed.folder, local)
    assert index([wiki], indexed.folder, local) == indexed


def test_a_folder_of_other_things_is_not_written_to(tmp_path: Path, wiki: CorpusSource, local: Engine) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("x")
    with pytest.raises(UnusableInput, match="exists and is not a folder of tables"):
        index([wiki], tmp_path / "thesis", local)


def test_pages_can_be_taken_as_they_stood_on_a_day(
    tmp_path: Path, write_wiki: Callable[..., Path], local: Engine, rows: Rows
) -> None:
    history = {
        "Old": [("2010-01-01T00:00:00Z", "It was so."), ("2020-01-01T00:00:00Z", "It is so.")],
        "New": [("2020-01-01T00:00:00Z", "Fresh.")],
    }
    source = CorpusSource(write_wiki(tmp_path / "wiki.xml", history))
    summary = index([source], tmp_path / "tables", local, at=datetime(2015, 1, 1, tzinfo=UTC))
    assert [row["lead"] for row in rows(summary.folder / "articles")] == ["It was so."]


def test_a_corpus_without_articles_is_reported_in_one_line(
    tmp_path: Path, write_wiki: Callable[..., Path], local: Engine
) -> None:
    source = CorpusSource(write_wiki(tmp_path / "wiki.xml", {"A": [(TIME, "{{x}}")]}))
    with pytest.raises(UnusableInput, match=r"wiki\.xml gave no article: 1 × a page without a lead"):
        index([source], tmp_path / "tables", local)


def test_a_page_that_moved_is_found_by_its_last_name_if_only_one_has_it(
    tmp_path: Path, write_wiki: Callable[..., Path], local: Engine, rows: Rows
) -> None:
    wiki = {
        "en/Manual/Signals": "Signals stand.",
        "en/Manual/Depot": "Look at [[en/Signals|signals]], [[en/Old/Main Page|home]], [[Signals]], [[de/Signals]].",
        "en/Main Page": "Home.",
        "en/Community/Main Page": "Another home.",
    }
    source = CorpusSource(write_wiki(tmp_path / "w.xml", {title: [(TIME, text)] for title, text in wiki.items()}))
    index([source], tmp_path / "tables", local)
    links = rows(tmp_path / "tables" / "links")
    assert [(link["mention"], link["target_title"]) for link in links] == [("signals", "en/Manual/Signals")]


def test_links_between_files_are_found_by_their_paths(tmp_path: Path, local: Engine, rows: Rows) -> None:
    site = tmp_path / "site"
    for path, text in {
        "mkdocs.yml": "site_name: x",
        "docs/index.md": "# Home\n\nHow to [install](guide/install.md#linux).",
        "docs/guide/install.md": "# Install\n\nGo [home](../index.md), then [on](use.md). Read [this](https://example.org).",
        "docs/guide/use.md": "# Use\n\nUse it.",
    }.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text, encoding="utf-8")
    index([CorpusSource(site, language="en")], tmp_path / "tables", local)
    found = {(link["source_key"], link["mention"], link["target_key"]) for link in rows(tmp_path / "tables" / "links")}
    assert found == {
        ("index", "install", "guide/install"),
        ("guide/install", "home", "index"),
        ("guide/install", "on", "guide/use"),
    }


@pytest.mark.parametrize(
    ("ids", "kept"), [(["Q1", "Q2", ""], {"A": "Q1", "B": "Q2"}), (["", "", ""], {t: f"en:{t}" for t in "ABC"})]
)
def test_a_page_without_an_id_is_left_out_unless_none_has_one(
    ids: list[str], kept: dict[str, str], tmp_path: Path, local: Engine, rows: Rows
) -> None:
    lines = [
        {
            "name": title,
            "identifier": number,
            "in_language": {"identifier": "en"},
            "main_entity": {"identifier": entity} if entity else None,
            "article_body": {"html": f"<p>{title} is a letter.</p>"},
        }
        for number, (title, entity) in enumerate(zip("ABC", ids, strict=True))
    ]
    dump = tmp_path / "wiki.ndjson"
    dump.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    summary = index([CorpusSource(dump)], tmp_path / "tables", local)
    assert {row["title"]: row["entity"] for row in rows(summary.folder / "articles")} == kept
    assert {row["title"]: row["entity"] for row in rows(summary.folder / "entities")} == kept
    assert summary.rejects.get("a page without an entity id", 0) == 3 - len(kept)


def test_an_index_of_a_site_says_where_pages_are_and_how_some_links_are_written(
    tmp_path: Path, local: Engine, rows: Rows
) -> None:
    site = {
        "files/en-us/web/api/window/index.md": "---\ntitle: Window\nslug: Web/API/Window\n---\n\nIt has an "
        "[element](/en-US/docs/Web/API/Element), {{domxref('Element')}} and [more](/en-US/docs/Web/API/Element#more).",
        "files/en-us/web/api/element/index.md": "---\ntitle: Element\nslug: Web/API/Element\n---\n\nIn a window.",
    }
    for name, text in site.items():
        (tmp_path / "site" / name).parent.mkdir(parents=True)
        (tmp_path / "site" / name).write_text(text, encoding="utf-8")
    summary = index([CorpusSource(tmp_path / "site")], tmp_path / "tables", local)
    located = [(row["entity"], row["path"], row["slug"]) for row in rows(summary.folder / "entities")]
    assert ("web/api/window", "files/en-us/web/api/window/index", "Web/API/Window") in located
    samples = [(row["address"], row["form"], row["target_slug"]) for row in rows(summary.folder / LINK_SAMPLES)]
    assert samples == [
        ("/docs/Web/API/Element", "domxref", "Web/API/Element"),
        ("/en-US/docs/Web/API/Element", "", "Web/API/Element"),
    ]
    assert not any("address" in row for row in rows(summary.folder / "links"))


def test_a_wiki_whose_links_hold_titles_has_no_addresses_to_learn_from(indexed: Summary, rows: Rows) -> None:
    assert rows(indexed.folder / LINK_SAMPLES) == []
    assert {(row["path"], row["slug"]) for row in rows(indexed.folder / "entities")} >= {("", "Signal")}
