"""Pairwise prompting of a small local model on real insertions, compared with BM25, whose best places it reorders."""

import random
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from bench.dual_head import real_insertions
from bench.encoders import CACHE
from bench.local_llm import missing, served
from linkspot.examples.dataset_reader import InsertionExample, Insertions
from linkspot.metrics.metrics import RightRanks, hits_at, reciprocal_rank
from linkspot.ranking.bm25 import BM25Ranker
from linkspot.ranking.cascade import CascadeRanker
from linkspot.ranking.llm.cache import AnswerCache
from linkspot.ranking.llm.cost import CostEstimate, estimate
from linkspot.ranking.llm.endpoint import Endpoint, EndpointSettings
from linkspot.ranking.llm.pairwise import LlmPairwiseRanker, Tally
from linkspot.ranking.llm.prompt import PairPrompt
from linkspot.records import Scenario

QUERIES = 100
BEST = 4  # places of BM25 to reorder, which takes 12 calls
MINUTES = 40  # the longest run; the next run continues, since answers are kept
PROMPT = PairPrompt(context_sentences=1, most_of_passage=300, most_of_lead=200)  # short, for a CPU
_ROUND = 2  # digits; tie-breaks are much smaller than that
_SECONDS_FOR_AN_ANSWER = 600.0
_SEED = 0


@dataclass(frozen=True)
class RankedInsertion:
    """The scores that each way of ranking gives to the places of one insertion."""

    insertion: InsertionExample
    scores: dict[str, Sequence[float]]
    chance: float  # that a right place comes first if BM25's best are shuffled


def measure() -> str:
    """Return a table of Hits@1 and MRR, and facts about the calls to the model."""
    if reason := missing():
        return f"Not measured: {reason}."
    queries = _queries()
    with served() as model:
        settings = EndpointSettings(model.base_url, model.name, seconds=_SECONDS_FOR_AN_ANSWER)
        cache = AnswerCache(CACHE / "llm-answers.sqlite")
        with LlmPairwiseRanker(Endpoint(settings), cache, PROMPT, at_once=2) as ranker:
            rankings = _ranked(queries, ranker)
    expected = estimate(
        ((ranking.insertion.example.entity, ranking.insertion.example.article) for ranking in rankings),
        PROMPT,
        settings.max_tokens,
        BEST,
    )
    return "\n".join([*_table(rankings), "", *_facts(rankings, ranker.tally, expected, model.name)])


def _queries() -> list[InsertionExample]:
    """Draw insertions of the validation split that have a right place, from all languages."""
    answerable = [insertion for insertion in Insertions(real_insertions(), "validation") if insertion.gold]
    return random.Random(_SEED).sample(answerable, QUERIES)


def _ranked(queries: Sequence[InsertionExample], ranker: LlmPairwiseRanker) -> list[RankedInsertion]:
    """Rank queries one after the other until the time is up."""
    bm25, rankings = BM25Ranker(), list[RankedInsertion]()
    end = time.monotonic() + 60 * MINUTES
    for query in queries:
        if time.monotonic() > end:
            break
        entity, article, gold = query.example.entity, query.example.article, set(query.example.gold)
        first = bm25.score(entity, article).places
        second = CascadeRanker(bm25, ranker, BEST).score(entity, article).places
        best = set(sorted(range(len(first)), key=lambda number: (-first[number], number))[:BEST])
        ways = {
            "BM25": first,
            "pairwise, ties in the order of BM25": second,
            "pairwise, ties against it": [round(score, _ROUND) for score in second],
            f"the best that {BEST} of BM25 allow": [float(number in gold & best) for number in range(len(first))],
        }
        rankings.append(RankedInsertion(query, ways, len(gold & best) / len(best)))
        print(f"{len(rankings)} of {len(queries)} queries, {ranker.tally}", file=sys.stderr, flush=True)
    return rankings


def _table(rankings: Sequence[RankedInsertion]) -> list[str]:
    is_present = [ranking.insertion.scenario is Scenario.TEXT_PRESENT for ranking in rankings]
    groups = {
        "overall": list(rankings),
        "Present": [ranking for ranking, present in zip(rankings, is_present, strict=True) if present],
        "Missing": [ranking for ranking, present in zip(rankings, is_present, strict=True) if not present],
    }
    heads = [f"{name} ({len(group)})" for name, group in groups.items()]
    rows = [f"| Hits@1 / MRR | {' | '.join(heads)} |", "| --- |" + " ---: |" * len(heads)]
    for way in rankings[0].scores:
        cells = [_mean(way, group) for group in groups.values()]
        rows.append(f"| {way} | {' | '.join(cells)} |")
    return rows


def _mean(way: str, group: Sequence[RankedInsertion]) -> str:
    if not group:
        return ""
    ranks = RightRanks.of((ranking.scores[way], ranking.insertion.gold) for ranking in group)
    return f"{hits_at(ranks, 1).mean():.3f} / {reciprocal_rank(ranks).mean():.3f}"


def _facts(rankings: Sequence[RankedInsertion], tally: Tally, expected: CostEstimate, model: str) -> list[str]:
    actual = f", {tally.tokens_in:,} in fact" if tally.calls == expected.calls else ""
    chance = statistics.mean(ranking.chance for ranking in rankings)
    return [
        f"{model} on {len(rankings)} of {QUERIES} validation insertions, drawn by a seed from all languages;",
        f"each has a right place. It reorders the {BEST} best of BM25, which in random order would reach a Hits@1",
        f"of {chance:.3f}. A prompt shows one sentence on each side of the candidate.",
        f"The estimate: {expected}{actual}.",
        f"The result: {tally}.",
    ]
