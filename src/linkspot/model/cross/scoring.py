"""From a page and a target to scores, in numpy: what serving and validation run, whatever runs the encoder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from linkspot.encoders.encoder import Encoder, Vectors
from linkspot.model.dual.texts import DualTexts
from linkspot.model.encoder_inputs import EncoderInput, EncoderInputMaker
from linkspot.model.mlp import Mlp
from linkspot.model.pooling import NOWHERE, PLACE, POOLINGS, page_vector, similarities
from linkspot.progress import StageProgress
from linkspot.records import Article, Entity


@dataclass(frozen=True)
class PageScores:
    """What a model says of a page: a logit for each of its sentences, and one for *nowhere here*."""

    places: Vectors  # (sentences,)
    nowhere: float

    @property
    def against_nowhere(self) -> Vectors:
        """How much higher each sentence's logit is than that of *nowhere*: (sentences,)."""
        difference: Vectors = self.places - self.nowhere
        return difference


class PageModel(Protocol):
    """Scores all sentences of a page at once."""

    def scores(self, entity: Entity, article: Article) -> PageScores:
        """Return what the model says of a page and a target."""
        ...


@runtime_checkable
class WatchedModel(PageModel, Protocol):
    """A model that shows how much of a page it has read."""

    def scores_watched(self, entity: Entity, article: Article, stage: StageProgress) -> PageScores:
        """Return what `scores` returns."""
        ...


class EncoderModel:
    """A cross-encoder: window, triple or article."""

    def __init__(self, encoder: Encoder, maker: EncoderInputMaker, heads: Mapping[str, Vectors]) -> None:
        self._encoder = encoder
        self._maker = maker
        self._pooling = POOLINGS[maker.config.kind]
        self._place = Mlp.of_tensors(heads, PLACE)
        self._nowhere = Mlp.of_tensors(heads, NOWHERE) if self.reads_pages else None

    @property
    def reads_pages(self) -> bool:
        """Whether it reads whole pages, and can say *nowhere*; others read one candidate after another."""
        return self._pooling.reads_pages

    def scores(self, entity: Entity, article: Article) -> PageScores:
        """Return what the model says of a page and a target."""
        inputs = self._maker.inputs
        return self._scores(self._maker.of_page(inputs.target(entity), inputs.page(article)))

    def scores_of(self, entity: Entity, article: Article, numbers: Sequence[int]) -> PageScores:
        """Return the scores of some sentences of a page; a kind that reads whole pages reads all of it."""
        if self.reads_pages:
            scores = self.scores(entity, article)
            return PageScores(scores.places[list(numbers)], scores.nowhere)
        inputs = self._maker.inputs
        page = inputs.page(article)
        chosen = [(page, number) for number in numbers]
        return self._scores(self._maker.of_candidates(inputs.target(entity), page, chosen))

    def _scores(self, encoder_input: EncoderInput) -> PageScores:
        if not encoder_input.places:
            return PageScores(np.zeros(0, np.float32), 0.0)
        vectors = self._encoder.encode(encoder_input.sequences)
        places = self._place(self._pooling.pool(encoder_input, vectors, np))
        if self._nowhere is None:  # such a model always finds a place
            return PageScores(places, float(places.min()) - 1)
        return PageScores(places, float(self._nowhere(page_vector(vectors, np))[0]))


class SimilarityModel:
    """A plain bi-encoder: each sentence by its similarity to the target's names and lead."""

    def __init__(self, encoder: Encoder, texts: DualTexts) -> None:
        self._encoder = encoder
        self._texts = texts

    def scores(self, entity: Entity, article: Article) -> PageScores:
        """Return the mean of both cosines for each sentence; it never says *nowhere*."""
        if not article.sentences:
            return PageScores(np.zeros(0, np.float32), -1.0)
        target = self._texts.target(entity, article.language)
        encoder_input = self._texts.encoder_input(target, self._texts.page(article))
        vectors = self._encoder.encode(encoder_input.sequences)
        places: Vectors = similarities(encoder_input, vectors, np).mean(1)
        return PageScores(places, -1.0)
