"""Leaks: training rows whose text is the same, or nearly the same, as that of a test."""

from collections.abc import Iterator
from functools import lru_cache

import ibis
import pyarrow as pa
from ibis import _

from linkspot.text.words import words

_QUESTION = ["language", "target_key"]
_TEXT = [*_QUESTION, "context"]
_SHINGLE = 3  # words
_PAIRS_AT_ONCE = 10_000
_TEXTS_KEPT = 5_000  # the pairs of a target's texts follow one another
_SIMILAR = 0.7  # the share of their shingles that two texts have in common


def unleaked(rows: ibis.Table, tests: ibis.Table) -> ibis.Table:
    """Return the rows without those whose text is nearly the same as that of a test with the same target."""
    return rows.anti_join(_leaked(rows, tests), _TEXT)


def _leaked(rows: ibis.Table, tests: ibis.Table) -> ibis.Table:
    test_texts = tests.select(*_QUESTION, test_context=_.context).distinct()
    pairs = rows.select(_TEXT).distinct().inner_join(test_texts, _QUESTION)
    lengths = [_.context.length(), _.test_context.length()]
    # Texts of very different lengths cannot be similar, so few pairs are left to compare.
    near = pairs.filter(ibis.least(*lengths) >= ibis.greatest(*lengths) * _SIMILAR / 2)
    schema = pa.schema([(name, pa.string()) for name in _TEXT])
    return ibis.memtable(pa.Table.from_pylist(list(_similar_texts(near.order_by(_TEXT).to_pyarrow())), schema=schema))


def _similar_texts(pairs: pa.Table) -> Iterator[dict[str, str]]:
    seen = set()
    for batch in pairs.to_batches(_PAIRS_AT_ONCE):
        for pair in batch.to_pylist():
            text = tuple(pair[name] for name in _TEXT)
            if text not in seen and are_similar(pair["context"], pair["test_context"], pair["language"]):
                seen.add(text)
                yield dict(zip(_TEXT, text, strict=True))


def are_similar(first: str, second: str, language: str) -> bool:
    """Return whether two texts share most of their runs of three words."""
    if first == second:
        return True
    shingles, others = _shingles(first, language), _shingles(second, language)
    # Sets of very different sizes share too little, whatever is in them.
    if min(len(shingles), len(others)) < _SIMILAR * max(len(shingles), len(others)):
        return False
    common = len(shingles & others)
    return common >= _SIMILAR * (len(shingles) + len(others) - common)


@lru_cache(_TEXTS_KEPT)
def _shingles(text: str, language: str) -> frozenset[tuple[str, ...]]:
    tokens = words(text, language)
    return frozenset(tuple(tokens[start : start + _SHINGLE]) for start in range(max(1, len(tokens) - _SHINGLE + 1)))
