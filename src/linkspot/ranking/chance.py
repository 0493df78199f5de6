"""The random ranker: what any other ranker has to beat."""

import random
from dataclasses import dataclass
from typing import ClassVar

from linkspot.examples.candidates import candidates
from linkspot.ranking.ranker import Reads
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity


@dataclass(frozen=True, slots=True)
class RandomRanker:
    """Scores by chance; the same seed, entity and page give the same scores, in any order and any process."""

    seed: int = 0
    reads: ClassVar[Reads] = Reads.TEXTS

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return one score between 0 and 1 per candidate."""
        # Bytes as seed are hashed by SHA-512, not by hash(), which differs from process to process.
        names = "\n".join((str(self.seed), *entity.names, article.title, article.id))
        chance = random.Random(names.encode("utf-8", "surrogatepass"))
        return Scores(tuple(chance.random() for _ in candidates(article)), nowhere=0.0)
