"""Gathered rankings: the rankings of one model for each language, put together as if one ranker had made them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from linkspot.errors import BrokenRun
from linkspot.evaluation.stored import QUERIES, RANKING, RANKINGS
from linkspot.files import unfinished
from linkspot.tables.folder import TableFolder


def gather(label: str, rankings: Path, parts: Path, languages: tuple[str, ...]) -> None:
    """Store the rankings of a variant's models, each in `parts`/LANGUAGE, as one ranker's in `rankings`."""
    folder = TableFolder(rankings)
    if folder.has(f"{RANKINGS}/{label}"):
        return
    ranked: dict[tuple[str, str], dict[str, Any]] = {}
    are_logits = []
    for language in languages:
        are_logits.append(TableFolder(parts / language).manifest()["rankers"][label]["logits"])
        queries, rows = _rows(parts / language / QUERIES), _rows(parts / language / RANKINGS / label)
        ranked.update({_event(query): row for query, row in zip(queries, rows, strict=True)})
    queries = _rows(folder.table(QUERIES))
    missing = [query["event"] for query in queries if _event(query) not in ranked]
    if missing:
        raise BrokenRun(f"{rankings} has the query {missing[0]}, which no model of {label} ranked; delete it and rerun")
    known = folder.manifest().get("rankers", {})
    facts = {"mark": f"a model for each of {', '.join(languages)}", "logits": all(are_logits)}
    folder.record({"rankers": {**known, label: facts}})
    rows = [{**ranked[_event(query)], "query": query["query"]} for query in queries]
    with unfinished(folder.table(f"{RANKINGS}/{label}")) as path:
        path.mkdir()
        pq.write_table(pa.Table.from_pylist(rows, RANKING), path / "gathered.parquet", compression="zstd")


def _event(query: Mapping[str, Any]) -> tuple[str, str]:
    return query["corpus"], query["event"]


def _rows(table: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = ds.dataset(table, format="parquet").to_table().sort_by("query").to_pylist()
    return rows
