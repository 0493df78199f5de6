"""A unigram tokenizer whose vocabulary is a memory-mapped trie: it opens at once and takes little memory.

It gives the same tokens as the library tokenizers with the same vocabulary. That library needs a second and 290 MB to
read a vocabulary of 250,000 tokens; only the vocabulary is slow, so the library still normalises texts and cuts them
into words.
"""

import json
import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import marisa_trie
import numpy as np
from safetensors.numpy import load_file, save_file

from linkspot.encoders import packed
from linkspot.errors import UnusableInput, first_line
from linkspot.remembering import remembered
from linkspot.text.whole_characters import with_whole_characters

_TRIE, _NUMBERS, _SETTINGS = "pieces.trie", "pieces.safetensors", "pieces.json"
_FILES = (_TRIE, _NUMBERS, _SETTINGS)
TOKENIZER = "tokenizer.json"  # of the library tokenizers
_DIGEST = "digest"  # of the trie and the numbers, in the settings
_TRUSTED = frozenset({"a335f4e4320b70885cb36968794874c1"})  # of the model that comes with linkspot
_STEPS = ("normalizer", "pre_tokenizer")  # what is done to a text before its words are cut into tokens
_STRIPS = ("lstrip", "rstrip")
_BLANKS = r"[^\S\x1c-\x1f]*"  # what Unicode calls white space; Python counts four separators more
_UNKNOWN_PENALTY = 10.0  # how much less than the rarest token an unknown letter scores, as in sentencepiece
_WORDS_KEPT, _LONGEST_KEPT = 8_192, 64  # a text without spaces may be one word
_UNREACHED = float("-inf")

Ids = tuple[int, ...]


class UnigramTokenizer:
    """Cuts words into the most likely tokens of a vocabulary."""

    def __init__(self, folder: Path) -> None:
        try:
            self._read(folder)
        except Exception as error:  # noqa: BLE001 (a damaged file can mean anything, and tokenizers raises Exception)
            raise UnusableInput(
                f"the tokenizer of {folder} cannot be read; export the model again ({first_line(error)})"
            ) from None
        self._of_word = remembered(_WORDS_KEPT, _LONGEST_KEPT)(self._cut)

    def _read(self, folder: Path) -> None:
        settings = json.loads((folder / _SETTINGS).read_text(encoding="utf-8"))
        # A damaged trie would crash the process, not raise: nothing in it is checked when it is read.
        if settings[_DIGEST] != _digest_of(folder):
            raise UnusableInput(f"{_TRIE} or {_NUMBERS} is not as it was exported")
        if settings[_DIGEST] in _TRUSTED:
            numbers = load_file(folder / _NUMBERS)
            self._trie = marisa_trie.Trie().mmap(str(folder / _TRIE))
        else:  # the digest shows no intent, and a trie of strangers may be made to crash the process
            self._trie, numbers = _tables_of(json.loads(packed.read(folder / TOKENIZER)))
        self._normalizer, self._pre_tokenizer = _steps(settings)
        if self._pre_tokenizer is None:
            raise UnusableInput("it has no pre_tokenizer")
        # By the trie's own numbers; plain lists, because single numbers of an array are slow to read.
        self._ids: list[int] = numbers["ids"].tolist()
        self._scores: list[float] = numbers["scores"].tolist()
        self._unknown = _number(settings, "unknown")
        self._unknown_score = min(self._scores) - _UNKNOWN_PENALTY
        self._longest = _number(settings, "longest")
        special: dict[str, dict[str, Any]] = settings["special"]
        self._special = {content: _number(token, "id") for content, token in special.items()}
        longest_first = sorted(special, key=len, reverse=True)
        patterns = [_pattern(content, special[content]) for content in longest_first]
        self._special_pattern = re.compile(f"({'|'.join(patterns) or '(?!)'})")

    def ids(self, texts: Sequence[str]) -> list[Ids]:
        """Return the ids of each text."""
        return [tuple(token for word in self._words(text) for token in word) for text in texts]

    def _words(self, text: str) -> Iterator[Ids]:
        """Yield the ids of each word; special tokens stand for themselves wherever they are written."""
        for number, part in enumerate(self._special_pattern.split(with_whole_characters(text))):
            if number % 2:
                yield (self._special[part.strip()],)
            elif part:
                normal = self._normalizer.normalize_str(part) if self._normalizer else part
                yield from (self._of_word(word) for word, _range in self._pre_tokenizer.pre_tokenize_str(normal))

    def _cut(self, word: str) -> Ids:
        """Return the most likely tokens of a word: Viterbi's algorithm from letter to letter."""
        best = [0.0, *[_UNREACHED] * len(word)]  # the score of the tokens up to each letter
        came_from: list[tuple[int, int]] = [(0, 0)] * (len(word) + 1)  # the last of them: where it begins, and its id
        for start in range(len(word)):
            knows_letter = False
            for text, number in self._trie.iter_prefixes_with_ids(word[start : start + self._longest]):
                end, score = start + len(text), best[start] + self._scores[number]
                knows_letter |= len(text) == 1
                if score > best[end]:
                    best[end], came_from[end] = score, (start, self._ids[number])
            if not knows_letter and best[start] + self._unknown_score > best[start + 1]:
                best[start + 1] = best[start] + self._unknown_score
                came_from[start + 1] = (start, self._unknown)
        return tuple(reversed(list(self._backwards(came_from))))

    def _backwards(self, came_from: Sequence[tuple[int, int]]) -> Iterator[int]:
        """Yield the ids of the tokens from the end; unknown letters in a row are one token."""
        end, later = len(came_from) - 1, -1
        while end > 0:
            end, token = came_from[end]
            if not (token == later == self._unknown):
                yield token
            later = token


