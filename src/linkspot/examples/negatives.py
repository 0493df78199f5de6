"""Negatives: the wrong candidates that a window is trained against, hard ones from its own page first."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Protocol

from linkspot.errors import UnusableInput
from linkspot.examples.candidates import CONTEXT_SENTENCES, Candidate, candidates
from linkspot.examples.context_removal import Problem
from linkspot.records import Article, Entity
from linkspot.text.mentions import MentionFinder

NEGATIVES = 9  # the paper's choice
_TRIES = 4  # elsewhere, for each negative that is missing

Elsewhere = Callable[[Random], Candidate]


class Pages(Protocol):
    """Articles by number."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def article(self, number: int) -> Article:
        """Return one of them."""
        ...


@dataclass(frozen=True, slots=True)
class WindowProblem:
    """A right candidate and the wrong ones that it is to win against; `missing` negatives could not be found."""

    entity: Entity
    positive: Candidate
    negatives: tuple[Candidate, ...]
    missing: int = 0


def elsewhere_in(pages: Pages, context_sentences: int = CONTEXT_SENTENCES) -> Elsewhere:
    """Return what draws a candidate from a page that is drawn from these; each of them has a sentence."""
    return lambda draw: draw.choice(candidates(pages.article(draw.randrange(len(pages))), context_sentences))


def window_problem(
    problem: Problem,
    draw: Random,
    count: int = NEGATIVES,
    *,
    elsewhere: Elsewhere,
    finder: MentionFinder,
    context_sentences: int = CONTEXT_SENTENCES,
) -> WindowProblem | None:
    """Draw negatives for one of the right candidates; returns nothing where the page has no right one.

    Decoys come first, then the rest of the page, then candidates from elsewhere. None has a context that names the
    target, as far as the finder knows.
    """
    if count < 1:
        raise UnusableInput(f"a window is trained against 1 negative or more, not {count}")
    if not problem.example.gold:
        return None
    page = candidates(problem.example.article, context_sentences)
    hard = list(islice(_hard(problem, page, finder, draw), count))
    easy = _easy(elsewhere, finder, draw, count - len(hard))
    negatives = (*hard, *easy)
    positive = page[draw.choice(problem.example.gold)]
    return WindowProblem(problem.example.entity, positive, negatives, count - len(negatives))


def _hard(problem: Problem, page: list[Candidate], finder: MentionFinder, draw: Random) -> Iterator[Candidate]:
    gold = problem.example.gold
    apart = {*gold, *problem.decoys}
    others = [number for number in range(len(page)) if number not in apart]
    decoys = draw.sample(problem.decoys, len(problem.decoys))
    draw.shuffle(others)
    naming = problem.ignored.union(number for number in gold if finder.find(page[number].sentence.text))
    for number in (*decoys, *others):
        candidate = page[number]
        start = number - candidate.sentence_index  # of its section
        context = range(start + candidate.first, start + candidate.last + 1)
        # Most contexts that name the target do so in one sentence, and that is known already.
        if naming.isdisjoint(context) and not finder.find(candidate.context):
            yield candidate


def _easy(elsewhere: Elsewhere, finder: MentionFinder, draw: Random, count: int) -> list[Candidate]:
    found: list[Candidate] = []
    for _ in range(_TRIES * count):
        candidate = elsewhere(draw)
        if candidate not in found and not finder.find(candidate.context):
            found.append(candidate)
            if len(found) == count:
                break
    return found
