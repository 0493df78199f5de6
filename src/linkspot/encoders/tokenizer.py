"""Tokenizers: texts to token ids, by the tokenizers library or by a model's own unigram tokenizer."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from linkspot.encoders import packed, unigram_tokenizer
from linkspot.errors import UnusableInput
from linkspot.text.whole_characters import with_whole_characters

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Ids = unigram_tokenizer.Ids
TOKENIZER = unigram_tokenizer.TOKENIZER


class TextTokenizer(Protocol):
    """Turns texts into token ids."""

    def ids(self, texts: Sequence[str]) -> list[Ids]:
        """Return all ids of each text, without special tokens around it."""
        ...


class FastTokenizer:
    """A tokenizer of the library tokenizers."""

    def __init__(self, tokenizer: "Tokenizer") -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer

    def ids(self, texts: Sequence[str]) -> list[Ids]:
        """Return the ids of each text."""
        whole = [with_whole_characters(text) for text in texts]
        return [tuple(encoding.ids) for encoding in self._tokenizer.encode_batch(whole, add_special_tokens=False)]


def open_tokenizer(folder: Path) -> TextTokenizer:
    """Return the tokenizer that a model's folder keeps."""
    if unigram_tokenizer.is_in(folder):
        return unigram_tokenizer.UnigramTokenizer(folder)
    from tokenizers import Tokenizer

    path = folder / TOKENIZER
    if not packed.is_there(path):
        raise UnusableInput(f"{folder} has no {TOKENIZER}; save a fast tokenizer beside the encoder")
    return FastTokenizer(Tokenizer.from_buffer(packed.read(path)))
