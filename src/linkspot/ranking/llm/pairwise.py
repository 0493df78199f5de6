"""Pairwise LLM prompting, PRP-Allpair of Qin et al. (2023): every pair of candidates is judged, in both orders."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import combinations, permutations
from pathlib import Path
from typing import ClassVar

from linkspot.errors import BrokenRun, UnusableInput
from linkspot.ranking.llm.cache import AnswerCache
from linkspot.ranking.llm.endpoint import Endpoint, EndpointSettings, Reply, Request
from linkspot.ranking.llm.prompt import Choice, PairPrompt, PairTexts, choice_in
from linkspot.ranking.ranker import RankerOptions, Reads
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity

_NOWHERE = -1.0  # below any sum of wins
_TIE_BREAK = 1e-9
_SHOWN = 60  # characters of an answer that names no passage

Pair = tuple[int, int]


@dataclass(slots=True)
class Tally:
    """How many questions a ranker has asked so far, and what came back."""

    calls: int = 0  # answers of the endpoint; a repeated call counts once
    kept: int = 0  # answers from earlier runs
    nonsense: int = 0
    pairs: int = 0
    ties: int = 0  # pairs whose two orders do not agree on one candidate
    tokens_in: int = 0
    tokens_out: int = 0
    example: str = ""  # of nonsense

    def __str__(self) -> str:
        return (
            f"{self.calls:,} calls with {self.tokens_in:,} tokens in and {self.tokens_out:,} out, "
            f"{self.kept:,} answers kept from before; {self.ties:,} of {self.pairs:,} pairs are ties; "
            f"of the answers {_described_nonsense(self.nonsense, self.example)}"
        )


@dataclass(frozen=True, slots=True)
class LlmPairwiseRanker:
    """Scores a candidate by its wins: 1 for a rival that it beats in both orders, ½ where the orders disagree.

    Candidates with equal wins keep the order in which they are given. Pairs say which place is better, never that none
    is good, so *nowhere* is below all scores. One thread at a time may use it; it asks `at_once` by itself.
    """

    endpoint: Endpoint
    cache: AnswerCache
    prompt: PairPrompt = field(default_factory=PairPrompt)
    at_once: int = 4
    max_calls: int | None = None
    tally: Tally = field(default_factory=Tally)
    reads: ClassVar[Reads] = Reads.TEXTS

    def __post_init__(self) -> None:
        if self.at_once < 1 or (self.max_calls is not None and self.max_calls < 0):
            raise UnusableInput(
                f"expected at least 1 call at once and at least 0 in all, not {self.at_once} and {self.max_calls}"
            )

    @classmethod
    def of_argument(cls, model: str, options: RankerOptions) -> "LlmPairwiseRanker":
        """Ask the model with this name at the endpoint that the options name."""
        endpoint = EndpointSettings(options.base_url, model, options.key)
        return open_llm_pairwise(endpoint, options.answers, max_calls=options.max_calls)

    def __enter__(self) -> "LlmPairwiseRanker":
        return self

    def __exit__(self, *_: object) -> None:
        self.endpoint.close()
        self.cache.close()

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return one score per candidate; n candidates take n (n - 1) calls."""
        return self.score_some(entity, article, range(len(article.sentences)))

    def score_some(self, entity: Entity, article: Article, numbers: Sequence[int]) -> Scores:
        """Return the scores of the candidates with these numbers, compared only with one another."""
        texts = self.prompt.of(entity, article, numbers)
        self._check_budget(texts)
        choices = self._choices(texts)
        scores = wins(len(texts), choices)
        self.tally.pairs += len(choices) // 2
        self.tally.ties += sum(not _agree(choices, *pair) for pair in combinations(range(len(texts)), 2))
        return Scores(tuple(score - _TIE_BREAK * behind for behind, score in enumerate(scores)), _NOWHERE)

    def _check_budget(self, texts: PairTexts) -> None:
        """Stop before a query that would exceed the allowed calls."""
        most = len(texts) * (len(texts) - 1)
        if self.max_calls is None or self.tally.calls + most <= self.max_calls:
            return
        missing = sum(request not in self.cache for _, request in self._requests(texts))
        if self.tally.calls + missing > self.max_calls:
            raise BrokenRun(
                f"{self.tally.calls:,} of at most {self.max_calls:,} calls are made, and the next query takes "
                f"{missing:,}; answers so far are kept, the same command with a higher --max-calls continues from there"
            )

    def _requests(self, texts: PairTexts) -> Iterator[tuple[Pair, Request]]:
        """Yield what to ask for each pair in each order; pairs with the same A come in a row."""
        for pair in permutations(range(len(texts)), 2):
            yield pair, self.endpoint.request(texts.text(*pair))

    def _choices(self, texts: PairTexts) -> dict[Pair, Choice]:
        """Return what the model prefers for each pair in each order."""
        choices: dict[Pair, Choice] = {}
        waiting: dict[str, list[Pair]] = {}  # twins on a page make the same prompt, which is asked once

        def unanswered() -> Iterator[Request]:
            for pair, request in self._requests(texts):
                prompt = request["messages"][0]["content"]
                if prompt in waiting:
                    waiting[prompt].append(pair)
                elif (reply := self.cache.get(request)) is not None:
                    self.tally.kept += 1
                    choices[pair] = self._judged(reply)
                else:
                    waiting[prompt] = [pair]
                    yield request

        for request, reply in in_parallel(self._ask, unanswered(), self.at_once):
            self.tally.calls += 1
            self.tally.tokens_in += reply.tokens_in
            self.tally.tokens_out += reply.tokens_out
            for pair in waiting.pop(request["messages"][0]["content"]):
                choices[pair] = self._judged(reply)
        return choices

    def _ask(self, request: Request, stopped: threading.Event) -> tuple[Request, Reply]:
        reply = self.endpoint.ask(request, stopped)
        self.cache.put(request, reply)  # at once, even if others fail: it is paid for
        return request, reply

    def _judged(self, reply: Reply) -> Choice:
        choice = choice_in(reply.text)
        if choice is Choice.NEITHER:
            self.tally.nonsense += 1
            self.tally.example = reply.text
        return choice


