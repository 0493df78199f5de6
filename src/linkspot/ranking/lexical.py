"""Rankers that need no training: chance, the target's names, the target's words."""

import random
from bisect import bisect_left
from dataclasses import dataclass

from linkspot.examples.candidates import Candidate, candidates
from linkspot.records import Article, Entity, Section
from linkspot.text.bm25 import WordIndex, terms
from linkspot.text.mentions import Exactness, Mention, MentionFinder, known_names

_TIE_BREAK = 1e-9  # among equals the earlier place is better: readers want the link at the first mention
# A capital may be due to the title or the sentence alone, so another case says little; another ending says more.
_TRUST = {Exactness.EXACT: 1.0, Exactness.FOLDED: 0.9, Exactness.NEAR: 0.6}


@dataclass(frozen=True, slots=True)
class RandomRanker:
    """Scores by chance; the same seed, entity and page give the same scores, in any order and any process."""

    seed: int = 0
    nowhere: float = 0.0

    def score(self, entity: Entity, article: Article) -> list[float]:
        """Return one score between 0 and 1 per candidate."""
        # A string as seed is hashed by SHA-512, not by hash(), which differs from process to process.
        chance = random.Random("\n".join((str(self.seed), *entity.names, article.title, article.id)))
        return [chance.random() for _ in candidates(article)]


@dataclass(frozen=True, slots=True)
class StringMatchRanker:
    """Looks for mentions of the target: in the sentence itself, then in its context, nearer ones first."""

    nowhere: float = 0.0

    def score(self, entity: Entity, article: Article) -> list[float]:
        """Return one score per candidate: 1 to 2 with a mention in the sentence, below 1 in its context, or 0."""
        finder = MentionFinder(known_names(entity, article.language), article.language)
        strengths = [_strengths(section, finder) for section in article.sections]
        scores = [_best_in_context(place, strengths[place.section_index]) for place in candidates(article)]
        return _earlier_first(scores)


def _strengths(section: Section, finder: MentionFinder) -> list[float]:
    """Return for each sentence how surely it names the target, from 0 to 1."""
    linked = sorted((link.start, link.end) for link in section.links)
    strengths = []
    for sentence in section.sentences:
        found = finder.find(sentence.text)
        strengths.append(max((_strength(mention, sentence.start, linked) for mention in found), default=0.0))
    return strengths


def _strength(mention: Mention, offset: int, linked: list[tuple[int, int]]) -> float:
    start, end = offset + mention.span.start, offset + mention.span.end
    following = bisect_left(linked, (end, 0))
    is_linked = following > 0 and linked[following - 1][1] > start
    length = len(mention.span)
    # Words that lead elsewhere already can hardly take the link; of two names the longer one is the surer.
    return (_TRUST[mention.exactness] + length / (length + 20)) / (4 if is_linked else 2)


def _best_in_context(place: Candidate, strengths: list[float]) -> float:
    own = strengths[place.sentence_index]
    if own:
        return 1 + own
    around = range(place.first, place.last + 1)
    return max(strengths[index] / (1 + abs(index - place.sentence_index)) for index in around)


@dataclass(frozen=True, slots=True)
class BM25Ranker:
    """Compares the words of the target's names and lead with those of each sentence, and a little of those around it.

    The weights are a compromise, on existing links of Wikipedia in en, uk, bn and ja: more weight for the names does
    better where the mention is in place, less where it was cut out. One text of sentence and context together is far
    worse, as eleven candidates then share each word.
    """

    names_weight: float = 6.0
    context_weight: float = 0.1  # of the sentence next to it; half as much of the one behind, and so on
    k1: float = 1.5
    b: float = 0.75
    nowhere: float = 0.0

    def score(self, entity: Entity, article: Article) -> list[float]:
        """Return one score per candidate, 0 where it shares no word with the target."""
        places = candidates(article)
        names = terms(" ".join(known_names(entity, article.language)), article.language)
        lead = terms(entity.lead, article.language)
        own = self._similarities([terms(place.sentence.text, article.language) for place in places], names, lead)
        scores = [
            score + self._around(rank, place, own) for rank, (place, score) in enumerate(zip(places, own, strict=True))
        ]
        return _earlier_first(scores)

    def _similarities(self, documents: list[list[str]], names: list[str], lead: list[str]) -> list[float]:
        index = WordIndex(documents, self.k1, self.b)
        pairs = zip(index.scores(names), index.scores(lead), strict=True)
        return [self.names_weight * of_names + of_lead for of_names, of_lead in pairs]

    def _around(self, rank: int, place: Candidate, own: list[float]) -> float:
        distances = range(place.first - place.sentence_index, place.last - place.sentence_index + 1)
        return sum(self.context_weight * own[rank + d] * 0.5 ** (abs(d) - 1) for d in distances if d)


def _earlier_first(scores: list[float]) -> list[float]:
    return [score * (1 - _TIE_BREAK * rank) for rank, score in enumerate(scores)]
