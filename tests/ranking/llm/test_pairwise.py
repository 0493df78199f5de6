"""Pairwise prompting, over real connections to a small endpoint that answers as told, or fails."""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.llm_server import ScriptedLlm, Trouble, prefer_longer, scripted_llm

from linkspot.errors import BrokenRun, LinkspotError, UnusableInput, UnwritableTable
from linkspot.parsing import parse
from linkspot.ranking.bm25 import BM25Ranker
from linkspot.ranking.cascade import CascadeRanker
from linkspot.ranking.llm.cache import AnswerCache
from linkspot.ranking.llm.cost import CostEstimate, estimate, tokens_in
from linkspot.ranking.llm.endpoint import Endpoint, EndpointSettings
from linkspot.ranking.llm.pairwise import LlmPairwiseRanker, open_llm_pairwise, report, wins
from linkspot.ranking.llm.prompt import Choice, PairPrompt, choice_in
from linkspot.records import Article, Entity, Markup, Page

TEXT = """\
Trains run on rails. They carry coal.

## Safety

A signal stops them. Brakes help, too.
"""
KEY = "sk-very-secret"


def page(text: str = TEXT, title: str = "Railway") -> Article:
    return parse(Page(title, text, Markup.MARKDOWN, "en"))


PAGE = page()
COUNT = len(PAGE.sentences)
ENTITY = Entity("Railway signal", "A signal tells a driver to stop.", ("signals", "semaphore"))


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with scripted_llm() as llm:
        yield llm


def settings(llm: ScriptedLlm, **changes: Any) -> EndpointSettings:
    return EndpointSettings(**{"base_url": llm.base_url, "model": "small", "first_pause": 0.01, **changes})


def asking(llm: ScriptedLlm, answers: Path | None = None, *, tries: int = 4, **changes: Any) -> LlmPairwiseRanker:
    return open_llm_pairwise(settings(llm, tries=tries), answers, **changes)


@pytest.fixture
def ranker(llm: ScriptedLlm) -> Iterator[LlmPairwiseRanker]:
    with asking(llm) as ranker:
        yield ranker


def place_in(passage: str) -> str:
    match = re.search(r"<place>(.*)</place>", passage)
    assert match, passage
    return match[1]


def sentences(article: Article) -> list[str]:
    return [sentence.text for _, sentence in article.sentences]


def test_every_pair_is_asked_in_both_orders(llm: ScriptedLlm, ranker: LlmPairwiseRanker) -> None:
    ranker.score(ENTITY, PAGE)
    asked = [tuple(map(place_in, request.passages)) for request in llm.requests]
    assert sorted(asked) == sorted(permutations(sentences(PAGE), 2))


def test_wins_are_counted_as_in_the_paper(llm: ScriptedLlm, ranker: LlmPairwiseRanker) -> None:
    order = ["A signal stops them.", "Brakes help, too.", "Trains run on rails.", "They carry coal."]

    def judge(a: str, b: str) -> str:
        if {place_in(a), place_in(b)} == set(order[2:]):
            return "Passage A"  # whatever stands first: the orders disagree
        return "Passage A" if order.index(place_in(a)) < order.index(place_in(b)) else "Passage B"

    llm.judge = judge
    assert ranker.score(ENTITY, PAGE).places == pytest.approx([0.5, 0.5, 3.0, 2.0])
    assert (ranker.tally.pairs, ranker.tally.ties) == (6, 1)


def test_a_model_that_always_names_the_same_passage_makes_ties_alone(
    llm: ScriptedLlm, ranker: LlmPairwiseRanker
) -> None:
    llm.judge = lambda _a, _b: "Passage B"
    assert ranker.score(ENTITY, PAGE).places == pytest.approx([1.5] * COUNT)
    assert (ranker.tally.ties, ranker.tally.nonsense) == (6, 0)


