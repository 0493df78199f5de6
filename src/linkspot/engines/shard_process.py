"""What further processes do: they work on shards. They do not import DuckDB and Ibis, so they start quickly."""

import multiprocessing
import os
import threading
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from linkspot.engines.engine import Shard, ShardWork
from linkspot.files import unfinished


def run_shard(work: ShardWork, shard: Shard, path: Path) -> None:
    """Write the rows of a shard into a file of its own, whole or not at all."""
    table = pa.Table.from_pylist(work.run(shard), work.schema)
    with unfinished(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def end_with_parent(listening: Connection) -> None:
    """End this process when its parent ends, even if that is killed, or closes its end of the pipe."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            wait_for([parent.sentinel, listening])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
