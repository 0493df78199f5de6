"""A ranker that counts what it is asked, which a test puts into the table of rankers."""

from collections import Counter

from linkspot.ranking.ranker import Reads
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity


class CountingRanker:
    """Ranks by the length of sentences, and counts the questions about pages that have any."""

    reads = Reads.TEXTS

    def __init__(self, worst: float = 0.0) -> None:
        self.asked: Counter[tuple[str, str, int]] = Counter()
        self.worst = worst

    def score(self, entity: Entity, article: Article) -> Scores:
        if article.sentences:
            self.asked[article.language, article.title + entity.title, sum(self.asked.values())] += 1
        if self.worst and sum(self.asked.values()) > 25:
            return Scores((self.worst,) * len(article.sentences), 0.0)
        return Scores(tuple(float(len(sentence.text)) for _, sentence in article.sentences), 0.0)


current = CountingRanker()


def open_counting() -> CountingRanker:
    return current
