"""The cache of answers: the latest ones in memory, more of them on the disk; both are bounded in bytes."""

import sqlite3
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path

_FILE = "answers.sqlite"
_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, content BLOB NOT NULL, size INTEGER NOT NULL, number INTEGER NOT NULL
) WITHOUT ROWID
"""
_KEY_BYTES = 100  # of an entry besides its content, roughly


class KeptAnswers:
    """Answers by a digest of all that they depend on, so that none is ever out of date.

    A disk that is full or broken costs only time: the answers are then kept in memory alone.
    """

    def __init__(self, memory_bytes: int, folder: Path | None, disk_bytes: int) -> None:
        self._memory: OrderedDict[str, bytes] = OrderedDict()
        self._memory_bytes, self._used = memory_bytes, 0
        self._disk = _DiskAnswers(folder, disk_bytes) if folder and disk_bytes else None

    def get(self, key: str) -> bytes | None:
        """Return the answer with this key, None if it is not kept."""
        if key in self._memory:
            self._memory.move_to_end(key)
            return self._memory[key]
        content = self._disk.get(key) if self._disk else None
        if content is not None:
            self._remember(key, content)
        return content

    def put(self, key: str, content: bytes) -> None:
        """Keep an answer."""
        self._remember(key, content)
        if self._disk:
            self._disk.put(key, content)

    @property
    def memory_used(self) -> int:
        """The bytes of the answers in memory."""
        return self._used

    def close(self) -> None:
        """Close the file."""
        if self._disk:
            self._disk.close()

    def _remember(self, key: str, content: bytes) -> None:
        self._used += len(content) + _KEY_BYTES
        if key in self._memory:
            self._used -= len(self._memory[key]) + _KEY_BYTES
        self._memory[key] = content
        self._memory.move_to_end(key)
        while self._used > self._memory_bytes and self._memory:
            _, dropped = self._memory.popitem(last=False)
            self._used -= len(dropped) + _KEY_BYTES


class _DiskAnswers:
    """Answers in a file of SQLite; when it is full, those that were written first are dropped."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._connection: sqlite3.Connection | None = None
        self._used = self._number = 0
        with suppress(OSError, sqlite3.Error):
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(folder / _FILE, timeout=1.0, isolation_level=None)
            self._connection.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; {_TABLE};")
            self._connection.execute("CREATE INDEX IF NOT EXISTS by_number ON answers (number)")
            question = "SELECT COALESCE(SUM(size), 0), COALESCE(MAX(number), 0) FROM answers"
            self._used, self._number = self._connection.execute(question).fetchone()

    def get(self, key: str) -> bytes | None:
        """Return the answer with this key."""
        if self._connection is None:
            return None
        with suppress(sqlite3.Error):
            row = self._connection.execute("SELECT content FROM answers WHERE key = ?", (key,)).fetchone()
            return None if row is None else bytes(row[0])
        return None

    def put(self, key: str, content: bytes) -> None:
        """Keep an answer, if the disk takes it."""
        size = len(content) + _KEY_BYTES
        if self._connection is None or size > self._most_bytes:
            return
        with suppress(sqlite3.Error):
            self._number += 1
            row = (key, content, size, self._number)
            done = self._connection.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", row)
            self._used += size * done.rowcount
            while self._used > self._most_bytes:
                self._drop_oldest()

    def close(self) -> None:
        """Close the file."""
        if self._connection:
            self._connection.close()

    def _drop_oldest(self) -> None:
        if self._connection is None:
            return
        oldest = "SELECT key, size FROM answers ORDER BY number LIMIT 100"
        rows = self._connection.execute(oldest).fetchall()
        for key, size in rows:
            if self._used <= self._most_bytes:
                return
            self._connection.execute("DELETE FROM answers WHERE key = ?", (key,))
            self._used -= size
        if not rows:  # another process has emptied the file
            self._used = 0
