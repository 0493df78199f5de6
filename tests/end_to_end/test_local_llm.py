"""Pairwise prompting against a real small model, which llama.cpp serves on this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.local_llm import LocalModel, missing, served

from linkspot.errors import UnusableInput
from linkspot.parsing import parse
from linkspot.ranking.bm25 import BM25Ranker
from linkspot.ranking.cascade import CascadeRanker
from linkspot.ranking.llm.cache import AnswerCache
from linkspot.ranking.llm.cost import estimate
from linkspot.ranking.llm.endpoint import Endpoint, EndpointSettings
from linkspot.ranking.llm.pairwise import LlmPairwiseRanker, open_llm_pairwise
from linkspot.ranking.llm.prompt import PairPrompt
from linkspot.records import Entity, Markup, Page

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]
TEXT = "Cats sleep all day.\n\nA signal tells the driver of a train to stop.\n\nBread is baked in an oven.\n\nIt rains."
PAGE = parse(Page("Morning", TEXT, Markup.MARKDOWN, "en"))
ENTITY = Entity("Railway signal", "A railway signal tells a driver whether the line ahead is clear.", ("signals",))


@pytest.fixture(scope="module")
def model() -> Iterator[LocalModel]:
    with served() as model:
        yield model


def test_a_real_model_judges_every_pair_once_in_words_that_are_understood(model: LocalModel, tmp_path: Path) -> None:
    settings = EndpointSettings(model.base_url, model.name)
    with open_llm_pairwise(settings, tmp_path / "answers.sqlite") as ranker:
        scores = ranker.score(ENTITY, PAGE).places
        expected = estimate([(ENTITY, PAGE)], ranker.prompt, settings.max_tokens)
        assert sum(scores) == pytest.approx(6)
        assert ranker.tally.nonsense == 0
        assert ranker.tally.calls == expected.calls == 12
        assert ranker.tally.tokens_in == pytest.approx(expected.tokens_in, rel=0.2)
        assert 12 <= ranker.tally.tokens_out <= expected.tokens_out
    with open_llm_pairwise(settings, tmp_path / "answers.sqlite", max_calls=0) as ranker:
        assert ranker.score(ENTITY, PAGE).places == scores


def test_behind_a_cheap_ranker_it_judges_the_best_alone(model: LocalModel) -> None:
    with open_llm_pairwise(EndpointSettings(model.base_url, model.name), max_calls=2) as ranker:
        scores = CascadeRanker(BM25Ranker(), ranker, best=2).score(ENTITY, PAGE).places
        assert ranker.tally.calls == 2
    assert min(scores[:2]) > max(scores[2:])


def test_an_address_that_a_real_server_does_not_know_is_told_in_one_line(model: LocalModel) -> None:
    with (
        open_llm_pairwise(EndpointSettings(model.base_url + "/v2", model.name)) as ranker,
        pytest.raises(UnusableInput, match="v2/chat/completions gives no chat completion: HTTP 404") as failure,
    ):
        ranker.score(ENTITY, PAGE)
    assert "\n" not in str(failure.value)


def test_a_prompt_that_a_real_model_cannot_hold_is_told_in_one_line(model: LocalModel) -> None:
    endpoint = Endpoint(EndpointSettings(model.base_url, model.name))
    with (
        LlmPairwiseRanker(endpoint, AnswerCache(), PairPrompt(most_of_lead=100_000)) as ranker,
        pytest.raises(UnusableInput, match=r"gives no chat completion: HTTP 400, '.*context") as failure,
    ):
        ranker.score(Entity("Signal", "stop " * 9000), PAGE)
    assert "\n" not in str(failure.value)
