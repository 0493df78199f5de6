"""Even draws: examples of many wikis so that no wiki and no language outweighs the others."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from linkspot.errors import UnusableInput
from linkspot.examples.dataset_reader import Wiki

_Name = TypeVar("_Name", str, Wiki)


@dataclass(frozen=True, slots=True)
class Portion:
    """At most so many examples of some corpora together, of each corpus and each of its languages evenly."""

    corpora: tuple[str, ...]
    examples: int


def even_draw(wikis: Mapping[Wiki, Sequence[int]], most: int, seed: int) -> dict[Wiki, list[int]]:
    """Draw at most so many numbers of each corpus, of each of its languages as many as of the others.

    A language that has fewer than its share leaves the rest to the corpus' other languages.
    """
    return _drawn(wikis, dict.fromkeys((corpus for corpus, _ in wikis), most), seed)


def drawn_portions(wikis: Mapping[Wiki, Sequence[int]], portions: Sequence[Portion], seed: int) -> list[int]:
    """Draw the numbers of all portions; a corpus that has fewer than its share leaves the rest to its portion."""
    sizes: defaultdict[str, int] = defaultdict(int)
    for (corpus, _), numbers in wikis.items():
        sizes[corpus] += len(numbers)
    shares: dict[str, int] = {}
    for portion in portions:
        for corpus in portion.corpora:
            if corpus not in sizes:
                raise UnusableInput(f"a portion asks for {corpus!r}; the dataset has: {', '.join(sorted(sizes))}")
            if corpus in shares:
                raise UnusableInput(f"{corpus!r} is in two portions; name each corpus once")
        shares |= _fair_shares({corpus: sizes[corpus] for corpus in portion.corpora}, portion.examples)
    chosen = {wiki: numbers for wiki, numbers in wikis.items() if wiki[0] in shares}
    return sorted(number for numbers in _drawn(chosen, shares, seed).values() for number in numbers)


def _drawn(wikis: Mapping[Wiki, Sequence[int]], most: Mapping[str, int], seed: int) -> dict[Wiki, list[int]]:
    """Draw at most so many numbers of each corpus, evenly over its languages."""
    corpora: defaultdict[str, dict[Wiki, int]] = defaultdict(dict)
    for wiki, numbers in wikis.items():
        corpora[wiki[0]][wiki] = len(numbers)
    shares: dict[Wiki, int] = {}
    for corpus, sizes in corpora.items():
        shares |= _fair_shares(sizes, most[corpus])
    return {wiki: Random(f"{seed}/{'/'.join(wiki)}").sample(numbers, shares[wiki]) for wiki, numbers in wikis.items()}


def _fair_shares(sizes: Mapping[_Name, int], most: int) -> dict[_Name, int]:
    """Return how many of each to draw, at most so many together; those that have least are served first."""
    shares: dict[_Name, int] = {}
    smallest_first = sorted(sizes, key=lambda name: (sizes[name], name))
    for position, name in enumerate(smallest_first):
        fair = (most - sum(shares.values())) // (len(smallest_first) - position)
        shares[name] = min(sizes[name], fair)
    return shares
