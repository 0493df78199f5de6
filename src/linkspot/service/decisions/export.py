"""Decisions as a file: Parquet, or JSON on each line."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from linkspot.errors import UnusableInput
from linkspot.extras import Extra, require
from linkspot.files import unfinished
from linkspot.service.decisions.decision import Decision

_BATCH = 10_000


def export(decisions: Iterable[Decision], out: Path) -> int:
    """Write decisions to a file of the form that its ending names, complete or not at all; returns how many."""
    write = writer_of(out)
    with unfinished(out) as file:
        return write(decisions, file)


def writer_of(out: Path) -> Callable[[Iterable[Decision], Path], int]:
    """Return what writes a file with this ending."""
    if out.suffix == ".parquet":
        require(Extra.DATA, "a Parquet file", ("pyarrow",))
        return _to_parquet
    if out.suffix in {".jsonl", ".ndjson"}:
        return _to_json_lines
    raise UnusableInput(f"{out.name} does not say its form; end it with .parquet or .jsonl")


def _to_json_lines(decisions: Iterable[Decision], file: Path) -> int:
    number = 0
    with file.open("w", encoding="utf-8", newline="\n") as stream:
        for decision in decisions:
            stream.write(json.dumps(asdict(decision), ensure_ascii=False) + "\n")
            number += 1
    return number


def _to_parquet(decisions: Iterable[Decision], file: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    numbers = {"revision": pa.int64(), "start": pa.int64(), "end": pa.int64(), "rank": pa.int64()}
    types = numbers | {"probability": pa.float64()}
    schema = pa.schema([(name, types.get(name, pa.string())) for name in Decision.__slots__])
    number = 0
    with pq.ParquetWriter(file, schema) as writer:
        for rows in _batches(decisions):
            writer.write_table(pa.Table.from_pylist([asdict(row) for row in rows], schema))
            number += len(rows)
    return number


def _batches(decisions: Iterable[Decision]) -> Iterator[tuple[Decision, ...]]:
    rows = iter(decisions)
    while batch := tuple(islice(rows, _BATCH)):
        yield batch
