"""A unigram tokenizer whose vocabulary is a memory-mapped trie: it opens at once and takes little memory.

It says what the library tokenizers says of the same vocabulary. That library needs a second and 290 MB to read one of
250,000 pieces; what takes it so long is the vocabulary alone, so how texts are normalised and cut into words is left
to it.
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import marisa_trie
import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from linkspot.errors import UnusableInput

_TRIE, _NUMBERS, _SETTINGS = "pieces.trie", "pieces.safetensors", "pieces.json"
_FILES = (_TRIE, _NUMBERS, _SETTINGS)
_STEPS = ("normalizer", "pre_tokenizer")  # what is done to a text before its words are cut into pieces
_STRIPS = ("lstrip", "rstrip")
_BLANKS = r"[^\S\x1c-\x1f]*"  # what Unicode calls white space; Python counts four separators more
_UNKNOWN_PENALTY = 10.0  # how much less than the rarest piece an unknown letter counts, as in sentencepiece
_WORDS_KEPT = 16_384
_UNREACHED = float("-inf")

Ids = tuple[int, ...]


class UnigramTokenizer:
    """Cuts words into the pieces of a vocabulary that are likeliest together."""

    def __init__(self, folder: Path) -> None:
        try:
            settings = json.loads((folder / _SETTINGS).read_text(encoding="utf-8"))
            numbers = load_file(folder / _NUMBERS)
            self._trie = marisa_trie.Trie().mmap(str(folder / _TRIE))
        except (OSError, ValueError, RuntimeError, SafetensorError) as error:
            raise UnusableInput(f"the tokenizer of {folder} cannot be read; export the model again ({error})") from None
        self._normalizer, self._pre_tokenizer = _steps(settings)
        # By the trie's own numbers; plain lists, as single numbers of an array are slow to get.
        self._ids: list[int] = numbers["ids"].tolist()
        self._scores: list[float] = numbers["scores"].tolist()
        self._unknown: int = settings["unknown"]
        self._unknown_score = min(self._scores) - _UNKNOWN_PENALTY
        self._longest: int = settings["longest"]
        special: dict[str, dict[str, Any]] = settings["special"]
        self._special: dict[str, int] = {content: one["id"] for content, one in special.items()}
        longest_first = sorted(special, key=len, reverse=True)
        patterns = [_pattern(content, special[content]) for content in longest_first]
        self._special_pattern = re.compile(f"({'|'.join(patterns) or '(?!)'})")
        self._of_word = lru_cache(_WORDS_KEPT)(self._cut)

    def ids(self, texts: Sequence[str]) -> list[Ids]:
        """Return the ids of each text."""
        return [tuple(token for word in self._words(text) for token in word) for text in texts]

    def _words(self, text: str) -> Iterator[Ids]:
        """Yield the ids of each word; special tokens stand for themselves wherever they are written."""
        for number, part in enumerate(self._special_pattern.split(text)):
            if number % 2:
                yield (self._special[part.strip()],)
            elif part:
                normal = self._normalizer.normalize_str(part) if self._normalizer else part
                yield from (self._of_word(word) for word, _range in self._pre_tokenizer.pre_tokenize_str(normal))

    def _cut(self, word: str) -> Ids:
        """Return the likeliest pieces of a word: Viterbi's algorithm from letter to letter."""
        best = [0.0, *[_UNREACHED] * len(word)]  # the score of the pieces up to each letter
        came_from: list[tuple[int, int]] = [(0, 0)] * (len(word) + 1)  # the last of them: where it begins, and its id
        for start in range(len(word)):
            knows_letter = False
            for piece, number in self._trie.iter_prefixes_with_ids(word[start : start + self._longest]):
                end, score = start + len(piece), best[start] + self._scores[number]
                knows_letter |= len(piece) == 1
                if score > best[end]:
                    best[end], came_from[end] = score, (start, self._ids[number])
            if not knows_letter and best[start] + self._unknown_score > best[start + 1]:
                best[start + 1] = best[start] + self._unknown_score
                came_from[start + 1] = (start, self._unknown)
        return tuple(reversed(list(self._backwards(came_from))))

    def _backwards(self, came_from: Sequence[tuple[int, int]]) -> Iterator[int]:
        """Yield the ids of the pieces from the end; unknown letters that follow one another are one."""
        end, later = len(came_from) - 1, -1
        while end > 0:
            end, token = came_from[end]
            if not (token == later == self._unknown):
                yield token
            later = token


def are_there(folder: Path) -> bool:
    """Tell whether a folder has pieces."""
    return all((folder / name).is_file() for name in _FILES)


def write_unigram_tokenizer(tokenizer: bytes, folder: Path) -> bool:
    """Write the pieces of a file of the library tokenizers into a folder, if it is one that they can stand for."""
    told = json.loads(tokenizer)
    if not _is_known(told):
        return False
    pieces = {piece: (token, score) for token, (piece, score) in enumerate(told["model"]["vocab"])}
    trie = marisa_trie.Trie(pieces)
    trie.save(str(folder / _TRIE))
    ordered = [pieces[trie.restore_key(number)] for number in range(len(trie))]
    ids, scores = np.array([token for token, _ in ordered], np.int32), np.array([score for _, score in ordered])
    save_file({"ids": ids, "scores": scores}, folder / _NUMBERS)
    settings = {
        **{step: told[step] for step in _STEPS},
        "special": {one["content"]: {name: one[name] for name in ("id", *_STRIPS)} for one in told["added_tokens"]},
        "unknown": told["model"]["unk_id"],
        "longest": max(map(len, pieces)),
    }
    (folder / _SETTINGS).write_text(json.dumps(settings, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return True


def _is_known(told: dict[str, Any]) -> bool:
    """Tell whether a tokenizer does nothing that pieces do not do."""
    model = told["model"]
    return (
        model["type"] == "Unigram"
        and model.get("unk_id") is not None
        and not model.get("byte_fallback")
        and len({piece for piece, _ in model["vocab"]}) == len(model["vocab"])
        and told["pre_tokenizer"] is not None
        and '"prepend_scheme": "first"' not in json.dumps(told["pre_tokenizer"])  # words know nothing of their place
        and not any(token["single_word"] or token["normalized"] for token in told["added_tokens"])
        and all(token["content"] == token["content"].strip() for token in told["added_tokens"])
    )


def _pattern(content: str, token: dict[str, Any]) -> str:
    """Return what stands for a special token in a text: some take the blanks beside them along."""
    left, right = (_BLANKS if token[strip] else "" for strip in _STRIPS)
    return left + re.escape(content) + right


def _steps(settings: dict[str, Any]) -> tuple[Any, Any]:
    """Return the library's normaliser, if there is any, and what cuts texts into words."""
    from tokenizers import Tokenizer

    bare = {
        "version": "1.0",
        "added_tokens": [],
        "truncation": None,
        "padding": None,
        "post_processor": None,
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": None, "vocab": []},
        **{step: settings[step] for step in _STEPS},
    }
    tokenizer = Tokenizer.from_str(json.dumps(bare))
    return tokenizer.normalizer, tokenizer.pre_tokenizer
