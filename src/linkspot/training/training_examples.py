"""Training examples: links and insertions of a dataset as inputs of the encoder, drawn again each time."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from linkspot.examples.context_removal import ContextRemoval, Problem, remove_context, without_removal
from linkspot.examples.dataset_reader import ExistingLinks, Insertions
from linkspot.examples.linked_example import LinkedExample, target_finder
from linkspot.examples.negatives import WindowProblem, elsewhere_in, window_problem
from linkspot.examples.page_groups import Forgetting, removed_together
from linkspot.examples.window_removal import removed_windows
from linkspot.model.dual.texts import DualTexts
from linkspot.model.encoder_inputs import EncoderInput, EncoderInputMaker
from linkspot.model.inputs import PageTokens
from linkspot.records import Article, Entity
from linkspot.text.mentions import MentionFinder

Pages = ExistingLinks | Insertions


class InputSource(Protocol):
    """Numbered examples that become inputs of the encoder, drawn again each time."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def encoder_inputs(self, number: int, draw: Random) -> list[EncoderInput]:
        """Return what is learned from an example: an input, none where it teaches nothing, several for one page."""
        ...


class ProblemInputs(Protocol):
    """Turns problems into the inputs of one kind of model."""

    def encoder_input(self, problem: Problem, finder: MentionFinder, pages: Pages, draw: Random) -> EncoderInput | None:
        """Return a problem as an input, or None where this kind of model cannot learn from it."""
        ...

    def link_input(
        self, linked: LinkedExample, removal: ContextRemoval | None, pages: Pages, draw: Random
    ) -> EncoderInput | None:
        """Return an existing link with its context removed as an input."""
        ...


class _WholePages(ABC):
    """Context is removed from the page, which is then read as a whole."""

    def link_input(
        self, linked: LinkedExample, removal: ContextRemoval | None, pages: Pages, draw: Random
    ) -> EncoderInput | None:
        """Return an existing link with its context removed as an input."""
        return self.encoder_input(removed(linked, removal, draw), linked.finder, pages, draw)

    @abstractmethod
    def encoder_input(self, problem: Problem, finder: MentionFinder, pages: Pages, draw: Random) -> EncoderInput | None:
        """Return a problem as an input."""


@dataclass(frozen=True)
class PageInputs(_WholePages):
    """Pages, for `article`; a page with more than `most` sentences (0: no limit) is cut to a stretch of it."""

    maker: EncoderInputMaker
    most: int = 0

    def encoder_input(
        self, problem: Problem, _finder: MentionFinder, _pages: Pages, draw: Random
    ) -> EncoderInput | None:
        """Return the page, unless it has no sentence."""
        example = problem.example
        if not example.article.sentences:
            return None
        inputs = self.maker.inputs
        shown = _shown(problem, inputs.page(example.article), self.most, draw)
        return self.maker.of_page(inputs.target(example.entity), *shown)


def _shown(
    problem: Problem, page: PageTokens, most: int, draw: Random
) -> tuple[PageTokens, tuple[int, ...], frozenset[int]]:
    """Return a page or a stretch of it, and the numbers of its right and its ignored sentences."""
    gold = problem.example.gold
    shown = stretch(len(page.sentences), gold, most, draw)
    return page.stretch(shown), tuple(sorted(_within(gold, shown))), _within(problem.ignored, shown)


def _within(numbers: Iterable[int], shown: range) -> frozenset[int]:
    """Return the numbers that sentences of a page have in a stretch of it; those outside are left out."""
    return frozenset(number - shown.start for number in numbers if number in shown)


def stretch(size: int, gold: Sequence[int], most: int, draw: Random) -> range:
    """Return a stretch of at most so many sentences (0: all), with a right one anywhere in it if there is any."""
    if not gold:
        return stretch_with(size, size - 1, 0, most, draw)  # anywhere
    right = draw.choice(gold) if 0 < most < size else gold[0]
    return stretch_with(size, right, right, most, draw)


def stretch_with(size: int, first: int, last: int, most: int, draw: Random) -> range:
    """Return a stretch of at most so many sentences (0: all) with two in it and what is between them, if there is room.

    If there is not, it begins with the first of them.
    """
    if not 0 < most < size:
        return range(size)
    earliest, latest = max(0, last - most + 1), min(size - most, first)
    start = draw.randint(earliest, latest) if earliest <= latest else latest
    return range(start, start + most)


@dataclass(frozen=True)
class SimilarityInputs(_WholePages):
    """Pages, or stretches of at most `most` sentences (0: no limit), and targets by themselves, for `dual`."""

    texts: DualTexts
    most: int = 0

    def encoder_input(
        self, problem: Problem, _finder: MentionFinder, _pages: Pages, draw: Random
    ) -> EncoderInput | None:
        """Return page and target, unless the link belongs nowhere: similarity cannot say so."""
        example = problem.example
        if not example.gold:
            return None
        shown = _shown(problem, self.texts.page(example.article), self.most, draw)
        return self.texts.encoder_input(self.texts.target(example.entity, example.article.language), *shown)

    def of_page(
        self, article: Article, links: Sequence[tuple[Entity, MentionFinder, tuple[int, ...]]], draw: Random
    ) -> list[EncoderInput]:
        """Return targets of one page with the same stretch of it, each with what finds it and its right sentences.

        Those whose right sentences are outside are left out.
        """
        right = [number for _, _, gold in links for number in gold]
        shown = stretch_with(len(article.sentences), min(right), max(right), self.most, draw)
        page = self.texts.page(article, shown)
        texts = [article.sentences[number][1].text for number in shown]
        encoder_inputs = []
        for entity, finder, gold in links:
            places = _within(gold, shown)
            if places:
                naming = frozenset(number for number, text in enumerate(texts) if finder.find(text))
                target = self.texts.target(entity, article.language)
                encoder_inputs.append(self.texts.encoder_input(target, page, tuple(sorted(places)), naming - places))
        return encoder_inputs


