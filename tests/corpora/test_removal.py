"""Links that are taken out of pages: one link less, nothing else changed, and one place is right."""

from collections import Counter
from collections.abc import Callable
from itertools import count, islice, pairwise
from pathlib import Path
from zlib import crc32

import pyarrow.dataset as ds
import pytest

from linkspot.corpora.corpus import open_corpus
from linkspot.corpora.removal import TEST, RemovalCorpus, RemovalSource, part_of, texts_without
from linkspot.engines.engine import Engine
from linkspot.insertions.rules import PAPER
from linkspot.parsing import parse
from linkspot.pipeline.insertions import insertions
from linkspot.records import Article, Page

TEXT = """The dhow is a ship of the [[Indian Ocean]]. It has one or two masts. It sails with the [[monsoon]] each year.

== Trade ==
Dhows carried dates to [[Zanzibar]] for centuries. Sailors waited there. They brought back [[mangrove]] poles.
Some were built in [[Lamu]]. All had sails.
"""
TESTED = next(f"Dhow {number}" for number in count() if part_of(f"Dhow {number}") == TEST)
OTHER = next(f"Dhow {number}" for number in count() if part_of(f"Dhow {number}") != TEST)
TARGETS = ("Indian Ocean", "Monsoon", "Zanzibar", "Mangrove", "Lamu")


def page(text: str = TEXT, title: str = TESTED) -> Page:
    return Page(title, text, "wikitext", "en")


def texts(article: Article) -> Counter[str]:
    return Counter(sentence.text for section in article.sections for sentence in section.sentences)


def links(article: Article) -> Counter[str]:
    return Counter(link.target for section in article.sections for link in section.links)


def test_links_go_with_their_words_with_their_sentences_and_alone_by_turns() -> None:
    whole = parse(page())
    without = [parse(page(text)) for text in texts_without(page())]
    assert [len(whole.sentences) - len(article.sentences) for article in without] == [0, 1, 0, 0, 1]
    assert [len(texts(whole) - texts(article)) for article in without] == [1, 1, 0, 1, 1]
    for article in without:
        assert sum((links(whole) - links(article)).values()) == 1


def test_the_words_of_a_link_are_gone_and_no_blank_is_there_twice() -> None:
    for text in texts_without(page()):
        assert "  " not in text
        assert "[[]]" not in text


def test_a_target_that_the_page_names_elsewhere_is_not_drawn() -> None:
    named = (
        TEXT + "Many poles of mangrove are in Zanzibar or Lamu. The Indian Ocean is wide. Each monsoon has a name.\n"
    )
    assert list(texts_without(page(named))) == []


def test_a_target_that_is_linked_twice_is_not_drawn() -> None:
    twice = TEXT + "".join(f"A [[{target.lower()}|word]] here. " for target in TARGETS)
    gone = [links(parse(page(twice))) - links(parse(page(text))) for text in texts_without(page(twice))]
    assert all(sum(one.values()) == 1 for one in gone)
    twice = TEXT + "".join(f"A [[{target}|word]] and more. " for target in ("Indian Ocean", "monsoon"))
    gone = [links(parse(page(twice))) - links(parse(page(text))) for text in texts_without(page(twice))]
    assert {target for one in gone for target in one} <= {"Zanzibar", "mangrove", "Lamu"}


def test_the_same_page_gives_the_same_links() -> None:
    assert list(texts_without(page())) == list(texts_without(page()))


@pytest.mark.parametrize("title", ["Dhow", "生物", "Атом"])
def test_a_page_belongs_to_the_part_that_the_digest_of_its_title_says(title: str) -> None:
    assert part_of(title) == crc32(title.encode()) % 10


def test_insertions_finds_the_links_that_were_taken_out_at_their_places(
    write_wiki: Callable[..., Path], local: Engine, tmp_path: Path
) -> None:
    pages = {TESTED: TEXT, OTHER: TEXT, **{target: f"{target} is a thing. It is old." for target in TARGETS}}
    history = {title: [("2010-06-01T00:00:00Z", text)] for title, text in pages.items()}
    dump = write_wiki(tmp_path / "wiki.xml", history)
    summary = insertions([RemovalSource(dump)], tmp_path / "out", local, PAPER)
    rows = ds.dataset(tmp_path / "out" / "insertions", format="parquet").to_table().to_pylist()
    assert summary.rows["insertions"] == len(rows) == 5
    assert {row["source_title"] for row in rows} == {TESTED}
    assert Counter(row["scenario"] for row in rows) == {"missing_mention": 2, "missing_sentence": 2, "text_present": 1}
    for row in rows:
        sentences = [one for section in row["sections"] for one in section["sentences"]]
        assert row["gold"], row["target_title"]
        assert all(0 <= number < len(sentences) for number in row["gold"])
        assert row["target_lead"].startswith(row["target_title"])


@pytest.mark.shared_data
def test_real_pages_lose_a_link_and_nothing_else(shared_data: Path) -> None:
    corpus = RemovalCorpus(open_corpus(shared_data / "wikipedia" / "viwiki-truncated-100k.xml.xz"))
    pairs = [
        (before.page, after.page)
        for before, after in pairwise(islice(corpus.revisions(), 120))
        if before.page.title == after.page.title and len(before.page.text) < len(after.page.text)
    ]
    assert len(pairs) > 10
    for before, after in pairs:
        assert not links(parse(before)) - links(parse(after))
        assert len(texts(parse(after)) - texts(parse(before))) <= 1
