"""What all pairs will cost, estimated before the first call."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from linkspot.ranking.llm.prompt import PairPrompt, PairTexts
from linkspot.records import Article, Entity

_FRAME_OF_CHAT = 10  # tokens that an endpoint puts around a message
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """How many calls some queries take, and about how many tokens; answers that are already kept cost nothing."""

    queries: int
    calls: int
    tokens_in: int
    tokens_out: int

    def cost(self, per_million_in: float, per_million_out: float) -> float:
        """Return the money, in the currency of these prices for a million tokens."""
        return (self.tokens_in * per_million_in + self.tokens_out * per_million_out) / _MILLION

    def __str__(self) -> str:
        return (
            f"{self.queries:,} queries take {self.calls:,} calls, with about {self.tokens_in:,} tokens in "
            f"and at most {self.tokens_out:,} out"
        )


def estimate(
    queries: Iterable[tuple[Entity, Article]], prompt: PairPrompt, max_tokens: int, best: int | None = None
) -> CostEstimate:
    """Return what all pairs of each query take: n (n - 1) calls for n candidates, or for the `best` of a cascade."""
    count = calls = tokens = 0
    for entity, article in queries:
        texts = prompt.of(entity, article)
        shown = len(texts) if best is None else min(best, len(texts))
        calls_of_query = shown * (shown - 1)
        count += 1
        calls += calls_of_query
        tokens += round(calls_of_query * _tokens_per_call(texts))
    return CostEstimate(count, calls, tokens, calls * max_tokens)


def tokens_in(text: str) -> float:
    """Return about how many tokens a text has: a quarter of its Latin letters, half of other letters, all Han or Kana.

    Tokenizers differ; this holds for those of large multilingual models to within a fifth.
    """
    latin = sum(character < "\u0250" for character in text)
    east_asian = sum("\u2e80" <= character < "\ua000" or "\uac00" <= character < "\ud7b0" for character in text)
    return latin / 4 + (len(text) - latin - east_asian) / 2 + east_asian


def _tokens_per_call(texts: PairTexts) -> float:
    """Return the tokens of a call on average: each candidate stands in as many prompts as any other."""
    if not len(texts):
        return 0.0
    passages = math.fsum(tokens_in(texts.passage("A", number)) for number in range(len(texts)))
    return _FRAME_OF_CHAT + tokens_in(texts.frame) + 2 * passages / len(texts)