def open_llm_pairwise(
    endpoint: EndpointSettings,
    answers: Path | None = None,
    *,
    at_once: int = 4,
    max_calls: int | None = None,
) -> LlmPairwiseRanker:
    """Return the ranker that asks an endpoint and keeps the answers in a file, or without one in memory."""
    cache = AnswerCache(answers)
    return LlmPairwiseRanker(Endpoint(endpoint), cache, at_once=at_once, max_calls=max_calls)


def report(answers: Path) -> str:
    """Return in one line how many answers a file holds, from all runs, and how many are nonsense."""
    with AnswerCache(answers) as cache:
        replies = cache.replies()
    nonsense = [reply.text for reply in replies if choice_in(reply.text) is Choice.NEITHER]
    read, written = sum(reply.tokens_in for reply in replies), sum(reply.tokens_out for reply in replies)
    description = _described_nonsense(len(nonsense), *nonsense[:1])
    return f"{len(replies):,} answers are kept, with {read:,} tokens in and {written:,} out; {description}"


def _described_nonsense(count: int, example: str = "") -> str:
    if not count:
        return "all name a passage"
    return f"{count:,} name neither passage and make a tie, for example {example[:_SHOWN]!r}"


def wins(count: int, choices: Mapping[Pair, Choice]) -> list[float]:
    """Return the sum of each candidate's wins: Σ 1 where both orders prefer it, ½ where they do not agree on one."""
    scores = [0.0] * count
    for first, second in combinations(range(count), 2):
        if not _agree(choices, first, second):
            scores[first] += 0.5
            scores[second] += 0.5
        else:
            scores[first if choices[first, second] is Choice.A else second] += 1
    return scores


def _agree(choices: Mapping[Pair, Choice], first: int, second: int) -> bool:
    """Return whether both orders prefer the same candidate, which is A in one of them and B in the other."""
    return {choices[first, second], choices[second, first]} == {Choice.A, Choice.B}


Work = Callable[[Request, threading.Event], tuple[Request, Reply]]


def in_parallel(work: Work, requests: Iterable[Request], at_once: int) -> Iterator[tuple[Request, Reply]]:
    """Yield results as they come, at most `at_once` calls running; the first failure ends the waiting of the others."""
    stopped = threading.Event()
    running: set[Future[tuple[Request, Reply]]] = set()
    with ThreadPoolExecutor(at_once) as pool:
        try:
            for request in requests:
                running.add(pool.submit(work, request, stopped))
                if len(running) == at_once:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        finally:
            stopped.set()