@dataclass(frozen=True)
class WindowInputs:
    """A right candidate against wrong ones, for `window` and `triple`."""

    maker: EncoderInputMaker
    negatives: int

    def encoder_input(self, problem: Problem, finder: MentionFinder, pages: Pages, draw: Random) -> EncoderInput | None:
        """Return the candidates, unless none is right or none is surely wrong."""
        return self._windows(
            window_problem(problem, draw, self.negatives, elsewhere=elsewhere_in(pages), finder=finder)
        )

    def link_input(
        self, linked: LinkedExample, removal: ContextRemoval | None, pages: Pages, draw: Random
    ) -> EncoderInput | None:
        """Return an existing link with its context removed; if from all of the page, the same from each candidate."""
        if removal is None or removal.decoys is not None:
            return self.encoder_input(removed(linked, removal, draw), linked.finder, pages, draw)
        elsewhere = elsewhere_in(pages)
        return self._windows(removed_windows(linked, draw, self.negatives, elsewhere=elsewhere, settings=removal))

    def _windows(self, windows: WindowProblem | None) -> EncoderInput | None:
        if windows is None or not windows.negatives:
            return None
        inputs = self.maker.inputs
        candidates = [inputs.candidate(candidate) for candidate in (windows.positive, *windows.negatives)]
        return self.maker.of_candidates(
            inputs.target(windows.entity), inputs.opening(windows.source), candidates, gold=(0,)
        )


@dataclass(frozen=True)
class LinkInputs:
    """Existing links with their context removed as a stage asks for."""

    links: ExistingLinks
    problem_inputs: ProblemInputs
    removal: ContextRemoval | None

    def __len__(self) -> int:
        return len(self.links)

    def encoder_inputs(self, number: int, draw: Random) -> list[EncoderInput]:
        """Return a link as an input."""
        return only(self.problem_inputs.link_input(self.links[number], self.removal, self.links, draw))


@dataclass(frozen=True)
class PageGroupInputs:
    """Groups of existing links that stand near each other, each learned with one reading of the page."""

    links: ExistingLinks
    groups: Sequence[tuple[int, ...]]
    inputs: SimilarityInputs
    removal: ContextRemoval
    forgetting: Forgetting

    def __len__(self) -> int:
        return len(self.groups)

    def encoder_inputs(self, number: int, draw: Random) -> list[EncoderInput]:
        """Return an input for each link of a group that can be removed beside the others."""
        linked = [self.links[one] for one in self.groups[number]]
        article, placed = removed_together(linked, self.removal, draw)
        links = [(self.forgetting.of(one.linked.entity, draw), one.linked.finder, one.gold) for one in placed]
        return self.inputs.of_page(article, links, draw)


@dataclass(frozen=True)
class InsertionInputs:
    """Links that editors added, as the page was before the edit."""

    insertions: Insertions
    problem_inputs: ProblemInputs

    def __len__(self) -> int:
        return len(self.insertions)

    def encoder_inputs(self, number: int, draw: Random) -> list[EncoderInput]:
        """Return an insertion as an input."""
        example = self.insertions[number].example
        finder = target_finder(example.entity, example.article.language)
        # Nothing is ignored: the editor saw the other places that name the target, and did not choose them.
        return only(self.problem_inputs.encoder_input(Problem(example), finder, self.insertions, draw))


@dataclass(frozen=True)
class SomeInputs:
    """Some of a source's examples."""

    source: InputSource
    numbers: Sequence[int]

    def __len__(self) -> int:
        return len(self.numbers)

    def encoder_inputs(self, number: int, draw: Random) -> list[EncoderInput]:
        """Return what is learned from one of these examples."""
        return self.source.encoder_inputs(self.numbers[number], draw)


def only(encoder_input: EncoderInput | None) -> list[EncoderInput]:
    """Return a list of the input, empty if there is none."""
    return [encoder_input] if encoder_input else []


def drawn(source: InputSource, most: int, seed: int) -> InputSource:
    """Return at most so many examples of a source, drawn by the seed; 0 means all."""
    return SomeInputs(source, drawn_numbers(len(source), most, seed))


def drawn_numbers(count: int, most: int, seed: int) -> Sequence[int]:
    """Return at most so many numbers below a count, drawn by the seed; 0 means all."""
    return Random(seed).sample(range(count), most) if 0 < most < count else range(count)


def removed(linked: LinkedExample, removal: ContextRemoval | None, draw: Random) -> Problem:
    """Return the problem that is left of a link when its context is removed."""
    return without_removal(linked) if removal is None else remove_context(linked, draw, removal)
