"""Dynamic context removal: existing links made to look like pages that lack the mention, its sentence or more."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from math import isclose
from random import Random

from linkspot.errors import UnusableInput
from linkspot.examples.cuts import CutArticle
from linkspot.examples.decoys import all_decoys, some_decoys
from linkspot.examples.linked_example import LinkedExample
from linkspot.examples.removal_spots import Removal
from linkspot.records import Article, Example
from linkspot.text.mentions import MentionFinder


@dataclass(frozen=True, slots=True)
class ContextRemoval:
    """The share of each removal, and at how many other places of the page (`decoys`) the same removal is made.

    The shares are the paper's. By default the same removal is made at all other places where it fits; with 0 decoys
    only the right place is changed.
    """

    nothing: float = 0.4
    mention: float = 0.2
    sentence: float = 0.3
    span: float = 0.1
    decoys: int | None = None

    def __post_init__(self) -> None:
        shares = [share for _, share in self.shares]
        if min(shares) < 0 or not isclose(sum(shares), 1, abs_tol=1e-6):
            raise UnusableInput(f"the shares of context removal are {shares}; expected numbers from 0 that add up to 1")
        if self.decoys is not None and self.decoys < 0:
            raise UnusableInput(f"the decoys of context removal are {self.decoys}; expected 0 or more")

    def leaving_whole(self, share: float) -> "ContextRemoval":
        """Return the same removals, in the same proportions, where another share of the links loses nothing."""
        scale = (1 - share) / (1 - self.nothing)
        return replace(
            self, nothing=share, mention=self.mention * scale, sentence=self.sentence * scale, span=self.span * scale
        )

    @property
    def shares(self) -> tuple[tuple[Removal, float], ...]:
        """Each removal with its share, the mildest first."""
        return tuple(zip(Removal, (self.nothing, self.mention, self.sentence, self.span), strict=True))

    def draw(self, draw: Random) -> Removal:
        """Draw a removal by the shares."""
        return draw.choices(list(Removal), [share for _, share in self.shares])[0]


@dataclass(frozen=True, slots=True)
class Problem:
    """An example to learn from.

    `decoys` are wrong candidates at places that were changed like the right one. `ignored` are candidates whose
    sentence holds a known mention of the target, so that nobody knows whether they are wrong. A negative target is made
    up: no editor linked it in this page.
    """

    example: Example
    decoys: tuple[int, ...] = ()
    ignored: frozenset[int] = frozenset()
    removal: Removal = Removal.NOTHING
    is_negative_target: bool = False

    def __post_init__(self) -> None:
        gold, decoys, count = set(self.example.gold), set(self.decoys), len(self.example.article.sentences)
        if gold & decoys or gold & self.ignored or decoys & self.ignored:
            raise ValueError("a candidate can only be one of these: right, a decoy, ignored")
        if not all(0 <= number < count for number in decoys | self.ignored):
            raise ValueError(f"the page has {count} candidates; decoys are {self.decoys}, ignored are {self.ignored}")


def remove_context(linked: LinkedExample, draw: Random, settings: ContextRemoval | None = None) -> Problem:
    """Draw what to remove and return the problem that is left; a removal that leaves nothing becomes a milder one."""
    settings = settings or ContextRemoval()
    removal, cut = linked.spot.possible_cut(linked.article, settings.draw(draw), draw)
    if cut is None:
        return without_removal(linked)
    if settings.decoys is None:
        decoys = all_decoys(linked, removal, cut, naming(linked.article, linked.finder), draw)
    else:
        decoys = some_decoys(linked, removal, cut, draw, settings.decoys)
    page = CutArticle(linked.article, (cut, *decoys))
    example = Example(linked.entity, page.after, page.seam(cut))
    return _problem(example, linked.finder, chain.from_iterable(map(page.seam, decoys)), removal)


def without_removal(linked: LinkedExample) -> Problem:
    """Return the problem with nothing removed: the words are there and only need the link."""
    return _problem(Example(linked.entity, linked.article, (linked.sentence,)), linked.finder)


def naming(article: Article, finder: MentionFinder) -> frozenset[int]:
    """Return the numbers of the sentences that name the target."""
    return frozenset(number for number, (_, sentence) in enumerate(article.sentences) if finder.find(sentence.text))


def _problem(
    example: Example, finder: MentionFinder, decoys: Iterable[int] = (), removal: Removal = Removal.NOTHING
) -> Problem:
    ignored = naming(example.article, finder) - set(example.gold)
    return Problem(example, tuple(sorted(set(decoys) - ignored - set(example.gold))), ignored, removal)
