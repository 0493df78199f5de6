"""Even draws: examples of many wikis so that no wiki and no language outweighs the others."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random

from linkspot.examples.dataset_reader import Wiki


def even_draw(wikis: Mapping[Wiki, Sequence[int]], most: int, seed: int) -> dict[Wiki, list[int]]:
    """Draw at most so many numbers of each corpus, of each of its languages as many as of the others.

    A language that has fewer than its share leaves the rest to the corpus' other languages.
    """
    corpora: defaultdict[str, dict[Wiki, Sequence[int]]] = defaultdict(dict)
    for wiki, numbers in wikis.items():
        corpora[wiki[0]][wiki] = numbers
    shares = {wiki: share for languages in corpora.values() for wiki, share in _shares(languages, most).items()}
    return {wiki: Random(f"{seed}/{'/'.join(wiki)}").sample(numbers, shares[wiki]) for wiki, numbers in wikis.items()}


def _shares(languages: Mapping[Wiki, Sequence[int]], most: int) -> dict[Wiki, int]:
    """Return how many of each language to draw; those that have least are served first."""
    shares: dict[Wiki, int] = {}
    smallest_first = sorted(languages, key=lambda wiki: (len(languages[wiki]), wiki))
    for position, wiki in enumerate(smallest_first):
        fair = (most - sum(shares.values())) // (len(smallest_first) - position)
        shares[wiki] = min(len(languages[wiki]), fair)
    return shares
