"""The ranker protocol and the table of rankers: what every way of scoring places has in common."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from linkspot.errors import UnknownRanker
from linkspot.records import Article, Entity

DEFAULT_RANKER = "bm25"


class Ranker(Protocol):
    """Scores every candidate of an article; higher means a better place."""

    @property
    def nowhere(self) -> float:
        """A score at or below this says that the ranker sees no reason for the link at that place."""
        ...

    def score(self, entity: Entity, article: Article) -> list[float]:
        """Return one score per candidate, in the article's order; none is dropped."""
        ...


@dataclass(frozen=True, slots=True)
class RankerEntry:
    """A line of the table: what the ranker does, in one sentence, and how to open it."""

    description: str
    open: Callable[[], Ranker]


def _random() -> Ranker:
    from linkspot.ranking.lexical import RandomRanker

    return RandomRanker()


def _string_match() -> Ranker:
    from linkspot.ranking.lexical import StringMatchRanker

    return StringMatchRanker()


def _bm25() -> Ranker:
    from linkspot.ranking.lexical import BM25Ranker

    return BM25Ranker()


# Entries hold functions, so that naming one ranker never imports another's libraries.
RANKERS: dict[str, RankerEntry] = {
    "random": RankerEntry("draws scores by chance, from a seed: what any other ranker has to beat", _random),
    "string-match": RankerEntry(
        "looks for the target's known mentions, first in the sentence, then around it", _string_match
    ),
    "bm25": RankerEntry(
        "compares words: the target's title, mentions and lead against each sentence in context", _bm25
    ),
}


def open_ranker(name: str) -> Ranker:
    """Return the ranker of that name, or of the model in a folder."""
    if name in RANKERS:
        return RANKERS[name].open()
    if Path(name).is_dir():
        from linkspot.ranking.neural import load

        return load(name)
    raise UnknownRanker(
        f"no ranker is called {name!r}, and no model's folder is; there are: {', '.join(sorted(RANKERS))}"
    )