@pytest.mark.parametrize("said", ["Both are fine.", "", None, "Passage C", "Passage A or Passage B", "\ud800"])
def test_nonsense_is_a_tie_and_is_counted_and_reported(
    llm: ScriptedLlm, ranker: LlmPairwiseRanker, said: str | None
) -> None:
    llm.judge = lambda a, b: said if place_in(a) == "They carry coal." else prefer_longer(a, b)
    scores = ranker.score(ENTITY, PAGE).places
    assert scores[1] == pytest.approx(1.5)  # one order of each of its pairs says nothing
    assert ranker.tally.nonsense == COUNT - 1
    assert "of the answers 3 name neither passage and make a tie, for example " in str(ranker.tally)


@given(
    st.integers(0, 6).flatmap(
        lambda count: st.tuples(
            st.just(count),
            st.fixed_dictionaries({pair: st.sampled_from(Choice) for pair in permutations(range(count), 2)}),
        )
    )
)
def test_each_pair_gives_one_point_in_all(case: tuple[int, dict[tuple[int, int], Choice]]) -> None:
    count, choices = case
    scores = wins(count, choices)
    assert sum(scores) == count * (count - 1) / 2
    assert all(0 <= score <= count - 1 for score in scores)


def test_equal_wins_keep_the_order_in_which_places_are_given(llm: ScriptedLlm, ranker: LlmPairwiseRanker) -> None:
    llm.judge = lambda _a, _b: "Passage A"
    for order in ([0, 1, 2, 3], [2, 3, 1, 0]):
        scores = ranker.score_some(ENTITY, PAGE, order).places
        assert list(scores) == sorted(scores, reverse=True)
        assert len(set(scores)) == COUNT
    assert ranker.score(ENTITY, PAGE).places == ranker.score_some(ENTITY, PAGE, range(COUNT)).places


def test_a_page_with_one_place_or_none_asks_nothing(llm: ScriptedLlm, ranker: LlmPairwiseRanker) -> None:
    assert ranker.score(ENTITY, page("")).places == ()
    scores = ranker.score(ENTITY, page("One sentence."))
    assert scores.places[0] > scores.nowhere
    assert not llm.requests


def test_twins_on_a_page_are_asked_once_and_tie(llm: ScriptedLlm, ranker: LlmPairwiseRanker) -> None:
    article = page("## A\n\nSee below.\n\n" * 3)
    assert len(article.sentences) == 3
    assert ranker.score(ENTITY, article).places == pytest.approx([1.0] * 3)
    assert len(llm.requests) == 1


def test_the_prompt_tells_the_target_the_sections_and_the_place() -> None:
    text = PairPrompt().of(ENTITY, PAGE).text(1, 2)
    for part in ("'Railway'", "Railway signal", "signals; semaphore", "A signal tells a driver to stop."):
        assert part in text
    first, second = text[text.index("Passage A,") :].split("\nPassage B,")
    assert "from the beginning of the article" in first
    assert "Trains run on rails. <place>They carry coal.</place>" in first
    assert "from the section 'Safety'" in second
    assert "<place>A signal stops them.</place> Brakes help, too." in second
    assert text.endswith("Output Passage A or Passage B, and nothing else.")


def test_a_long_passage_loses_its_ends_and_never_the_place() -> None:
    article = page(" ".join(f"This is sentence number {number} of many." for number in range(30)))
    prompt = PairPrompt(most_of_passage=120, most_of_lead=20)
    text = prompt.of(Entity("X", "word " * 100), article).text(10, 0)
    assert "<place>This is sentence number 10 of many.</place>" in text
    assert "…" in text
    assert len(text) < 1200
    longest = prompt.of(Entity("X"), page("word " * 1000 + "end.")).passages
    assert len(longest[0]) < 150


@pytest.mark.parametrize(
    ("said", "choice"),
    [
        ("Passage A", Choice.A),
        ("passage b.", Choice.B),
        (' **"Passage B"**\n', Choice.B),
        ("B", Choice.B),
        ("(A)", Choice.A),
        ("Passage: A", Choice.A),
        ("Passage A\n\nIt names the signal.", Choice.A),
        ("Passage A is better", Choice.NEITHER),
        ("Passages A", Choice.NEITHER),
        ("Passage AB", Choice.NEITHER),
        ("Neither", Choice.NEITHER),
        ("A B", Choice.NEITHER),
        ("", Choice.NEITHER),
        ("<html>", Choice.NEITHER),
    ],
)
def test_only_a_passages_name_is_a_choice(said: str, choice: Choice) -> None:
    assert choice_in(said) is choice


