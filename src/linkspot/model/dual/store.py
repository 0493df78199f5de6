"""A store of vectors: one file, appended to and memory-mapped, so that nothing is encoded twice.

The file begins with a magic word and the length of its vectors; each record is a key, a count of vectors, a checksum of
both, and the vectors as float16. A writer that is killed leaves at most one unfinished record at the end, which the
next writer ignores and overwrites.
"""

import mmap
import os
import struct
import zlib
from collections.abc import Iterator
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from typing import Protocol

import numpy as np
from filelock import FileLock, Timeout

from linkspot.encoders.encoder import TokenIds, Vectors
from linkspot.errors import UnusableInput
from linkspot.files import writing

_MAGIC = b"LSPOTV01"
_HEAD = struct.Struct("<8sI")  # the magic word, dimensions
_RECORD = struct.Struct("<16sII")  # key, vectors, checksum of both
_OVERHEAD = 256  # bytes of memory beside the numbers: the key, the array's record, the place in a dictionary
_SIZE = np.dtype(np.float16).itemsize

Key = bytes


def key_of(identity: str, ids: TokenIds, *facts: object) -> Key:
    """Return the key of a text: the encoder's identity, the text's tokens, and what else its vectors depend on."""
    digest = blake2b(f"{identity}\n{facts}\n".encode(), digest_size=16)
    digest.update(np.asarray(ids, dtype=np.int32).tobytes())
    return digest.digest()


class Store(Protocol):
    """Keeps vectors by their keys."""

    def __contains__(self, key: Key) -> bool: ...

    def get(self, key: Key) -> Vectors | None:
        """Return the vectors that are kept under a key, (count, dimensions), or None."""
        ...

    def put(self, key: Key, vectors: Vectors) -> None:
        """Keep vectors, (count, dimensions), under a key; a key that is known keeps its vectors."""
        ...


class MemoryStore:
    """Keeps vectors while the program runs: those that were used last, in at most so many bytes.

    A target that is compared with page after page stays, while the pages before it go.
    """

    def __init__(self, most_bytes: int = 48 << 20) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: dict[Key, Vectors] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._kept

    def get(self, key: Key) -> Vectors | None:
        """Return the vectors that are kept under a key."""
        vectors = self._kept.pop(key, None)
        if vectors is not None:
            self._kept[key] = vectors  # last in the dictionary: the last to go
        return vectors

    def put(self, key: Key, vectors: Vectors) -> None:
        """Keep vectors under a key; those that were not used for the longest time make room."""
        self._forget(key)
        self._kept[key] = vectors
        self._bytes += _kept_bytes(vectors)
        while self._bytes > self._most_bytes:
            self._forget(next(iter(self._kept)))

    def _forget(self, key: Key) -> None:
        vectors = self._kept.pop(key, None)
        if vectors is not None:
            self._bytes -= _kept_bytes(vectors)


def _kept_bytes(vectors: Vectors) -> int:
    return vectors.nbytes + _OVERHEAD


class VectorStore:
    """Vectors by their keys, in one file; several may read it while one writes.

    A reader sees what was there when it opened the file.
    """

    def __init__(self, path: Path, dimensions: int, *, read_only: bool = False) -> None:
        self._path, self._dimensions = path, dimensions
        self._offsets: dict[Key, tuple[int, int]] = {}
        self._lock: FileLock | None = None
        with writing(path):
            if not read_only:
                self._lock = _locked(path)
            self._file = self._opened(read_only)
        self._map: mmap.mmap | None = None
        self._end = self._scan()
        if not read_only:
            self._file.truncate(self._end)

    def __enter__(self) -> "VectorStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._offsets)

    def __contains__(self, key: Key) -> bool:
        return key in self._offsets

    def get(self, key: Key) -> Vectors | None:
        """Return the vectors that are kept under a key, (count, dimensions), or None."""
        entry = self._offsets.get(key)
        if entry is None:
            return None
        start, count = entry
        kept = np.frombuffer(self._mapped(self._end), np.float16, count * self._dimensions, start)
        return kept.reshape(count, self._dimensions).astype(np.float32)

    def put(self, key: Key, vectors: Vectors) -> None:
        """Keep vectors, (count, dimensions), under a key; a key that is known keeps its vectors."""
        if self._lock is None:
            raise UnusableInput(f"{self._path} was opened read-only; open it without read_only to write")
        if key in self._offsets:
            return
        count = len(vectors)
        record = _record(key, count) + np.asarray(vectors, dtype=np.float16).tobytes()
        with writing(self._path):
            os.pwrite(self._file.fileno(), record, self._end)
        self._offsets[key] = (self._end + _RECORD.size, count)
        self._end += len(record)

    def close(self) -> None:
        """Close the file and release its lock."""
        self._map = None  # closed with the last array that looks into it
        self._file.close()
        if self._lock is not None:
            self._lock.release()

    def _opened(self, read_only: bool) -> FileIO:
        if not read_only and (not self._path.exists() or self._path.stat().st_size < _HEAD.size):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_bytes(_HEAD.pack(_MAGIC, self._dimensions))
        if not self._path.is_file():
            raise UnusableInput(f"there is no store of vectors at {self._path}; open it without read_only to make one")
        file = FileIO(self._path, "r" if read_only else "r+")
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size or _HEAD.unpack(head) != (_MAGIC, self._dimensions):
            file.close()
            raise UnusableInput(
                f"{self._path} does not hold vectors of {self._dimensions} numbers; name another file, or delete it"
            )
        return file

    def _scan(self) -> int:
        """Note the offset of each complete record, and return where the last one ends."""
        size = os.fstat(self._file.fileno()).st_size
        end = _HEAD.size
        for key, count, start in self._records(size):
            self._offsets[key] = (start, count)
            end = start + count * self._dimensions * _SIZE
        return end

    def _records(self, size: int) -> Iterator[tuple[Key, int, int]]:
        offset, mapped = _HEAD.size, self._mapped(size)
        while offset + _RECORD.size <= size:
            key, count, _ = _RECORD.unpack_from(mapped, offset)
            start = offset + _RECORD.size
            offset = start + count * self._dimensions * _SIZE
            if offset > size or mapped[start - _RECORD.size : start] != _record(key, count):
                return
            yield key, count, start

    def _mapped(self, size: int) -> mmap.mmap:
        if self._map is None or len(self._map) < size:
            self._map = mmap.mmap(self._file.fileno(), size, access=mmap.ACCESS_READ)
        return self._map


def _record(key: Key, count: int) -> bytes:
    return _RECORD.pack(key, count, zlib.crc32(key + count.to_bytes(4, "little")))


def _locked(path: Path) -> FileLock:
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path.with_name(f".{path.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise UnusableInput(f"another run is writing to {path}; wait for it, or name another file") from None
    return lock
