import pickle
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

import linkspot
from linkspot.answers.source_page import SourcePage
from linkspot.answers.suggester import Suggester
from linkspot.door import check_article, check_entity, check_page
from linkspot.engines.engine import Shard
from linkspot.errors import LinkspotError, TooLarge
from linkspot.insertions.rules import HistoryRules
from linkspot.insertions.windows import windows
from linkspot.limits import LIMITS, Limits
from linkspot.links.addresses import Naming
from linkspot.parsing import parse
from linkspot.pipeline.batches import Batch
from linkspot.pipeline.histories import JudgeHistories
from linkspot.pipeline.pages import ParsePages
from linkspot.pipeline.repetition import REPEATED
from linkspot.records import Entity, Markup, Page, Revision

#: What a service may ask for.
STRICT = replace(
    LIMITS,
    page_bytes=512_000,
    page_sentences=2_000,
    sentence_links=200,
    names=21,
    title_characters=255,
    mention_characters=200,
    lead_characters=4_096,
)
TIME = datetime(2020, 1, 1, tzinfo=UTC)


def _page(text: str) -> Page:
    return Page("Page", text, Markup.WIKITEXT, "en", id="1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("é" * 300_000, "the page has 600,000 bytes of markup; expected at most 512,000"),
        ("A dog ran. " * 2_001, "the page has 2,001 sentences; expected at most 2,000"),
        ("[[a]], " * 201, "a sentence of the page has 201 links; expected at most 200"),
    ],
)
def test_a_page_over_a_limit_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(TooLarge, match=message):
        SourcePage.of(_page(text), limits=STRICT)


def test_a_page_at_its_limits_is_read() -> None:
    text = "A dog ran. " * 1_999 + "[[a]], " * 200
    check_page(_page(text), STRICT)
    check_article(parse(_page(text)), STRICT)


def test_many_links_in_many_sentences_are_no_problem() -> None:
    check_article(parse(_page("A [[a]] ran. " * 300)), STRICT)


@pytest.mark.parametrize(
    ("entity", "message"),
    [
        (Entity("A", mentions=tuple(f"a{number}" for number in range(21))), "the target has 22 names; .* at most 21"),
        (Entity("A" * 256), "the target's title has 256 characters"),
        (Entity("A", mentions=("a" * 201,)), "a mention has 201 characters"),
        (Entity("A", "a" * 4_097), "the target's lead has 4,097 characters"),
    ],
)
def test_a_target_over_a_limit_is_refused_in_one_line(entity: Entity, message: str) -> None:
    with pytest.raises(TooLarge, match=message):
        check_entity(entity, STRICT)
    suggester = replace(Suggester.of("bm25"), limits=STRICT)
    with pytest.raises(LinkspotError, match=message):
        suggester.answer(SourcePage.of(_page("A dog ran.")), entity)


def test_a_thousand_mentions_are_said_to_be_too_many() -> None:
    entity = Entity("Dog", mentions=tuple(f"dog {number}" for number in range(1_000)))
    with pytest.raises(TooLarge, match="the target has 1,001 names; expected at most 1,000"):
        linkspot.suggest("A dog ran.", entity, "bm25", markup="wikitext", language="en")


def test_an_error_about_a_limit_crosses_the_border_of_a_process() -> None:
    error = pickle.loads(pickle.dumps(TooLarge("a page", "a reason")))
    assert (str(error), error.reason) == ("a page", "a reason")


def _rejects(rows: list[dict[str, Any]]) -> dict[str, int]:
    return {row["reason"]: row["count"] for row in rows[-1]["rejects"]}


def test_an_index_counts_a_page_over_a_limit_by_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    small = Limits(page_sentences=3)
    monkeypatch.setattr(check_article, "__defaults__", (small,))
    pages = [_page("A dog ran. " * number) for number in (3, 4)]
    revisions = tuple(Revision(page, "1", TIME) for page in pages)
    rows = ParsePages().run(Shard(Batch(revisions, Naming(), Counter()), 2, 1.0))
    assert len(rows) == 2
    assert _rejects(rows) == {"a page with more than 3 sentences": 1}
    revisions = (revisions[0], Revision(_page("A [[dog]] ran. " * 4), "2", TIME))
    records = tuple(enumerate(windows(revisions)))
    rows = JudgeHistories(HistoryRules()).run(Shard(Batch(records, Naming(), Counter()), 2, 1.0))
    assert _rejects(rows) == {"a page with more than 3 sentences": 1}


def test_thousands_of_links_in_one_sentence_do_not_repeat_it_thousands_of_times() -> None:
    revision = Revision(_page("".join(f"[[a{number}]], " for number in range(4_000))), "1", TIME)
    rows = ParsePages().run(Shard(Batch((revision,), Naming(), Counter()), 1, 1.0))
    links = rows[0]["links"]
    assert links
    assert sum(len(link["context"]) for link in links) < 5_000_000
    assert _rejects(rows) == {REPEATED: 4_000 - len(links)}


def test_links_of_ordinary_pages_are_all_kept() -> None:
    revision = Revision(_page("A [[dog]] and a [[cat]] ran to the [[moon]]. " * 2_000), "1", TIME)
    rows = ParsePages().run(Shard(Batch((revision,), Naming(), Counter()), 1, 1.0))
    assert len(rows) == 1
    assert len(rows[0]["links"]) == 6_000
