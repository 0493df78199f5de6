"""7z archives, unpacked as a stream: py7zr writes into one end of a short queue while the other end is read."""

import io
from queue import Full, Queue
from threading import Event, Thread
from typing import IO, Any, cast

from linkspot.errors import UnreadablePage
from linkspot.extras import Extra, require

_SIP = 1 << 12  # packed bytes at a time; they become about a megabyte, since histories shrink to a hundredth
_WAITING = 2  # unpacked chunks between the writer and the reader
_PATIENCE = 0.2  # seconds after which the writer checks whether anyone still reads


class SevenZipStream:
    """The unpacked bytes of an archive's first XML file, or of its first file if it has none."""

    def __init__(self, file: IO[bytes]) -> None:
        sipped = _SippedFile(file)
        self._archive = _opened(sipped, getattr(file, "name", "the archive"))
        sipped.is_sipped = True
        self._pipe = _Pipe()
        self._writer: Thread | None = None
        self._rest = memoryview(b"")

    def read(self, size: int) -> bytes:
        """Return the next bytes, at most `size` of them, and none at the end; a damaged archive ends in an EOFError."""
        if self._writer is None:
            self._writer = Thread(target=self._unpack, daemon=True)
            self._writer.start()
        if not self._rest:
            self._rest = memoryview(self._pipe.take())
        chunk, self._rest = bytes(self._rest[:size]), self._rest[size:]
        return chunk

    def close(self) -> None:
        """Stop unpacking."""
        self._pipe.is_closed.set()
        if self._writer is not None:
            self._writer.join()

    def _unpack(self) -> None:
        try:
            names = self._archive.getnames()
            targets = [*(name for name in names if name.lower().endswith(".xml")), *names][:1]
            if targets:
                self._archive.extract(targets=targets, factory=self._pipe)
        except Exception as fault:  # noqa: BLE001 (whatever is wrong with an archive, its reader has to know)
            self._pipe.put(fault)
        else:
            self._pipe.put(b"")


class _Pipe:
    """A short queue of chunks; to py7zr, the maker of files to write to and the only such file."""

    def __init__(self) -> None:
        self.is_closed = Event()
        self._chunks: Queue[bytes | Exception] = Queue(_WAITING)
        self._end: bytes | Exception | None = None

    def take(self) -> bytes:
        """Return the next chunk, or none at the end."""
        chunk = self._chunks.get() if self._end is None else self._end
        if isinstance(chunk, bytes) and chunk:
            return chunk
        self._end = chunk
        if chunk:
            raise EOFError("the archive is damaged") from chunk
        return b""

    def put(self, chunk: bytes | Exception) -> None:
        """Wait until there is room, or until nobody reads any more."""
        while not self.is_closed.is_set():
            try:
                self._chunks.put(chunk, timeout=_PATIENCE)
            except Full:
                continue
            return

    def create(self, _name: str) -> "_Pipe":
        return self

    def write(self, chunk: bytes) -> int:
        if self.is_closed.is_set():
            raise BrokenPipeError
        if chunk:
            self.put(bytes(chunk))
        return len(chunk)

    def read(self, _size: int | None = None) -> bytes:
        return b""

    def seek(self, _offset: int, _whence: int = 0) -> int:
        return 0

    def flush(self) -> None:
        pass

    def size(self) -> int:
        return 0

    def close(self) -> None:
        pass


class _SippedFile(io.RawIOBase):
    """A file that gives py7zr little at a time: it asks for a megabyte, and unpacks all that it gets into memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.is_sipped = False

    def read(self, size: int = -1) -> bytes:
        return self._file.read(min(size, _SIP) if self.is_sipped and size >= 0 else size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()


def _opened(file: _SippedFile, name: str) -> Any:
    require(Extra.SEVEN_ZIP, f"reading {name}")
    import py7zr

    try:
        return py7zr.SevenZipFile(cast(IO[bytes], file))
    except Exception as fault:  # a damaged table of contents can fail in any way
        raise UnreadablePage(
            f"{name} cannot be unpacked: it is cut off, damaged or locked ({type(fault).__name__}); fetch it again"
        ) from fault