def test_each_request_is_a_short_chat_completion_with_the_key(llm: ScriptedLlm) -> None:
    with open_llm_pairwise(settings(llm, base_url=llm.base_url + "/", key=KEY)) as ranker:
        ranker.score(ENTITY, PAGE)
    for path, body, headers, _ in llm.requests:
        assert path == "/v1/chat/completions"
        assert (body["model"], body["temperature"], body["max_tokens"]) == ("small", 0, 8)
        assert headers["Authorization"] == f"Bearer {KEY}"
        assert headers["User-Agent"].startswith("linkspot/")
    assert ranker.tally.tokens_in == sum(len(request.prompt) // 4 for request in llm.requests)
    assert ranker.tally.tokens_out == 3 * len(llm.requests)


def test_fields_join_replace_or_leave_out_what_a_request_says(llm: ScriptedLlm) -> None:
    fields = {"max_tokens": None, "max_completion_tokens": 500, "temperature": 1}
    with open_llm_pairwise(settings(llm, fields=fields)) as ranker:
        ranker.score(ENTITY, PAGE)
    body = llm.requests[0].body
    assert "max_tokens" not in body
    assert (body["max_completion_tokens"], body["temperature"]) == (500, 1)
    assert "Authorization" not in llm.requests[0].headers


def test_half_a_character_in_a_page_is_no_trouble(ranker: LlmPairwiseRanker) -> None:
    assert len(ranker.score(Entity("\ud83d signal", "\udc00"), PAGE).places) == COUNT


# What is kept


def test_an_answer_is_never_asked_for_twice_in_any_run(llm: ScriptedLlm, tmp_path: Path) -> None:
    with asking(llm, tmp_path / "new" / "answers.sqlite") as ranker:
        first = ranker.score(ENTITY, PAGE).places
        assert ranker.score(ENTITY, PAGE).places == first
    assert len(llm.requests) == COUNT * (COUNT - 1)
    with asking(llm, tmp_path / "new" / "answers.sqlite") as ranker:
        assert ranker.score(ENTITY, PAGE).places == first
        assert (ranker.tally.calls, ranker.tally.kept) == (0, COUNT * (COUNT - 1))
    assert len(llm.requests) == COUNT * (COUNT - 1)


def test_a_file_of_answers_tells_how_much_of_it_is_nonsense(llm: ScriptedLlm, tmp_path: Path) -> None:
    with asking(llm, tmp_path / "answers") as ranker:
        ranker.score(ENTITY, PAGE)
    used = f"with {sum(len(request.prompt) // 4 for request in llm.requests):,} tokens in and 36 out"
    assert report(tmp_path / "answers") == f"12 answers are kept, {used}; all name a passage"
    llm.judge = lambda _a, _b: "I cannot say. " * 20
    with asking(llm, tmp_path / "answers") as ranker:
        ranker.score(Entity("Brake"), PAGE)
    assert "24 answers are kept" in report(tmp_path / "answers")
    shown = ("I cannot say. " * 20)[:60]
    assert report(tmp_path / "answers").endswith(f"; 12 name neither passage and make a tie, for example {shown!r}")


def test_another_model_or_prompt_is_asked_anew(llm: ScriptedLlm, tmp_path: Path) -> None:
    path, calls = tmp_path / "answers.sqlite", COUNT * (COUNT - 1)
    for number, (model, target) in enumerate([("small", "Signal"), ("large", "Signal"), ("large", "Brake")], start=1):
        with open_llm_pairwise(settings(llm, model=model), path) as ranker:
            ranker.score(Entity(target), PAGE)
        assert len(llm.requests) == number * calls


def test_answers_before_a_failure_are_kept(llm: ScriptedLlm, tmp_path: Path) -> None:
    said = iter(range(100))

    def judge(a: str, b: str) -> str:
        if next(said) == 7:
            llm.troubles = [Trouble(400, {"error": {"message": "no more"}})] * 100
        return prefer_longer(a, b)

    llm.judge = judge
    with asking(llm, tmp_path / "answers") as ranker, pytest.raises(UnusableInput, match="no more"):
        ranker.score(ENTITY, PAGE)
    with AnswerCache(tmp_path / "answers") as cache:
        assert len(cache) >= 8
    llm.troubles, llm.judge = [], prefer_longer
    before = len(llm.requests)
    with asking(llm, tmp_path / "answers") as ranker:
        ranker.score(ENTITY, PAGE)
    assert len(llm.requests) - before <= COUNT * (COUNT - 1) - 8


def test_a_file_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    text, other = tmp_path / "notes.txt", tmp_path / "other.sqlite"
    text.write_text("Dear diary, " * 100, encoding="utf-8")
    with closing(sqlite3.connect(other)) as file:
        file.execute("CREATE TABLE answers (a)")
    before = other.read_bytes()
    with pytest.raises(UnusableInput, match=r"notes\.txt does not hold answers that can be read .*; name a new file"):
        AnswerCache(text)
    with pytest.raises(UnusableInput, match=r"other\.sqlite is the database of another program; name a new file"):
        AnswerCache(other)
    assert (text.read_text(encoding="utf-8"), other.read_bytes()) == ("Dear diary, " * 100, before)


def test_a_folder_where_nothing_can_be_kept_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file" / "answers"):
        with pytest.raises(UnwritableTable, match="cannot keep answers: ") as failure:
            AnswerCache(path)
        assert "\n" not in str(failure.value)


# How much is asked at once, and in all


@pytest.mark.parametrize("at_once", [1, 3])
def test_no_more_calls_are_under_way_than_allowed(llm: ScriptedLlm, at_once: int) -> None:
    llm.seconds = 0.05
    with asking(llm, at_once=at_once) as ranker:
        ranker.score(ENTITY, PAGE)
    assert llm.most_at_once == at_once


def test_a_query_beyond_the_calls_allowed_is_not_begun(llm: ScriptedLlm, tmp_path: Path) -> None:
    with asking(llm, tmp_path / "answers", max_calls=30) as ranker:
        for target in ("One", "Two"):
            ranker.score(Entity(target), PAGE)
        with pytest.raises(BrokenRun, match=r"24 of at most 30 calls .* next query takes 12; .*--max-calls") as failure:
            ranker.score(Entity("Three"), PAGE)
        assert "\n" not in str(failure.value)
        assert len(llm.requests) == 24
    with asking(llm, tmp_path / "answers", max_calls=12) as ranker:
        for target in ("Three", "One", "Two"):  # the last two are kept, and cost nothing
            ranker.score(Entity(target), PAGE)
    assert len(llm.requests) == 36


@pytest.mark.parametrize("changes", [{"at_once": 0}, {"max_calls": -1}])
def test_limits_that_allow_nothing_at_all_are_refused(llm: ScriptedLlm, changes: dict[str, int]) -> None:
    with Endpoint(settings(llm)) as endpoint, AnswerCache() as cache, pytest.raises(UnusableInput, match="at least 1"):
        LlmPairwiseRanker(endpoint, cache, **changes)


def test_the_estimate_is_what_is_asked_then(llm: ScriptedLlm, ranker: LlmPairwiseRanker) -> None:
    queries = [
        (ENTITY, PAGE),
        (Entity("Brake"), page(TEXT + "\nAnd more.")),
        (ENTITY, page("One.")),
        (ENTITY, page("")),
    ]
    expected = estimate(queries, ranker.prompt, max_tokens=8)
    for query in queries:
        ranker.score(*query)
    assert expected.queries == 4
    assert expected.calls == len(llm.requests) == 12 + 20
    assert expected.tokens_out == 32 * 8
    real = sum(tokens_in(request.prompt) for request in llm.requests)
    assert expected.tokens_in == pytest.approx(real + 10 * 32, rel=0.02)


def test_the_estimate_of_a_cascade_counts_its_best_alone(llm: ScriptedLlm, ranker: LlmPairwiseRanker) -> None:
    assert estimate([(ENTITY, PAGE)], PairPrompt(), 8, best=3).calls == 6
    scores = CascadeRanker(BM25Ranker(), ranker, best=3).score(ENTITY, PAGE)
    assert len(llm.requests) == 6
    assert len(scores.places) == COUNT
    assert min(scores.places) < scores.nowhere


def test_an_estimate_in_money_takes_prices_of_a_million_tokens() -> None:
    found = CostEstimate(queries=10, calls=300, tokens_in=2_000_000, tokens_out=3_000)
    assert found.cost(0.5, 2.0) == pytest.approx(1.006)
    assert str(found) == "10 queries take 300 calls, with about 2,000,000 tokens in and at most 3,000 out"


# Endpoints that are busy, silent or no endpoints


@pytest.mark.parametrize(
    "trouble",
    [
        Trouble(429, {"error": {"message": "slow down"}}),
        Trouble(500, "<html>oops"),
        Trouble(503),
        Trouble(529, "overloaded"),
        Trouble(seconds=0.6),
    ],
    ids=["429", "500", "503", "529", "slow"],
)
def test_a_busy_or_slow_endpoint_is_asked_again(llm: ScriptedLlm, trouble: Trouble) -> None:
    llm.troubles = [trouble] * 3
    with open_llm_pairwise(settings(llm, seconds=0.3)) as ranker:
        assert sum(ranker.score(ENTITY, PAGE).places) == pytest.approx(6)
        assert ranker.tally.calls == 12
    assert len(llm.requests) == 15


@pytest.mark.parametrize("is_date", [False, True])
def test_the_pause_that_an_endpoint_asks_for_is_kept(llm: ScriptedLlm, is_date: bool) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)  # dates have whole seconds
    llm.troubles = [Trouble(429, "", {"Retry-After": later if is_date else "0.9"})]
    with asking(llm, at_once=1) as ranker:
        ranker.score(ENTITY, PAGE)
    assert 0.85 < llm.requests[1].time - llm.requests[0].time < 3


