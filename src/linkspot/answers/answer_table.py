"""Answers as a table: one row for each place; `Answers.to_arrow` describes the columns."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from linkspot.answers.answer import Answer
from linkspot.extras import Extra, require
from linkspot.records import Place

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

COLUMNS: dict[str, str] = {
    "answer": "int64",
    "page_title": "string",
    "page_id": "string",
    "language": "string",
    "target_title": "string",
    "target_id": "string",
    "nowhere": "bool",
    "nowhere_probability": "float64",
    "rank": "int64",
    "score": "float64",
    "probability": "float64",
    "action": "string",
    "section": "string",
    "sentence": "string",
    "reason": "string",
    "link": "string",
    "source_start": "int64",
    "source_end": "int64",
}
"""The columns and their Arrow types."""
_PANDAS_TYPES = {"bool": "bool", "int64": "Int64", "float64": "float64", "string": "string"}  # Int64 may be missing


def to_arrow(answers: Iterable[Answer]) -> "pa.Table":
    """Return the answers as an Arrow table."""
    require(Extra.DATA, "to_arrow()", ("pyarrow",))
    import pyarrow as pa

    schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in COLUMNS.items()])
    return pa.Table.from_pydict(_columns(answers), schema)


def to_pandas(answers: Iterable[Answer]) -> "pd.DataFrame":
    """Return the answers as a pandas data frame."""
    require(Extra.DATA, "to_pandas()", ("pandas",))
    import pandas as pd

    columns = _columns(answers)
    return pd.DataFrame({name: pd.array(columns[name], _PANDAS_TYPES[kind]) for name, kind in COLUMNS.items()})


def _columns(answers: Iterable[Answer]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for number, answer in enumerate(answers):
        for rank, place in enumerate(answer.places or (None,), start=1):
            row = {"answer": number} | _of_answer(answer) | (_of_place(answer, rank, place) if place else {})
            for name, values in columns.items():
                values.append(row.get(name))
    return columns


def _of_answer(answer: Answer) -> dict[str, Any]:
    return {
        "page_title": answer.article.title,
        "page_id": answer.article.id,
        "language": answer.article.language,
        "target_title": answer.entity.names[0],
        "target_id": answer.entity.id,
        "nowhere": answer.is_nowhere,
        "nowhere_probability": answer.nowhere,
    }


def _of_place(answer: Answer, rank: int, place: Place) -> dict[str, Any]:
    return {
        "rank": rank,
        "score": place.score,
        "probability": place.probability,
        "action": str(place.action),
        "section": answer.article.sections[place.section].title,
        "sentence": place.text,
        "reason": place.reason,
        "link": place.link or None,
        "source_start": place.source.start,
        "source_end": place.source.end,
    }
