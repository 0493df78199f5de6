"""What further processes do: they work on shards. They do not import DuckDB and Ibis, so they start quickly."""

import multiprocessing
import os
import pickle
import threading
import traceback
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from linkspot.engines.engine import Shard, ShardWork
from linkspot.errors import BrokenRun, first_line
from linkspot.files import unfinished


def run_shard(work: ShardWork, shard: Shard, path: Path) -> None:
    """Write the rows of a shard into a file of its own, whole or not at all."""
    table = pa.Table.from_pylist(work.run(shard), work.schema)
    with unfinished(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def serve_shards(connection: Connection) -> None:
    """Work on the shards that the parent sends, one after another, and answer what went wrong with each, or None."""
    _end_with_parent()
    while True:
        try:
            work, shard, path = connection.recv()
        except EOFError:
            return
        try:
            run_shard(work, shard, path)
            answer = None
        except Exception as error:  # noqa: BLE001 (the parent raises it)
            answer = _that_can_travel(error)
        connection.send(answer)


def _that_can_travel(error: Exception) -> Exception:
    """Return the error, or one that can be pickled; a note says where it was raised."""
    error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 (whatever its class raises)
        return BrokenRun(f"{type(error).__name__}: {first_line(error)}")
    return error


def _end_with_parent() -> None:
    """End this process when its parent ends, even if that is killed."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            wait_for([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