def test_pauses_grow_from_try_to_try(llm: ScriptedLlm) -> None:
    llm.troubles = [Trouble(500)] * 3
    with open_llm_pairwise(settings(llm, first_pause=0.1), at_once=1) as ranker:
        ranker.score(ENTITY, PAGE)
    times = [request.time for request in llm.requests[:4]]
    pauses = [after - before for before, after in pairwise(times)]
    assert pauses[0] >= 0.1
    assert pauses[1] >= 0.2
    assert pauses[2] >= 0.4


def test_an_endpoint_that_stays_busy_is_given_up_in_one_line(llm: ScriptedLlm) -> None:
    llm.troubles = [Trouble(429, {"error": {"message": "You exceeded\nyour quota."}})] * 100
    wanted = r"/v1/chat/completions does not answer \(HTTP 429, 'You exceeded your quota.'\); answers so far are kept"
    with asking(llm, at_once=1, tries=3) as ranker, pytest.raises(BrokenRun, match=wanted) as failure:
        ranker.score(ENTITY, PAGE)
    assert "\n" not in str(failure.value)
    assert len(llm.requests) == 3


def test_a_pause_beyond_patience_ends_the_run_at_once(llm: ScriptedLlm) -> None:
    llm.troubles = [Trouble(429, "", {"Retry-After": "3600"})] * 4
    start = time.monotonic()
    with asking(llm) as ranker, pytest.raises(BrokenRun, match="HTTP 429, nothing else, and a pause of 3,600 s is due"):
        ranker.score(ENTITY, PAGE)
    assert time.monotonic() - start < 3


