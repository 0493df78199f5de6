"""Small pages for the tests of rankers that compare words."""

from collections.abc import Sequence

from linkspot.parsing.prose import Prose
from linkspot.records import Article, Entity, Markup, Page

SIGNAL = Entity("Signal", lead="A signal tells the driver of a train whether the block ahead is free.")


def article(*sentences: str, language: str = "en") -> Article:
    prose, position = Prose(Page("Rail", "\n".join(sentences), Markup.MARKDOWN, language)), 0
    for sentence in sentences:
        prose.write(sentence, position, position + len(sentence))
        prose.end_block()
        position += len(sentence) + 1
    return prose.article()


def order(scores: Sequence[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda index: -scores[index])
