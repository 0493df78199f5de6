"""BM25 and String Match as the paper on entity insertion describes them, to check a harness against its tables.

linkspot's own `bm25` and `string-match` look at the sentence first and are better on pages. These two see a span, the
sentence with five others on each side, as one text. Neighbours in a section share most of their span, so they often tie
on a page; the paper's tests have no such rivals, as no wrong span there holds a known mention.
"""

from dataclasses import dataclass
from typing import ClassVar

from linkspot.examples.candidates import candidates
from linkspot.ranking.ranker import Reads
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity
from linkspot.text.okapi import OkapiIndex
from linkspot.text.words import primary, words

_WITH_STOP_WORDS = frozenset({"en", "simple"})  # the paper's code drops stop words in English only
# Articles, pronouns, auxiliaries, prepositions, conjunctions and the adverbs that stand in for them.
_STOP_WORDS = frozenset(
    """
    a an the this that these those i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves who whom whose which what
    am is are was were be been being have has had having do does did doing can could may might must shall should will
    would and or but nor if because as until while than so though although of at by for with about against between into
    through during before after above below to from up down in out on off over under again further then once here there
    when where why how all any both each few more most other some such no not only own same too very just now
    s t d ll m re ve don
    """.split()
)


@dataclass(frozen=True, slots=True)
class PublishedBM25Ranker:
    """Okapi BM25 of the keywords of the target's lead against those of each span.

    As in the paper's released code, the title counts as one keyword, even if it has several words, and signs are
    turned around where all scores are below 0: on short pages a shared word lowers the score.
    """

    reads: ClassVar[Reads] = Reads.TEXTS

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return one score per candidate; those with the same span tie."""
        spans = [keywords(place.context, article.language) for place in candidates(article)]
        query = [entity.title.lower(), *keywords(entity.lead, article.language)]
        scores = OkapiIndex(spans).scores(query)
        if scores and max(scores) < 0:
            scores = [-score for score in scores]
        return Scores(tuple(scores), nowhere=0.0)


@dataclass(frozen=True, slots=True)
class PublishedStringMatchRanker:
    """Whether a known mention of the target stands in the span, letter by letter; the title, if no mention is known."""

    reads: ClassVar[Reads] = Reads.TEXTS

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return 1 or 0 for each candidate."""
        mentions = [name for name in entity.mentions or (entity.title,) if name]
        spans = (place.context for place in candidates(article))
        return Scores(tuple(float(any(name in span for name in mentions)) for span in spans), nowhere=0.0)


def keywords(text: str, language: str) -> list[str]:
    """Return the words of a text, as often as they stand there; in English without stop words."""
    found = words(text, language)
    if primary(language) not in _WITH_STOP_WORDS:
        return found
    return [word for word in found if word not in _STOP_WORDS]