def test_one_failure_ends_the_waiting_of_the_others(llm: ScriptedLlm) -> None:
    llm.troubles = [*[Trouble(429, "", {"Retry-After": "60"})] * 3, Trouble(401, {"error": "no such key"}, {}, 0.2)]
    start = time.monotonic()
    with asking(llm) as ranker, pytest.raises(UnusableInput, match="no such key"):
        ranker.score(ENTITY, PAGE)
    assert time.monotonic() - start < 5


def test_an_endpoint_that_is_not_there_is_told_in_one_line() -> None:
    nowhere = EndpointSettings("http://127.0.0.1:9/v1", "small", tries=2, first_pause=0.01)
    with (
        open_llm_pairwise(nowhere) as ranker,
        pytest.raises(BrokenRun, match=r"127\.0\.0\.1:9/v1/chat/completions does not answer \(.+\)") as failure,
    ):
        ranker.score(ENTITY, PAGE)
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (Trouble(200, "<!doctype html>\n<title>Welcome</title>"), r"HTTP 200, '<!doctype html> <title>Welcome.*/v1"),
        (Trouble(200, ""), "HTTP 200, nothing else; is the base URL right"),
        (Trouble(200, "[1, 2]"), r"HTTP 200, '\[1, 2\]'"),
        (Trouble(200, "[" * 100_000), "HTTP 200, "),
        (Trouble(200, {}), r"HTTP 200, '\{\}'"),
        (Trouble(200, {"choices": []}), r"HTTP 200, '\{\"choices\": \[\]\}'"),
        (Trouble(200, {"choices": [None]}), "HTTP 200"),
        (Trouble(200, {"choices": [{"message": "Passage A"}]}), "HTTP 200"),
        (Trouble(200, {"error": {"message": "model is loading"}}), "HTTP 200, 'model is loading'"),
        (Trouble(301, "", {"Location": "https://example.org/"}), "HTTP 301, 'https://example.org/'; is the base URL"),
        (Trouble(400, {"error": {"message": "prompt too long"}}), "HTTP 400, 'prompt too long'$"),
        (Trouble(402, {"choices": [{"message": {"content": "Passage A"}}]}), "HTTP 402, "),
        (Trouble(401, {"error": {"message": f"wrong key {KEY}"}}), "HTTP 401, 'wrong key …'; .*LINKSPOT_LLM_KEY"),
        (Trouble(403, "forbidden"), "HTTP 403, 'forbidden'; may this key"),
        (Trouble(404, {"detail": "Not Found"}), "HTTP 404, 'Not Found'; is the base URL right"),
        (Trouble(422, "x" * 5000), f"HTTP 422, '{'x' * 160}…'$"),
    ],
)
def test_what_is_no_endpoint_or_refuses_is_told_in_one_line(llm: ScriptedLlm, trouble: Trouble, told: str) -> None:
    llm.troubles = [trouble] * 100
    with (
        open_llm_pairwise(settings(llm, key=KEY)) as ranker,
        pytest.raises(UnusableInput, match=f"/v1/chat/completions gives no chat completion: {told}") as failure,
    ):
        ranker.score(ENTITY, PAGE)
    assert "\n" not in str(failure.value)
    assert len(llm.requests) <= 4


