"""A page with the scores of its places: which of them are open to the link, fit it, and are worth showing."""

from dataclasses import dataclass

from linkspot.answers.confidence import Confidence
from linkspot.links.existing import ExistingLink
from linkspot.progress import StageProgress
from linkspot.ranking.ranker import Ranker, WatchedRanker
from linkspot.records import Article, Entity

MOST_PLACES = 5  # in an answer to somebody who does not ask for a number
# Places below these bounds are hardly better than nothing. They are shown to somebody who asks for a number.
_LEAST_PROBABILITY = 0.02
_LEAST_SHARE_OF_BEST = 0.05


@dataclass(frozen=True, slots=True)
class ScoredPage:
    """The scores of all candidates and of *nowhere*, and as probabilities, if they are logits.

    `closed` are the numbers of the candidates that can be no places, whatever they score.
    """

    article: Article
    places: tuple[float, ...]
    nowhere: float
    closed: frozenset[int]
    confidence: Confidence | None

    def ranked(self, existing: tuple[ExistingLink, ...]) -> list[int]:
        """Return the numbers of the open candidates, best first, without main sections that have the link already."""
        majors = self.article.major_sections
        linked = {majors[existing_link.section] for existing_link in existing}
        numbered = enumerate(self.article.sentences)
        free = [
            number for number, (section, _) in numbered if number not in self.closed and majors[section] not in linked
        ]
        return sorted(free, key=lambda number: -self.places[number])

    def fitting(self, ranked: list[int]) -> list[int]:
        """Return the candidates where the link makes sense.

        A ranker with probabilities says for the whole page whether the link belongs there; of others, each score says
        it for its own place.
        """
        if self.confidence:
            return [] if self.confidence.says_nowhere else ranked
        return [number for number in ranked if self.places[number] > self.nowhere]

    def worth_showing(self, ranked: list[int], top: int | None) -> list[int]:
        """Return the candidates to show: as many as were asked for, else the best and those that come near it."""
        if top is not None or not self.confidence:
            return ranked[: top or MOST_PLACES]
        shown = ranked[:MOST_PLACES]
        chances = self.confidence.places
        least = max(_LEAST_PROBABILITY, _LEAST_SHARE_OF_BEST * max((chances[number] for number in shown), default=0.0))
        return [*shown[:1], *(number for number in shown[1:] if chances[number] >= least)]

    def with_part(self, other: "ScoredPage", named: frozenset[int]) -> "ScoredPage":
        """Return the page with the mean of its scores and those with a part of the name as a mention.

        `named` are the candidates where the part stands for the name; no other one gains from having the same words.
        """
        means = [(one + another) / 2 for one, another in zip(self.places, other.places, strict=True)]
        places = tuple(mean if number in named else min(mean, self.places[number]) for number, mean in enumerate(means))
        nowhere = (self.nowhere + other.nowhere) / 2
        confidence = Confidence.of(places, nowhere).without(self.closed) if self.confidence else None
        return ScoredPage(self.article, places, nowhere, self.closed, confidence)

    def probability(self, number: int) -> float | None:
        """Return how likely a candidate is the right place, if the ranker has probabilities."""
        return self.confidence.places[number] if self.confidence else None


def scored_page(
    ranker: Ranker, entity: Entity, article: Article, closed: frozenset[int], stage: StageProgress
) -> ScoredPage:
    """Score a page with a ranker; `closed` are the numbers of the candidates that can be no places."""
    if isinstance(ranker, WatchedRanker):
        scores = ranker.score_watched(entity, article, stage)
    else:
        scores = ranker.score(entity, article)
    confidence = Confidence.of(scores.places, scores.nowhere).without(closed) if scores.are_logits else None
    return ScoredPage(article, scores.places, scores.nowhere, closed, confidence)
