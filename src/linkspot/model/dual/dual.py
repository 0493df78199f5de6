"""The `dual` model: page and target are encoded separately, both are stored, and a small head compares them."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from linkspot.encoders.encoder import Encoder, Vectors
from linkspot.encoders.threads import one_blas_thread
from linkspot.files import digest_of
from linkspot.model.config import HEADS, PCA, ModelConfig
from linkspot.model.cross.scoring import PageScores
from linkspot.model.dual.features import features
from linkspot.model.dual.head import Head
from linkspot.model.dual.page_view import Floats, PageView
from linkspot.model.dual.pca import Pca
from linkspot.model.dual.store import Key, MemoryStore, Store, key_of
from linkspot.model.dual.text_vectors import MeanLengths, PageVectors, TargetVectors, unit
from linkspot.model.dual.texts import DualSettings, DualTexts, passage_of
from linkspot.model.inputs import Chunk, Inputs
from linkspot.progress import SILENT, StageProgress
from linkspot.records import Article, Entity

_PAGES_KEPT = 8  # with views and vectors; of other pages only the vectors are in the store
_CHUNKS_AT_ONCE = 128  # the vectors of all tokens take much more memory than the means that are stored


@dataclass(frozen=True)
class _Seen:
    article: Article
    view: PageView
    vectors: PageVectors
    lengths: MeanLengths


class DualReader:
    """Reads pages and entities for a head: texts → vectors, each encoded once → features.

    `identity` distinguishes the encoder from others whose vectors may be in the same store. Without a PCA, the
    features that say what a text is about are 0.
    """

    def __init__(
        self,
        encoder: Encoder,
        inputs: Inputs,
        settings: DualSettings,
        identity: str = "",
        store: Store | None = None,
        pca: Pca | None = None,
    ) -> None:
        self.pca = pca
        self._encoder = encoder
        self._texts = DualTexts(inputs, settings)
        self._identity = f"{identity}/{settings.chunk}"
        self._store: Store = MemoryStore() if store is None else store
        self._seen: deque[_Seen] = deque(maxlen=_PAGES_KEPT)
        self._stage: StageProgress = SILENT

    @contextmanager
    def watched_by(self, stage: StageProgress) -> Iterator[None]:
        """Show in a stage how much is encoded, meanwhile."""
        self._stage = stage
        try:
            yield
        finally:
            self._stage = SILENT

    def features(self, entity: Entity, article: Article) -> Floats:
        """Return the features of every sentence of the page: (n, features)."""
        seen = self._look_at(article)
        target = self.target_vectors(entity, article.language)
        return features(seen.view, seen.vectors, entity, target, self.pca, seen.lengths)

    def prepare(self, pairs: Iterable[tuple[Entity, Article]]) -> int:
        """Encode together what these pairs need and the store lacks; returns how many sequences that were."""
        chunks = (chunk for entity, article in pairs for chunk in self.sequences(entity, article))
        return len(self._encode({key: chunk for chunk in chunks if (key := self._key(chunk)) not in self._store}))

    def sequences(self, entity: Entity, article: Article) -> list[Chunk]:
        """Return all sequences that go through the encoder for a page and a target."""
        return [*self._chunks(article), *self._target_chunks(entity, article.language)]

    def vectors(self, chunks: Sequence[Chunk]) -> Vectors:
        """Return the vectors of all chunks' sentences, one below another, each of length 1: (sentences, H)."""
        if not chunks:
            return np.zeros((0, self._encoder.dimensions), np.float32)
        keys = [self._key(chunk) for chunk in chunks]
        # What is stored is taken first: new vectors may push it out.
        by_key = {key: vectors for key in keys if (vectors := self._store.get(key)) is not None}
        by_key |= self._encode({key: chunk for key, chunk in zip(keys, chunks, strict=True) if key not in by_key})
        return unit(np.concatenate([by_key[key] for key in keys]))

    def page_vectors(self, article: Article) -> PageVectors:
        """Return a vector for each sentence and for each section's title."""
        vectors = self.vectors(self._chunks(article))
        n = len(article.sentences)
        return PageVectors(vectors[:n], vectors[n:])

    def target_vectors(self, entity: Entity, language: str) -> TargetVectors:
        """Return a vector for the entity's names, one for its lead, and the vectors of its precedents."""
        vectors = self.vectors(self._texts.target(entity, language))
        precedents = tuple(self.page_vectors(passage_of(precedent)) for precedent in entity.precedents)
        return TargetVectors(vectors[0], vectors[-1], precedents)

    def _look_at(self, article: Article) -> _Seen:
        for seen in self._seen:
            if seen.article is article:
                return seen
        view, vectors = PageView.of(article), self.page_vectors(article)
        self._seen.append(_Seen(article, view, vectors, MeanLengths.of(view, vectors)))
        return self._seen[-1]

    def _chunks(self, article: Article) -> list[Chunk]:
        return [*self._texts.sentences(article), *self._texts.titles(article)]

    def _target_chunks(self, entity: Entity, language: str) -> list[Chunk]:
        passages = (chunk for precedent in entity.precedents for chunk in self._chunks(passage_of(precedent)))
        return [*self._texts.target(entity, language), *passages]

    def _encode(self, chunks: Mapping[Key, Chunk]) -> dict[Key, Vectors]:
        """Encode chunks, put their vectors into the store, and return them."""
        fresh, todo = {}, list(chunks.items())
        sentences = 0
        for first in range(0, len(todo), _CHUNKS_AT_ONCE):
            part = todo[first : first + _CHUNKS_AT_ONCE]
            encoded = self._encoder.encode([chunk.ids for _key, chunk in part])
            for (key, chunk), vectors in zip(part, encoded, strict=True):
                means = unit(np.stack([vectors[start:end].mean(axis=0) for start, end in chunk.spans]))
                fresh[key] = means.astype(np.float16).astype(np.float32)  # the precision of a file
                self._store.put(key, fresh[key])
            sentences += sum(len(chunk.spans) for _key, chunk in part)
            if len(todo) > _CHUNKS_AT_ONCE:  # a target has few, and is not worth a word
                self._stage.update((first + len(part)) / len(todo), sentences)
        return fresh

    def _key(self, chunk: Chunk) -> Key:
        return key_of(self._identity, chunk.ids, chunk.spans)


@dataclass(frozen=True)
class Dual:
    """A reader and a head: scores all sentences of a page at once."""

    reader: DualReader
    head: Head

    @classmethod
    def of_folder(cls, folder: Path, encoder: Encoder, inputs: Inputs, config: ModelConfig) -> "Dual":
        """Read a model from its folder, around the encoder that runs it."""
        head = Head.of_folder(folder)  # first: it notices a model of another version
        settings = DualSettings.of(config.extra)
        return cls(DualReader(encoder, inputs, settings, pca=Pca.of_folder(folder)), head)

    def scores_watched(self, entity: Entity, article: Article, stage: StageProgress) -> PageScores:
        """Return what the model says of a page and a target, and show how much is encoded."""
        with self.reader.watched_by(stage):
            return self.scores(entity, article)

    def scores(self, entity: Entity, article: Article) -> PageScores:
        """Return what the model says of a page and a target."""
        if not article.sentences:
            return PageScores(np.zeros(0, np.float32), 0.0)
        with one_blas_thread():
            return self.head.scores(self.reader.features(entity, article))


def identity_of(folder: Path) -> str:
    """Return what distinguishes the encoder in a folder from others: a digest of its files of weights."""
    endings = {".safetensors", ".onnx", ".bin", ".gz"}
    return digest_of(path for path in folder.glob("*") if path.suffix in endings and path.name not in {HEADS, PCA})
