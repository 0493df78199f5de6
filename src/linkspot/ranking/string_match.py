"""String match: the target's known mentions, looked for in the page."""

from bisect import bisect_left
from dataclasses import dataclass
from typing import ClassVar

from linkspot.examples.candidates import Candidate, candidates
from linkspot.ranking.ranker import Reads
from linkspot.ranking.scores import Scores, earlier_first
from linkspot.records import Article, Entity, Section
from linkspot.text.mentions import Exactness, Mention, MentionFinder, known_names

# A capital may be due to the title or the sentence alone, so another case says little; another ending says more.
_TRUST = {Exactness.EXACT: 1.0, Exactness.FOLDED: 0.9, Exactness.NEAR: 0.6}


@dataclass(frozen=True, slots=True)
class StringMatchRanker:
    """Looks for mentions of the target: in the sentence itself, then in its context, nearer ones first."""

    reads: ClassVar[Reads] = Reads.TEXTS

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return one score per candidate: 1 to 2 with a mention in the sentence, below 1 in its context, or 0."""
        finder = MentionFinder(known_names(entity, article.language), article.language)
        strengths = [_strengths(section, finder) for section in article.sections]
        scores = [_best_in_context(place, strengths[place.section_index]) for place in candidates(article)]
        return Scores(earlier_first(scores), nowhere=0.0)


def _strengths(section: Section, finder: MentionFinder) -> list[float]:
    """Return for each sentence how surely it names the target, from 0 to 1."""
    linked = sorted((link.start, link.end) for link in section.links)
    strengths = []
    for sentence in section.sentences:
        mentions = finder.find(sentence.text)
        strengths.append(max((_strength(mention, sentence.start, linked) for mention in mentions), default=0.0))
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
