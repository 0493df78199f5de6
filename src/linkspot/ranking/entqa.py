"""EntQA's retriever as a ranker: an encoder of passages and one of entities, trained to find mentioned entities.

Zhang, Hua and Stratos 2021, "EntQA: Entity Linking as Question Answering". English, as its weights are.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from linkspot.encoders.encoder import Vectors
from linkspot.encoders.tokenizer import Ids
from linkspot.errors import UnusableInput
from linkspot.examples.candidates import candidates
from linkspot.model.dual.store import MemoryStore, key_of
from linkspot.model.dual.text_vectors import unit
from linkspot.model.inputs import TokenBudget
from linkspot.ranking.context_option import without_context
from linkspot.ranking.encoder_folder import OpenedEncoder, open_folder, read_tokenizer
from linkspot.ranking.entqa_checkpoint import read_checkpoint
from linkspot.ranking.ranker import RankerOptions, Reads
from linkspot.ranking.scores import Scores
from linkspot.records import Article, Entity

# As the authors trained it (README and preprocess_data.py of their repository): an entity has 128 tokens, and a text is
# read in passages of 32, one every 16; [CLS] and [SEP] are counted.
ENTITY, PASSAGE, STRIDE = 128, 32, 16
_FRAME = 2  # [CLS] and [SEP]
_BUDGET = TokenBudget(longest=ENTITY, title=1, mentions=0, lead=0, section=0, sentence=PASSAGE - _FRAME)
_NOWHERE = -2.0  # below any cosine
_BASE = "google-bert/bert-large-uncased"  # whose shape and tokenizer the authors' encoders have
_TITLE_END = "[unused2]"  # stands between an entity's title and its text


class EntQARanker:
    """Scores by the cosine of the entity's vector and that of a text's best passage, each vector its first token's.

    The entity is `title [unused2] lead`. The candidate's text is its sentence: with sentences of context around it, all
    candidates of a short section are the same text. The topic of the document, which the authors add to a passage, is
    left out. They compare by dot product, one passage with millions of entities; here it is one entity and some
    passages, and cosine, as in the paper on entity insertion, keeps the length of a passage's vector from deciding.

    It never says *nowhere*: no cosine means the same for all entities.
    """

    reads: ClassVar[Reads] = Reads.TEXTS

    def __init__(self, passages: OpenedEncoder, entities: OpenedEncoder, context_sentences: int = 0) -> None:
        sizes = passages.encoder.dimensions, entities.encoder.dimensions
        if sizes[0] != sizes[1]:
            raise UnusableInput(
                f"passages would have vectors of {sizes[0]} numbers and entities of {sizes[1]}; expected two encoders "
                "of one size, trained together"
            )
        self._passages, self._entities = passages, entities
        self._context = context_sentences
        self._store = MemoryStore()  # of passage vectors: the next target may be for the same page

    @classmethod
    def of_argument(cls, argument: str, _options: RankerOptions) -> "EntQARanker":
        """Open CHECKPOINT or CHECKPOINT,BASE if the first is a file; else PASSAGES,ENTITIES or one encoder for both.

        `,context=5` at the end adds sentences on each side.
        """
        weights, context = without_context(argument)
        first, _, second = weights.partition(",")
        if Path(first).is_file():
            return cls.of_checkpoint(first, second or _BASE, context)
        return cls.of_encoders(first, second or first, context)

    @classmethod
    def of_checkpoint(cls, path: str | Path, base: str | Path = _BASE, context_sentences: int = 0) -> "EntQARanker":
        """Open the file that the authors released, or BLINK's; `base` is a BERT whose shape and tokenizer it has."""
        tokenizer, special = read_tokenizer(base)
        passages, entities = (
            OpenedEncoder.of(encoder, tokenizer, special, _BUDGET)
            for encoder in read_checkpoint(Path(path), str(base), special.padding)
        )
        return cls(passages, entities, context_sentences)

    @classmethod
    def of_encoders(cls, passages: str | Path, entities: str | Path, context_sentences: int = 0) -> "EntQARanker":
        """Open two encoders, each a Hugging Face folder or id, or an exported folder; they may be the same."""
        first = open_folder(passages, _BUDGET)
        second = first if str(entities) == str(passages) else open_folder(entities, _BUDGET)
        return cls(first, second, context_sentences)

    def score(self, entity: Entity, article: Article) -> Scores:
        """Return one cosine per candidate."""
        return self.score_some(entity, article, range(len(article.sentences)))

    def score_some(self, entity: Entity, article: Article, numbers: Sequence[int]) -> Scores:
        """Return the cosines of the candidates with these numbers; no others are encoded."""
        places = candidates(article, self._context)
        return Scores(self.score_texts(entity, [places[number].context for number in numbers]), _NOWHERE)

    def score_texts(self, entity: Entity, texts: Sequence[str]) -> tuple[float, ...]:
        """Return the cosine of each text's best passage."""
        if not texts:
            return ()
        passages = [self._split(ids) for ids in self._passages.inputs.tokens(texts)]
        vectors = self._vectors([passage for of_text in passages for passage in of_text])  # (passages, H)
        starts = np.cumsum([0, *map(len, passages[:-1])])
        best = np.maximum.reduceat(vectors @ self._entity_vector(entity), starts)
        return tuple(map(float, best))

    def _split(self, ids: Ids) -> list[Ids]:
        """Return the overlapping passages of a text; the last one ends with the text."""
        frame, room = self._passages.inputs.special, PASSAGE - _FRAME
        starts = range(0, max(1, len(ids) - room + STRIDE), STRIDE)
        return [(frame.first, *ids[start : start + room], frame.separator) for start in starts]

    def _vectors(self, passages: Sequence[Ids]) -> Vectors:
        keys = {ids: key_of("", ids) for ids in passages}
        vector_of: dict[Ids, Any] = {ids: self._store.get(key) for ids, key in keys.items()}
        missing = [ids for ids, vector in vector_of.items() if vector is None]
        for ids, vectors in zip(missing, self._passages.encoder.encode(missing), strict=True):
            vector_of[ids] = unit(vectors[:1])
            self._store.put(keys[ids], vector_of[ids])
        return np.concatenate([vector_of[ids] for ids in passages])

    def _entity_vector(self, entity: Entity) -> Vectors:
        inputs = self._entities.inputs
        end = self._entities.tokenizer.token_to_id(_TITLE_END)
        title, lead = inputs.tokens([entity.title.strip() or entity.names[0], entity.lead])
        text = (*title, inputs.special.separator if end is None else end, *(lead if entity.lead.strip() else ()))
        ids = (inputs.special.first, *text[: inputs.budget.longest - _FRAME], inputs.special.separator)
        (vectors,) = self._entities.encoder.encode([ids])
        first: Vectors = unit(vectors[:1])[0]
        return first
