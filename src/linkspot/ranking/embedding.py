"""Plain embedding similarity: a sentence encoder that was not trained for the task, with nothing on top."""

from pathlib import Path
from typing import ClassVar

from linkspot.model.config import CONFIG, ModelConfig
from linkspot.model.dual.dual import DualReader, identity_of
from linkspot.model.dual.store import Store
from linkspot.model.dual.text_vectors import unit
from linkspot.model.dual.texts import DualSettings
from linkspot.model.inputs import TokenBudget
from linkspot.ranking.encoder_folder import open_folder
from linkspot.ranking.ranker import RankerOptions, Reads
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity

# Sentences alone, and what E5 was trained to see before texts that are compared as equals: Hits@1 .238 on 450
# validating insertions. On 60 of them .250; in chunks of 128 tokens .233; with "passage: " before the page .233, before
# the target .217; sentences joined with one neighbour on each side .183, with two .133.
E5 = DualSettings(0, "query: ", "query: ")
_NOWHERE = -2.0  # below any cosine
_BUDGET = TokenBudget(lead=126, sentence=256)  # a window of the published dataset, too, is a sentence to this ranker


class EmbeddingRanker:
    """Scores by the cosine of a sentence's vector and the target's: the mean of its names' vector and its lead's.

    A bi-encoder: page and target are encoded separately, and their vectors are kept for the next target and the next
    page. It never says *nowhere*, as every page has a most similar sentence and no cosine means the same on all pages.
    """

    reads: ClassVar[Reads] = Reads.TEXTS

    def __init__(self, reader: DualReader) -> None:
        self._reader = reader

    @classmethod
    def of_argument(cls, encoder: str, _options: RankerOptions) -> "EmbeddingRanker":
        """Open the encoder of a folder or of the hub."""
        return cls.of_folder(encoder)

    @classmethod
    def of_folder(
        cls, name: str | Path, settings: DualSettings | None = None, store: Store | None = None
    ) -> "EmbeddingRanker":
        """Open any encoder: a Hugging Face folder or id, an exported folder, a model that linkspot trained.

        Without settings, a trained model reads texts as in its training, and any other encoder reads them like E5.
        Encoders without prefixes need `DualSettings()`. `chunk` shows each sentence in its context.
        """
        folder = Path(name)
        budget = _BUDGET
        if (folder / CONFIG).is_file():
            config = ModelConfig.of_folder(folder)
            settings, budget = settings or DualSettings.of(config.extra), config.budget
        opened = open_folder(name, budget)
        identity = identity_of(folder) if folder.is_dir() else str(name)
        return cls(DualReader(opened.encoder, opened.inputs, settings or E5, identity, store))

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return one cosine per candidate."""
        target = self._reader.target_vectors(entity, article.language)
        target_vector = unit((target.names + target.lead)[None])[0]  # (H,)
        cosines = self._reader.page_vectors(article).sentences @ target_vector  # (sentences,)
        return Scores(tuple(map(float, cosines)), _NOWHERE)
