"""The answers of a language model, kept on disk as they come: no question is paid for twice."""

import json
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from linkspot.errors import UnusableInput, UnwritableTable, first_line
from linkspot.ranking.llm.endpoint import Reply, Request

_OURS = 0x4C53504C  # marks the file as one of these, and not another program's
_SECONDS_FOR_A_WRITER = 60.0
_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    key BLOB PRIMARY KEY,
    model TEXT NOT NULL,
    text TEXT NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL
) WITHOUT ROWID
"""


class AnswerCache:
    """Replies by their requests, in an SQLite file that several threads and processes may use; or in memory.

    The key is a hash of the whole request, model and prompt included, but not of the endpoint's address.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        with self._guarded():
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path or ":memory:", _SECONDS_FOR_A_WRITER, check_same_thread=False)
        weakref.finalize(self, self._file.close)  # in case it is never closed
        try:
            with self._guarded():
                self._begin()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "AnswerCache":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        with self._guarded():
            return int(self._file.execute("SELECT count(*) FROM answers").fetchone()[0])

    def __contains__(self, request: Request) -> bool:
        return self.get(request) is not None

    def get(self, request: Request) -> Reply | None:
        """Return the answer to a request, or None."""
        query = "SELECT text, tokens_in, tokens_out FROM answers WHERE key = ?"
        with self._guarded():
            row = self._file.execute(query, (_key(request),)).fetchone()
        return Reply(*row) if row else None

    def replies(self) -> list[Reply]:
        """Return all answers, in no particular order."""
        with self._guarded():
            return [Reply(*row) for row in self._file.execute("SELECT text, tokens_in, tokens_out FROM answers")]

    def put(self, request: Request, reply: Reply) -> None:
        """Keep an answer; it is on disk when this returns."""
        row = (_key(request), str(request.get("model", "")), reply.text, reply.tokens_in, reply.tokens_out)
        with self._guarded(), self._file:
            self._file.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", row)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _begin(self) -> None:
        (mark,) = self._file.execute("PRAGMA application_id").fetchone()
        if mark != _OURS:
            if self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise UnusableInput(f"{self._path} is the database of another program; name a new file for the answers")
            self._file.execute(f"PRAGMA application_id = {_OURS}")
        with self._file:
            self._file.execute(_TABLE)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Let one thread in at a time, and turn errors of the database or the disk into one line."""
        try:
            with self._lock:
                yield
        except (sqlite3.OperationalError, OSError) as error:
            raise UnwritableTable(
                f"{self._path} cannot keep answers: {first_line(error)}; make room or name another file, "
                "answers so far are kept"
            ) from error
        except sqlite3.DatabaseError as error:
            raise UnusableInput(
                f"{self._path} does not hold answers that can be read ({first_line(error)}); name a new file for them"
            ) from error


def _key(request: Request) -> bytes:
    return sha256(json.dumps(request, sort_keys=True).encode()).digest()
