"""BM25: the words of the target, compared with those of each sentence."""

from dataclasses import dataclass
from typing import ClassVar

from linkspot.examples.candidates import Candidate, candidates
from linkspot.ranking.ranker import Reads
from linkspot.ranking.scores import Scores, earlier_first
from linkspot.records import Article, Entity
from linkspot.text.bm25 import WordIndex, terms
from linkspot.text.mentions import known_names


@dataclass(frozen=True, slots=True)
class BM25Ranker:
    """Compares the words of the target's names and lead with those of each sentence, and a little of those around it.

    The weights are a compromise on existing links of Wikipedia in en, uk, bn and ja: more weight for the names is
    better where the mention is in place, less weight where it was cut out. One text of sentence and context together
    is far worse, as eleven candidates then share each word.
    """

    names_weight: float = 6.0
    context_weight: float = 0.1  # of the sentence next to it; half as much of the one behind, and so on
    k1: float = 1.5
    b: float = 0.75
    reads: ClassVar[Reads] = Reads.TEXTS

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return one score per candidate, 0 where it shares no word with the target."""
        places = candidates(article)
        names = terms(" ".join(known_names(entity, article.language)), article.language)
        lead = terms(entity.lead, article.language)
        own = self._similarities([terms(place.sentence.text, article.language) for place in places], names, lead)
        scores = [
            score + self._around(rank, place, own) for rank, (place, score) in enumerate(zip(places, own, strict=True))
        ]
        return Scores(earlier_first(scores), nowhere=0.0)

    def _similarities(self, documents: list[list[str]], names: list[str], lead: list[str]) -> list[float]:
        index = WordIndex(documents, self.k1, self.b)
        pairs = zip(index.scores(names), index.scores(lead), strict=True)
        return [self.names_weight * of_names + of_lead for of_names, of_lead in pairs]

    def _around(self, rank: int, place: Candidate, own: list[float]) -> float:
        distances = range(place.first - place.sentence_index, place.last - place.sentence_index + 1)
        return sum(self.context_weight * own[rank + d] * 0.5 ** (abs(d) - 1) for d in distances if d)
