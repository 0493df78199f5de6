"""Leaks: rows that would train although their text, to the word or nearly so, is what a test asks for."""

from collections.abc import Iterator

import ibis
import pyarrow as pa
from ibis import _

from linkspot.text.words import words

_QUESTION = ["language", "target_key"]
_TEXT = [*_QUESTION, "context"]
_SHINGLE = 3  # words
_ALIKE = 0.7  # of all shingles that two texts have, so many are in both


def unleaked(rows: ibis.Table, tests: ibis.Table) -> ibis.Table:
    """Return the rows without those whose text is nearly that of a test for a link to the same target."""
    return rows.anti_join(_leaked(rows, tests), _TEXT)


def _leaked(rows: ibis.Table, tests: ibis.Table) -> ibis.Table:
    asked = tests.select(*_QUESTION, asked=_.context).distinct()
    pairs = rows.select(_TEXT).distinct().inner_join(asked, _QUESTION)
    both = [_.context.length(), _.asked.length()]
    # Texts of unlike length are not alike: few pairs are left to be looked at.
    near = pairs.filter(ibis.least(*both) >= ibis.greatest(*both) * _ALIKE / 2)
    schema = pa.schema([(name, pa.string()) for name in _TEXT])
    return ibis.memtable(pa.Table.from_pylist(list(_alike(near.to_pyarrow())), schema=schema))


def _alike(pairs: pa.Table) -> Iterator[dict[str, str]]:
    found = set()
    for pair in pairs.to_pylist():
        text = tuple(pair[name] for name in _TEXT)
        if text not in found and are_alike(pair["context"], pair["asked"], pair["language"]):
            found.add(text)
            yield dict(zip(_TEXT, text, strict=True))


def are_alike(one: str, other: str, language: str) -> bool:
    """Return whether two texts share nearly all runs of three words."""
    if one == other:
        return True
    first, second = (_shingles(text, language) for text in (one, other))
    return len(first & second) >= _ALIKE * len(first | second)


def _shingles(text: str, language: str) -> frozenset[tuple[str, ...]]:
    found = words(text, language)
    return frozenset(tuple(found[start : start + _SHINGLE]) for start in range(max(1, len(found) - _SHINGLE + 1)))