@pytest.mark.parametrize("usage", [None, [], {}, {"prompt_tokens": "many", "completion_tokens": 10**30}])
def test_an_endpoint_need_not_tell_what_it_used(llm: ScriptedLlm, usage: object) -> None:
    llm.troubles = [Trouble(body={"choices": [{"message": {"content": "Passage A"}}], "usage": usage})] * 100
    with asking(llm) as ranker:
        ranker.score(ENTITY, PAGE)
        assert (ranker.tally.tokens_in, ranker.tally.tokens_out) == (0, 0)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"base_url": "api.openai.com/v1"}, "'api.openai.com/v1' is not the address of an endpoint; expected one like"),
        ({"model": " "}, "no model is named for"),
        ({"key": "sk-\n"}, "the endpoint's key has characters that no header can hold"),
        ({"key": "schlüssel"}, "the endpoint's key has characters that no header can hold"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(changes: dict[str, str], told: str) -> None:
    with pytest.raises(UnusableInput, match=told) as failure:
        EndpointSettings(**{"base_url": "http://127.0.0.1:9/v1", "model": "small", **changes})
    assert changes.get("key", "?!") not in str(failure.value)


def test_an_address_that_is_none_is_told_in_one_line() -> None:
    for address in ("http://", "http://[::1", "http://exa mple/v1", "http://127.0.0.1:99999/v1"):
        broken = EndpointSettings(address, "small", tries=1)
        with open_llm_pairwise(broken) as ranker, pytest.raises(LinkspotError) as failure:
            ranker.score(ENTITY, PAGE)
        assert "\n" not in str(failure.value)


def test_the_key_is_never_shown() -> None:
    assert KEY not in repr(EndpointSettings("http://127.0.0.1:9/v1", "small", KEY))
