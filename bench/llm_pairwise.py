"""What a small local model reaches by pairwise prompting on real insertions, beside the BM25 whose best it orders."""

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
BEST = 4  # of BM25, which makes 12 calls
MINUTES = 40  # a run takes no longer; the next goes on, as answers are kept
PROMPT = PairPrompt(context_sentences=1, most_of_passage=300, most_of_lead=200)  # short, for a CPU
_ROUND = 2  # the tie-breaks are far behind this digit
_SECONDS_FOR_AN_ANSWER = 600.0
_SEED = 0


@dataclass(frozen=True)
class RankedInsertion:
    """What each way of ranking gives to the places of one insertion."""

    insertion: InsertionExample
    scores: dict[str, Sequence[float]]
    chance: float  # of a right place to come first, if the best of BM25 stood in any order


def measure() -> str:
    """Return a table of Hits@1 and MRR, and what the model was asked and said."""
    if reason := missing():
        return f"Not measured: {reason}."
    queries = _queries()
    with served() as model:
        settings = EndpointSettings(model.base_url, model.name, seconds=_SECONDS_FOR_AN_ANSWER)
        cache = AnswerCache(CACHE / "llm-answers.sqlite")
        with LlmPairwiseRanker(Endpoint(settings), cache, PROMPT, at_once=2) as ranker:
            found = _ranked(queries, ranker)
    expected = estimate(
        ((one.insertion.example.entity, one.insertion.example.article) for one in found),
        PROMPT,
        settings.max_tokens,
        BEST,
    )
    return "\n".join([*_table(found), "", *_story(found, ranker.tally, expected, model.name)])


def _queries() -> list[InsertionExample]:
    """Return insertions of the validation split that have a right place, drawn by a seed from all languages."""
    some = [one for one in Insertions(real_insertions(), "validation") if one.example.gold]
    return random.Random(_SEED).sample(some, QUERIES)


def _ranked(queries: Sequence[InsertionExample], ranker: LlmPairwiseRanker) -> list[RankedInsertion]:
    """Return how queries were ranked, one after the other, as far as the time goes."""
    bm25, found = BM25Ranker(), list[RankedInsertion]()
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
        found.append(RankedInsertion(query, ways, len(gold & best) / len(best)))
        print(f"{len(found)} of {len(queries)} queries, {ranker.tally}", file=sys.stderr, flush=True)
    return found


def _table(found: Sequence[RankedInsertion]) -> list[str]:
    groups = {
        "overall": list(found),
        "Present": [one for one in found if one.insertion.scenario is Scenario.TEXT_PRESENT],
        "Missing": [one for one in found if one.insertion.scenario is not Scenario.TEXT_PRESENT],
    }
    heads = [f"{name} ({len(group)})" for name, group in groups.items()]
    rows = [f"| Hits@1 / MRR | {' | '.join(heads)} |", "| --- |" + " ---: |" * len(heads)]
    for way in found[0].scores:
        told = [_mean(way, group) for group in groups.values()]
        rows.append(f"| {way} | {' | '.join(told)} |")
    return rows


def _mean(way: str, group: Sequence[RankedInsertion]) -> str:
    if not group:
        return ""
    ranks = RightRanks.of((one.scores[way], one.insertion.example.gold) for one in group)
    return f"{hits_at(ranks, 1).mean():.3f} / {reciprocal_rank(ranks).mean():.3f}"


def _story(found: Sequence[RankedInsertion], tally: Tally, expected: CostEstimate, model: str) -> list[str]:
    real = f", {tally.tokens_in:,} in truth" if tally.calls == expected.calls else ""
    chance = statistics.mean(one.chance for one in found)
    return [
        f"{model} on {len(found)} of {QUERIES} insertions that validate, drawn by a seed from all",
        f"languages; each has a right place. It orders the {BEST} best of BM25, which by chance would reach a Hits@1",
        f"of {chance:.3f}. A prompt shows one sentence on each side of the candidate.",
        f"The estimate said: {expected}{real}.",
        f"What came back: {tally}.",
    ]