def is_in(folder: Path) -> bool:
    """Return whether a folder has the files of a unigram tokenizer; those of an older export cannot be checked."""
    return all((folder / name).is_file() for name in _FILES) and not _lacks_digest(folder)


def _lacks_digest(folder: Path) -> bool:
    try:
        settings = json.loads((folder / _SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # it is damaged, not old
        return False
    return isinstance(settings, dict) and _DIGEST not in settings


def write_unigram_tokenizer(tokenizer: bytes, folder: Path) -> bool:
    """Write a file of the library tokenizers as a unigram tokenizer, if it is one that this class can replace."""
    source = json.loads(tokenizer)
    if not _is_known(source):
        return False
    trie, numbers = _tables_of(source)
    trie.save(str(folder / _TRIE))
    save_file(numbers, folder / _NUMBERS)
    settings = {
        **{step: source[step] for step in _STEPS},
        "special": {
            token["content"]: {name: token[name] for name in ("id", *_STRIPS)} for token in source["added_tokens"]
        },
        "unknown": source["model"]["unk_id"],
        "longest": max(len(text) for text, _ in source["model"]["vocab"]),
        _DIGEST: _digest_of(folder),
    }
    (folder / _SETTINGS).write_text(json.dumps(settings, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return True


def _tables_of(source: dict[str, Any]) -> tuple[marisa_trie.Trie, dict[str, Any]]:
    """Return the trie of a tokenizer's vocabulary, and the ids and scores of its tokens in the trie's own order."""
    if not _is_known(source):
        raise UnusableInput(f"its {TOKENIZER} is of another kind")
    vocabulary = {text: (token, float(score)) for token, (text, score) in enumerate(source["model"]["vocab"])}
    trie = marisa_trie.Trie(vocabulary)
    ordered = [vocabulary[trie.restore_key(number)] for number in range(len(trie))]
    ids, scores = np.array([token for token, _ in ordered], np.int32), np.array([score for _, score in ordered])
    return trie, {"ids": ids, "scores": scores}


def _digest_of(folder: Path) -> str:
    digest = blake2b(digest_size=16)
    for name in (_TRIE, _NUMBERS):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()


def _number(settings: dict[str, Any], name: str) -> int:
    number = settings[name]
    if type(number) is not int or number < 0:
        raise UnusableInput(f"{name} is {number!r}, not a whole number")
    return number


def _is_known(source: dict[str, Any]) -> bool:
    """Return whether a tokenizer does nothing that `UnigramTokenizer` does not do."""
    model = source["model"]
    return (
        model["type"] == "Unigram"
        and model.get("unk_id") is not None
        and not model.get("byte_fallback")
        and len({text for text, _ in model["vocab"]}) == len(model["vocab"])
        and source["pre_tokenizer"] is not None
        and '"prepend_scheme": "first"'
        not in json.dumps(source["pre_tokenizer"])  # words do not know where they are in a text
        and not any(token["single_word"] or token["normalized"] for token in source["added_tokens"])
        and all(token["content"] == token["content"].strip() for token in source["added_tokens"])
    )


def _pattern(content: str, token: dict[str, Any]) -> str:
    """Return the pattern of a special token in a text: some include the blanks beside them."""
    left, right = (_BLANKS if token[strip] else "" for strip in _STRIPS)
    return left + re.escape(content) + right


def _steps(settings: dict[str, Any]) -> tuple[Any, Any]:
    """Return the library's normaliser, if there is one, and what cuts texts into words."""
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
