"""Negatives: the wrong candidates that a right one is trained against, hard ones from its own page first."""

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
TRIES = 4  # draws from other pages, for each negative that is missing

Elsewhere = Callable[[Random], Candidate]  # draws a candidate from any page


class Pages(Protocol):
    """Articles by number."""

    def __len__(self) -> int:
        """Return the number of articles."""
        ...

    def article(self, number: int) -> Article:
        """Return the article of this number."""
        ...


@dataclass(frozen=True, slots=True)
class WindowProblem:
    """A right candidate and its negatives; `missing` is how many negatives could not be found.

    `source` is the page that lacks the link, as the right candidate shows it.
    """

    entity: Entity
    positive: Candidate
    negatives: tuple[Candidate, ...]
    missing: int
    source: Article


def elsewhere_in(pages: Pages, context_sentences: int = CONTEXT_SENTENCES) -> Elsewhere:
    """Return a function that draws a page, then one of its candidates; every page must have a sentence."""
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
    """Draw negatives for one of the right candidates; returns nothing if the page has no right one.

    They come from the page, then from other pages. No negative has a context that names the target, as far as the
    finder knows.
    """
    if count < 1:
        raise UnusableInput(f"a window is trained against {count} negatives; expected 1 or more")
    if not problem.example.gold:
        return None
    page = candidates(problem.example.article, context_sentences)
    hard = list(islice(_hard(problem, page, finder, draw), count))
    easy = _easy(elsewhere, finder, draw, count - len(hard))
    negatives = (*hard, *easy)
    positive = page[draw.choice(problem.example.gold)]
    example = problem.example
    return WindowProblem(example.entity, positive, negatives, count - len(negatives), example.article)


def _hard(problem: Problem, page: list[Candidate], finder: MentionFinder, draw: Random) -> Iterator[Candidate]:
    gold = problem.example.gold
    others = [number for number in range(len(page)) if number not in gold]
    draw.shuffle(others)
    naming = problem.ignored.union(number for number in gold if finder.find(page[number].sentence.text))
    for number in others:
        candidate = page[number]
        section_start = number - candidate.sentence_index
        context = range(section_start + candidate.first, section_start + candidate.last + 1)
        # Sentences that name the target are known already, which saves most of the searches.
        if naming.isdisjoint(context) and not finder.find(candidate.context):
            yield candidate


def _easy(elsewhere: Elsewhere, finder: MentionFinder, draw: Random, count: int) -> list[Candidate]:
    negatives: list[Candidate] = []
    for _ in range(TRIES * count):
        candidate = elsewhere(draw)
        if candidate not in negatives and not finder.find(candidate.context):
            negatives.append(candidate)
            if len(negatives) == count:
                break
    return negatives
