"""Files that may be packed, and may be cut off."""

import bz2
import gzip
import io
import lzma
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Protocol

from linkspot.errors import LinkspotError
from linkspot.limits import LIMITS

CUT_OFF = "the archive is cut off"
BOMB = "the archive unpacks to thousands of times its size; the rest of it is left out"


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


def _seven_zip(file: IO[bytes]) -> _Stream:
    from linkspot.corpora.dumps.seven_zip import SevenZipStream

    return SevenZipStream(file)


_UNPACKERS: dict[bytes, Callable[[IO[bytes]], _Stream]] = {
    b"BZh": bz2.open,
    b"\x1f\x8b": gzip.open,
    b"\xfd7zXZ": lzma.open,
    b"\x5d\x00\x00": lzma.open,  # .lzma, the older form
    b"7z\xbc\xaf\x27\x1c": _seven_zip,
}
_LONGEST_MAGIC = max(map(len, _UNPACKERS))


class Packed:
    """The unpacked bytes of a file; at a cut or damage in the archive they end, and that is counted."""

    def __init__(self, path: Path, rejects: Counter[str]) -> None:
        self._file = path.open("rb")
        self._size = path.stat().st_size
        self._rejects = rejects
        self._unpacked = 0
        try:
            self._stream = _unpacked(self._file)
        except LinkspotError:
            self._file.close()
            raise

    @property
    def share(self) -> float:
        """How much of the file has been read, from 0 to 1."""
        return 1.0 if self._file.closed or not self._size else self._file.tell() / self._size

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, or none at the end."""
        if self._unpacked > LIMITS.unpacked_free + LIMITS.unpacked_ratio * self._size:
            self._rejects[BOMB] = 1  # however often it is asked for more
            return b""
        try:
            chunk = self._stream.read(size)
        except (EOFError, OSError, lzma.LZMAError, zlib.error):
            self._rejects[CUT_OFF] += 1
            return b""
        self._unpacked += len(chunk)
        return chunk

    def buffered(self) -> io.BufferedReader:
        """Return the bytes as a file of Python, which has lines; closing it closes this."""
        return io.BufferedReader(_Raw(self))

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
        self._file.close()


class _Raw(io.RawIOBase):
    """Packed bytes as Python's buffers want them."""

    def __init__(self, packed: Packed) -> None:
        self._packed = packed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._packed.read(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        self._packed.close()
        super().close()


def _unpacked(file: IO[bytes]) -> _Stream:
    beginning = file.read(_LONGEST_MAGIC)
    file.seek(0)
    for magic, unpack in _UNPACKERS.items():
        if beginning.startswith(magic):
            return unpack(file)
    return file
