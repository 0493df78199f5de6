"""A ranker that prefers long sentences, or those that are nearest to a given length."""

from dataclasses import dataclass

from linkspot.ranking.ranker import RankerOptions, Reads
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity


@dataclass(frozen=True)
class LongestRanker:
    """Scores a sentence by its length; `longest:40` prefers those of about 40 characters."""

    length: int = 1_000_000
    reads = Reads.TEXTS

    @classmethod
    def of_argument(cls, argument: str, _options: RankerOptions) -> "LongestRanker":
        """Open the ranker that prefers this length."""
        return cls(int(argument))

    def score(self, _entity: Entity, article: Article) -> Scores:
        """Return one score per candidate; every place is better than *nowhere*."""
        differences = (abs(len(sentence.text) - self.length) for _section, sentence in article.sentences)
        return Scores(tuple(1 / (1 + difference) for difference in differences), nowhere=0.0)
